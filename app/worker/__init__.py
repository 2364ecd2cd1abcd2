"""Workers: jobs are claimed and run in child processes that are watched."""
