"""The API: ``create_app`` puts it together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio import CapacityLimiter, Semaphore
from anyio.to_thread import current_default_thread_limiter
from fastapi import Depends, FastAPI
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from app.artifacts import Artifacts
from app.database import REQUEST_THREADS, UPLOAD_THREADS, Database
from app.errors import StorageFull
from app.http.browser_guard import BrowserGuardMiddleware
from app.http.dependencies import refuse_unknown_parameters
from app.http.error_responses import BODY_ERRORS, add_error_handlers, error_responses
from app.http.middleware import BodyLimitMiddleware, HeadMiddleware, RequestContextMiddleware
from app.http.probes import Probes
from app.http.response_headers import declare_headers
from app.http.sign_in import SignInMiddleware, declare_sign_in
from app.http.url_encoding import UrlEncodingMiddleware
from app.http.web_pages import add_web_pages
from app.media_types import PROBLEM
from app.metrics import RequestMetrics
from app.routes import (
    algorithms,
    class_prior,
    documents,
    evaluation,
    feature_selections,
    health,
    inference,
    job_events,
    jobs,
    model_tests,
    models,
    predictions,
    projects,
    ranking_updates,
    review,
    tables,
)
from app.schemas.bodies import Answer, RequestBody
from app.schemas.inference import InferenceRequest
from app.schemas.model_tests import DOCUMENT_WITH_LABEL
from app.schemas.predictions import PredictionRequest
from app.schemas.problems import Problem
from app.schemas.uploads import DOCUMENT
from app.services.prediction.prediction import Predictor
from app.settings import HAND_BACK_SECONDS, Settings
from core.version import __version__

DESCRIPTION = """\
Find more of something in a pile of text, from a few examples and no counter-examples.

