"""Logs on standard error, those of the libraries too: one JSON object a line, or for people."""

import logging
import sys

import structlog
from structlog.types import Processor

from app.settings import Settings


def configure_logging(settings: Settings) -> None:
    """Send every log through one renderer; request and job ids come from the context."""
    is_terminal = sys.stderr.isatty()
    level = getattr(logging, settings.log_level.upper())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    rendering: list[Processor] = (
        [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
        if (settings.log_format or ("console" if is_terminal else "json")) == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=is_terminal,
                timestamp_key="time",
                # The default shows local variables, and with them texts of users.
                exception_formatter=structlog.dev.plain_traceback,
            )
        ]
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)
    # It tells at each look at the schema, as that of a probe, which database it looks at.
    logging.getLogger("alembic").setLevel(max(level, logging.WARNING))
