"""Media types of bodies, by the names that routes and services use."""

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"
PARQUET = "application/vnd.apache.parquet"