Create a project, add a few documents as positives and the pile as unlabeled, train, follow the
job, then read the ranking of the pile or predict on new text. Errors are problem+json with a
stable `code`; a creating POST may be sent again with the same `Idempotency-Key`. HEAD gives the
headers of any GET.
"""

#: In the order in which they are shown and first met.
TAGS = (
    ("projects", "A project is one question: what is looked for, in which language."),
    ("documents", "Positives and the unlabeled pile, as JSON, NDJSON, CSV or plain lines."),
    ("jobs", "Trainings and other long work, with live progress."),
    ("models", "What a training made: its card, its ranking, its cuts, how good it is."),
    ("predictions", "Other texts, a few or a stream of any length."),
    ("review", "What to judge next, what was judged, and whether to go on."),
    ("tables", "Tables of numbers and words, for feature selection."),
    ("feature selection", "Which terms or columns tell positives from the rest."),
    ("algorithms", "What there is to choose from, with parameters and what each assumes."),
    ("open inference protocol", "Predictions for clients of KServe, MLServer and Triton."),
    ("service", "Whether the service is alive and ready, its figures, its version."),
)

#: A request looks for its route in this order: first where a quick answer counts most.
ROUTERS = (
    predictions,
    projects,
    documents,
    jobs,
    job_events,
    models,
    ranking_updates,
    review,
    class_prior,
    evaluation,
    model_tests,
    tables,
    feature_selections,
    algorithms,
    inference,
    health,
)


class SeedbedAPI(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """Add to the generated description what no single route knows."""
        if self.openapi_schema is not None:
            return self.openapi_schema
        schema = super().openapi()
        _, definitions = models_json_schema(
            [
                (Problem, "serialization"),
                (PredictionRequest, "validation"),
                (InferenceRequest, "validation"),
            ],
            ref_template="#/components/schemas/{model}",
        )
        _drop_null_defaults(definitions["$defs"])
        schema["components"]["schemas"] |= definitions["$defs"]
        schema["components"]["schemas"] |= {
            "UploadedDocument": DOCUMENT,
            "LabeledDocument": DOCUMENT_WITH_LABEL,
        }
        _put_back_examples(schema["components"]["schemas"])
        if self.state.settings.passwords:
            declare_sign_in(schema)
        operations = (one for path in schema["paths"].values() for one in path.items())
        for method, operation in operations:
            errors = BODY_ERRORS if "requestBody" in operation else ()
            if method != "get":  # a full database takes no changes, deletions neither
                errors = (*errors, StorageFull)
            for status, response in error_responses(*errors).items():
                listed = operation["responses"].setdefault(str(status), response)
                examples = response["content"][PROBLEM]["examples"]
                listed["content"][PROBLEM]["examples"] |= examples
            declare_headers(operation)
        return schema


def _drop_null_defaults(schemas: dict[str, Any]) -> None:
    """Do as the framework does: generators of clients take what has a default for always there."""
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if field.get("default", ...) is None:
                del field["default"]


def _put_back_examples(schemas: dict[str, Any]) -> None:
    """The framework has dropped what is null, also from examples."""
    models: list[type[BaseModel]] = [Answer, RequestBody]
    for model in models:
        models += model.__subclasses__()
        extra = model.model_config.get("json_schema_extra")
        if model.__name__ in schemas and isinstance(extra, dict):
            schemas[model.__name__] |= extra


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the API on these settings; None means those of the environment."""
    settings = settings or Settings.from_environment()
    metrics = RequestMetrics()
    app = SeedbedAPI(
        title="Seedbed",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=[{"name": name, "description": text} for name, text in TAGS],
        lifespan=_lifespan,
        dependencies=[Depends(refuse_unknown_parameters)],
        responses=error_responses(),
        generate_unique_id_function=lambda route: route.name,
        docs_url=None,
        redoc_url=None,
        # What clients make of the path of a document ".." must not become that of its project.
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.metrics = metrics
    # Uploads have threads of their own: slow clients must not hold those of other requests.
    app.state.upload_limiter = CapacityLimiter(UPLOAD_THREADS)
    app.add_middleware(
        BodyLimitMiddleware,
        max_body_bytes=settings.max_body_bytes,
        timeout_seconds=settings.body_timeout_seconds,
    )
    app.add_middleware(HeadMiddleware)
    app.add_middleware(UrlEncodingMiddleware)
    app.add_middleware(SignInMiddleware, users=settings.passwords)
    app.add_middleware(BrowserGuardMiddleware, allowed_hosts=settings.host_names)
    app.add_middleware(RequestContextMiddleware, metrics=metrics)
    add_error_handlers(app)
    for module in ROUTERS:
        app.include_router(module.router)
    add_web_pages(app)
    app.state.allowed_methods = _allowed_methods()
    return app


def _allowed_methods() -> dict[str, set[str]]:
    """Return the methods of each path; the framework itself tells those of one route only."""
    allowed: dict[str, set[str]] = {}
    for route in (route for module in ROUTERS for route in module.router.routes):
        if isinstance(route, APIRoute):
            allowed.setdefault(route.path, set()).update(route.methods or ())
    for methods in allowed.values():
        if "GET" in methods:
            methods.add("HEAD")
    return allowed


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    current_default_thread_limiter().total_tokens = REQUEST_THREADS
    timeout = settings.database_timeout_seconds
    database = Database(settings.database_url, timeout_seconds=timeout, name="seedbed api")
    app.state.database = database
    # SQLite lets one write at a time, and those that wait for it get it in no order.
    app.state.write_turns = Semaphore(1 if database.folder else REQUEST_THREADS // 2)
    app.state.artifacts = Artifacts(settings.artifacts_url, settings.cache_directory)
    app.state.predictor = Predictor(app.state.artifacts, settings.model_cache_bytes)
    app.state.probes = Probes(database, app.state.artifacts, app.state.metrics)
    await app.state.probes.look_at_all()
    yield
    # Uploads that the server breaks off store what came of them, before the process is killed.
    with anyio.move_on_after(HAND_BACK_SECONDS - 1):
        while app.state.upload_limiter.borrowed_tokens:
            await anyio.sleep(0.1)
    database.close()
