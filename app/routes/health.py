"""Whether the service lives, what it does, which version it is."""

from importlib.metadata import version

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST

from app.errors import NotReady
from app.http.dependencies import ProbesDep
from app.http.error_responses import error_responses
from app.media_types import PLAIN
from app.schemas.health import Health, Version
from core.version import __version__

router = APIRouter(tags=["service"])

LIBRARIES = ("fastapi", "numba", "numpy", "scikit-learn", "scipy", "sqlalchemy")


@router.get("/livez", responses=error_responses())
async def check_liveness() -> Health:
    """Answer as long as the process runs, even while every thread is busy."""
    return Health()


@router.get("/readyz", responses=error_responses(NotReady))
async def check_readiness(probes: ProbesDep) -> Health:
    """Tell whether database, artifact store and cache directory can be used."""
    await probes.check()
    return Health()


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {
            "description": "Figures in the text format of Prometheus.",
            "content": {
                PLAIN: {
                    "schema": {"type": "string"},
                    "example": "# TYPE seedbed_queue_length gauge\nseedbed_queue_length 0.0\n",
                }
            },
        },
        **error_responses(),
    },
)
async def read_metrics(probes: ProbesDep) -> Response:
    """Return figures of the requests to the API, of the jobs in the database, and of storage."""
    return Response(await probes.figures(), media_type=CONTENT_TYPE_LATEST)


@router.get("/version", responses=error_responses())
async def read_version() -> Version:
    """Return the versions of the service and of the libraries it computes with."""
    return Version(version=__version__, libraries={name: version(name) for name in LIBRARIES})
