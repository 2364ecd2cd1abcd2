"""The description of the API: complete, and true."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema
from schemathesis.python import asgi

from app.database import Database
from app.http.error_responses import BODY_ERRORS
from app.main import create_app
from app.media_types import NBIB, NDJSON, PARQUET, RIS, XLSX
from app.settings import Settings
from tests.app.parquet import parquet_of
from tests.app.workbooks import bytes_of, workbook

#: Bodies of these are text or bytes.
STREAMS = (NDJSON, PARQUET, RIS, NBIB)
PROBLEM = "application/problem+json"
NOT_ABOUT_MODELS = (
    "^/(projects$|tables|cluster|feature-sel|algorithms|livez|readyz|metrics|version)"
)

CONFIGURATION: dict[str, Any] = {
    "seed": 1,
    "generation": {"deterministic": True, "max-examples": 5, "no-shrink": True},
    "checks": {
        # No schema can say that a page token was given out before, which of two parameters goes
        # without the other, what an algorithm takes, or that an idempotency key is a new one.
        "positive_data_acceptance": {"expected-statuses": ["2xx", "304", "404", "409", "422"]}
    },
    "phases": {"stateful": {"generation": {"max-examples": 10}}},
    "operations": [
        # Of these the body names something else, and that may be what is not found.
        {
            "include-operation-id": [
                "put_labels",
                "choose_champion",
                "train_model",
                "select_features",
                "check_cluster_assumption",
            ],
            "checks": {"ensure_resource_availability": {"enabled": False}},
        },
        # Of a new project nothing has been estimated, so there is nothing to read.
        {
            "include-operation-id": ["read_class_prior"],
            "checks": {"ensure_resource_availability": {"enabled": False}},
        },
        # Some texts are tables and some are not: no schema can say which.
        {
            "include-operation-id": ["create_table"],
            "checks": {
                "positive_data_acceptance": {"expected-statuses": ["2xx", "400", "422"]},
                "negative_data_rejection": {"expected-statuses": ["201", "4xx"]},
            },
        },
        # Bad rows are refused one by one, in a report with status 200.
        {
            "include-operation-id": ["add_positives", "add_unlabeled", "test_model"],
            "checks": {"negative_data_rejection": {"expected-statuses": ["200", "4xx"]}},
        },
    ],
}


@schemathesis.serializer(*STREAMS)
def serialize_stream(_context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.serializer(XLSX)
def serialize_workbook(_context: Any, _value: Any) -> bytes:
    """Return a workbook, as no bytes made from a schema are one."""
    rows = [["water in the houses", "positive"], ["a goal in the last minute", "negative"]]
    return bytes_of(workbook(["text", "label"], *rows))


@schemathesis.serializer(PARQUET)
def serialize_parquet(_context: Any, _value: Any) -> bytes:
    """Return Parquet that may hold documents, labeled ones or numbers, as above."""
    texts = ["water in the houses", "a goal in the last minute"]
    return parquet_of({"text": texts, "label": ["positive", "negative"], "x": [1, 2]})


@pytest.fixture
def app(settings: Settings, database: Database) -> Iterator[FastAPI]:
    yield create_app(settings)
    asgi.shutdown_lifespans()


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """Return the whole description; tests must not change it."""
    return create_app(Settings()).openapi()


def operations(description: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }


def has_example(description: dict[str, Any], content: dict[str, Any]) -> bool:
    schema = content.get("schema", {})
    if "$ref" in schema:
        schema = description["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    named = ("example", "examples")
    return any(name in content or name in schema for name in named)


def test_each_operation_is_named_by_a_verb(description: dict[str, Any]) -> None:
    verbs = {
        "add",
        "cancel",
        "change",
        "check",
        "choose",
        "create",
        "delete",
        "estimate",
        "evaluate",
        "infer",
        "list",
        "predict",
        "put",
    }
    verbs |= {"read", "remove", "select", "test", "train", "update"}

    names = [operation["operationId"] for operation in operations(description).values()]

    assert {name.partition("_")[0] for name in names} <= verbs
    assert len(set(names)) == len(names)


def test_each_operation_has_a_summary_and_a_tag_that_is_described(
    description: dict[str, Any],
) -> None:
    described = {tag["name"] for tag in description["tags"] if tag["description"]}
    for name, operation in operations(description).items():
        assert operation["summary"], name
        assert set(operation["tags"]) <= described, name
    assert described == {tag for each in operations(description).values() for tag in each["tags"]}


def test_each_operation_has_examples(description: dict[str, Any]) -> None:
    for name, operation in operations(description).items():
        described = [response for code, response in operation["responses"].items() if code < "3"]
        if "requestBody" in operation:
            described.append(operation["requestBody"])
        for part in described:
            for media_type, content in part.get("content", {}).items():
                assert has_example(description, content), f"{name}: {media_type}"


def parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from parts(part)


def examples(part: dict[str, Any]) -> list[Any]:
    several = part.get("examples", [])
    if isinstance(several, dict):
        several = [example["value"] for example in several.values()]
    return [*several, part["example"]] if "example" in part else several


def test_examples_are_as_their_schemas_say(description: dict[str, Any]) -> None:
    pairs = [(p.get("schema", p), example) for p in parts(description) for example in examples(p)]

    for schema, example in pairs:
        whole = {**schema, "components": description["components"]}
        Draft202012Validator(whole).validate(example)
    assert len(pairs) > 100


def test_each_page_has_the_token_of_the_next(description: dict[str, Any]) -> None:
    schemas = description["components"]["schemas"].items()
    pages = {
        name: each for name, each in schemas if "next_page_token" in each.get("properties", ())
    }

    assert len(pages) > 5
    for name, page in pages.items():
        assert "next_page_token" in page["required"], name


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and those within; what stands under ``properties`` is named by fields."""
    if not isinstance(schema, dict):  # true and false are schemas, too
        return
    yield schema
    within = [schema.get(name) for name in ("items", "additionalProperties")]
    within += [schema[name] for name in ("anyOf", "allOf", "oneOf") if name in schema]
    within += schema.get("properties", {}).values()
    for part in within:
        for inner in part if isinstance(part, list) else [part]:
            yield from subschemas(inner)


