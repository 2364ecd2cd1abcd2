"""Whether the service lives, what it does, which version it is."""

from importlib.metadata import version

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from app import migrate
from app.dependencies import ArtifactsDep, DatabaseDep, ExpositionDep
from app.error_responses import error_responses
from app.errors import NotReady
from app.schemas.health import Health, Version

router = APIRouter(tags=["service"])

LIBRARIES = ("fastapi", "numba", "numpy", "scikit-learn", "scipy", "sqlalchemy")


@router.get("/livez", responses=error_responses())
async def check_liveness() -> Health:
    """Answer as long as the process can; async, so even while every thread is busy."""
    return Health()


@router.get("/readyz", responses=error_responses(NotReady))
def check_readiness(database: DatabaseDep, artifacts: ArtifactsDep) -> Health:
    """Tell whether database and artifact store can be used."""
    if not migrate.is_current(database):
        raise NotReady("The database is behind the schema of this version: run `seedbed migrate`.")
    if not artifacts.is_ready():
        raise NotReady("The artifact store cannot be reached or written to.")
    return Health()


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {
            "description": "Figures in the text format of Prometheus.",
            "content": {
                "text/plain": {
                    "schema": {"type": "string"},
                    "example": "# TYPE seedbed_queue_length gauge\nseedbed_queue_length 0.0\n",
                }
            },
        },
        **error_responses(),
    },
)
def read_metrics(exposition: ExpositionDep) -> Response:
    """Return requests of the API, and jobs as the database has them."""
    return Response(exposition, media_type=CONTENT_TYPE_LATEST)


@router.get("/version", responses=error_responses())
async def read_version() -> Version:
    """Return the versions of the service and of what it computes with."""
    return Version(
        version=version("seedbed"), libraries={name: version(name) for name in LIBRARIES}
    )
