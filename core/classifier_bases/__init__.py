"""What families of classifiers share."""
