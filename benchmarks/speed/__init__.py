"""Speed and memory of ``core``, each as a ratio against a named peer in the same run."""
