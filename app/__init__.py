"""The service: a REST API and a worker over `core`."""
