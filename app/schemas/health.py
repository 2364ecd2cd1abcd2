"""Bodies about the service itself."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Health(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "ok"}]})

    status: Literal["ok"] = "ok"


class Version(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"version": "0.1.0", "libraries": {"numpy": "2.4.6"}}]}
    )

    version: str
    libraries: dict[str, str]