def test_schemas_have_keywords_of_json_schema_alone(description: dict[str, Any]) -> None:
    known = set(Draft202012Validator.VALIDATORS)
    known |= {"title", "description", "default", "examples", "example"}  # the last is OpenAPI's
    roots = list(description["components"]["schemas"].values())
    roots += [part["schema"] for part in parts(description["paths"]) if "schema" in part]

    found = [each for root in roots for each in subschemas(root)]

    assert {name for schema in found for name in schema} <= known
    assert description["components"]["schemas"]["StabilityRequest"] in found
    assert sum("minimum" in schema for schema in found) > 10


def test_what_may_be_missing_is_not_said_to_be_null_by_default(description: dict[str, Any]) -> None:
    """Generators of clients take what has a default for what is always there."""
    roots = description["components"]["schemas"].values()

    found = [each for root in roots for each in subschemas(root)]

    assert [each for each in found if each.get("default", ...) is None] == []


def test_each_operation_lists_its_errors_as_problems(description: dict[str, Any]) -> None:
    for name, operation in operations(description).items():
        errors = {code: r for code, r in operation["responses"].items() if code >= "4"}
        assert {"422", "500", "503"} <= set(errors), name
        assert "{" not in name or "404" in errors, name
        assert "requestBody" not in operation or {"400", "413", "415"} <= set(errors), name
        for response in errors.values():
            assert list(response["content"]) == [PROBLEM], name
            assert response["content"][PROBLEM]["examples"], name


def test_each_operation_with_a_body_lists_every_error_that_bodies_have(
    description: dict[str, Any],
) -> None:
    for name, operation in operations(description).items():
        for error in BODY_ERRORS if "requestBody" in operation else ():
            response = operation["responses"][str(error.status)]
            assert error.code() in response["content"][PROBLEM]["examples"], name


def test_each_operation_that_changes_something_may_find_the_disk_full(
    description: dict[str, Any],
) -> None:
    lacking = [
        (path, method)
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
        if method != "get" and "507" not in operation["responses"]
    ]
    assert lacking == []


def test_each_parameter_is_described_and_uploads_may_be_compressed(
    description: dict[str, Any],
) -> None:
    encoded = set()
    for name, operation in operations(description).items():
        for parameter in operation.get("parameters", []):
            assert parameter["description"], f"{name}: {parameter['name']}"
            if parameter["name"] == "Content-Encoding":
                assert parameter["schema"]["enum"] == ["gzip", "zstd"]
                encoded.add(name)
    assert encoded == {
        name
        for name, operation in operations(description).items()
        if "Content-Encoding" in operation.get("requestBody", {}).get("description", "")
    }


def test_problems_of_uploads_tell_their_report(description: dict[str, Any]) -> None:
    answers = operations(description)["POST /projects/{project_id}/positives"]["responses"]
    for status, code in (("422", "rows_rejected"), ("409", "upload_cancelled")):
        example = answers[status]["content"][PROBLEM]["examples"][code]["value"]
        assert example["report"]["rejected"] == 1
    schemas = description["components"]["schemas"]
    assert {"code", "row", "line", "column"} < set(schemas["ProblemPlace"]["properties"])
    assert "report" in schemas["Problem"]["properties"]


