"""Bodies of requests and responses, one file a resource."""