def test_headers_are_listed_with_the_answers_that_have_them(description: dict[str, Any]) -> None:
    found = {
        (name, code): set(response["headers"]) - {"X-Request-Id"}
        for name, operation in operations(description).items()
        for code, response in operation["responses"].items()
    }

    assert found["POST /projects", "201"] == {"Location", "Idempotency-Replayed"}
    assert found["POST /train", "202"] == {"Location", "Idempotency-Replayed"}
    assert found["GET /models/{model_id}", "200"] == {"ETag"}
    assert found["GET /models/{model_id}", "304"] == {"ETag"}
    assert found["GET /predict", "200"] == {"Model-Id"}
    assert found["POST /predict", "200"] == {"Model-Id"}
    assert found["GET /jobs/{job_id}", "200"] == {"Retry-After"}
    assert found["GET /projects", "503"] == {"Retry-After"}
    assert found["GET /projects", "200"] == set()


def failures(app: FastAPI, configuration: dict[str, Any]) -> list[str]:
    """Return what schemathesis finds."""
    schema = schemathesis.openapi.from_asgi(
        "/openapi.json", app, config=SchemathesisConfig.from_dict(configuration)
    )

    @schema.hook
    def filter_case(_context: Any, case: Any) -> bool:
        # A stream is text or bytes: what else could be wrong with it as a whole cannot be sent.
        is_stream = case.media_type in STREAMS
        is_sent = not is_stream or isinstance(case.body, str | bytes)
        # Nor is anything compressed here as the header would say.
        return is_sent and "Content-Encoding" not in case.headers

    found = []
    n_checks = 0
    for event in from_schema(schema).execute():
        if isinstance(event, events.NonFatalError | events.FatalError):
            found.append(str(event))
        if isinstance(event, events.ScenarioFinished):
            checks = [c for of_case in event.recorder.checks.values() for c in of_case]
            n_checks += len(checks)
            found += [
                f"{event.recorder.label}: {check.failure_info.failure}\n"
                f"{check.failure_info.code_sample}"
                for check in checks
                if check.failure_info is not None
            ]
    assert n_checks > 1000
    return found


def test_answers_are_as_described(app: FastAPI) -> None:
    # The test below asks what a model makes a difference to, one operation after the other: here
    # these are only met on the way along links. Ids of nothing go to deletions and to jobs.
    one_by_one = {phase: {"enabled": False} for phase in ("examples", "coverage", "fuzzing")}
    about_models = {
        "exclude-path-regex": f"{NOT_ABOUT_MODELS}|^/jobs/",
        "exclude-method": "DELETE",
        "phases": one_by_one,
    }
    operations = [*CONFIGURATION["operations"], about_models]

    assert failures(app, {**CONFIGURATION, "operations": operations}) == []


def test_answers_about_a_trained_model_are_as_described(
    app: FastAPI, model: dict[str, Any], run_job: Callable[[], str]
) -> None:
    ids = {f"path.{name}": model[name] for name in ("project_id", "job_id")}
    configuration = {
        **CONFIGURATION,
        "parameters": {**ids, "path.model_id": model["id"], "query.model_id": model["id"]},
        "phases": {"stateful": {"enabled": False}},
        "operations": [
            *CONFIGURATION["operations"],
            {"include-method": "DELETE", "enabled": False},
            # To these a trained model makes no difference.
            {"include-path-regex": NOT_ABOUT_MODELS, "enabled": False},
        ],
    }

    assert failures(app, configuration) == []


def test_clients_may_send_the_defaults_of_parameters(
    client: TestClient, model: dict[str, Any], description: dict[str, Any]
) -> None:
    """Clients that are made from the description do."""
    ids = {f"{name}_id": model[f"{name}_id"] for name in ("project", "job")}
    ids |= {"model_id": model["id"], "document_id": "u1"}
    n_with_defaults = 0
    for path, methods in description["paths"].items():
        parameters = methods.get("get", {}).get("parameters", ())
        defaults = {
            parameter["name"]: parameter["schema"]["default"]
            for parameter in parameters
            if parameter["in"] == "query" and "default" in parameter["schema"]
        }
        if not defaults or path == "/predict":
            continue
        n_with_defaults += 1
        response = client.get(path.format(**ids), params=defaults)

        assert response.status_code == 200, response.text
    assert n_with_defaults > 5
