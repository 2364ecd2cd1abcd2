"""Functions of SQL that SQLite and PostgreSQL write differently."""

from typing import Any, ClassVar

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction
from sqlalchemy.types import ARRAY, JSON, Boolean, Float, LargeBinary, Text


class _OfDialect(GenericFunction[Any]):
    """A function as each dialect writes it; each ``{}`` stands for one thing that it is given."""

    _register = False  # SQLAlchemy then registers the subclasses only
    inherit_cache = True
    sqlite: ClassVar[str]
    postgresql: ClassVar[str]


@compiles(_OfDialect, "sqlite")
@compiles(_OfDialect, "postgresql")
def _write(function: _OfDialect, compiler: SQLCompiler, **options: Any) -> str:
    written: str = getattr(function, compiler.dialect.name)
    return written.format(*(compiler.process(clause, **options) for clause in function.clauses))


class database_now(_OfDialect):  # noqa: N801 - SQL functions are lower case
    """Seconds since the epoch by the clock of the database: hosts' clocks may differ."""

    type = Float()
    inherit_cache = True
    sqlite = "((julianday('now') - 2440587.5) * 86400.0)"
    postgresql = "extract(epoch from clock_timestamp())::float"


class epoch_seconds(_OfDialect):  # noqa: N801 - as above
    """A time as seconds since the epoch, with their fraction."""

    type = Float()
    inherit_cache = True
    sqlite = "((julianday({}) - 2440587.5) * 86400.0)"
    postgresql = "extract(epoch from {})::float"


#: A list that is one parameter: thousands of parameters take long to be named.
TEXTS = JSON().with_variant(ARRAY(Text), "postgresql")


class is_one_of(_OfDialect):  # noqa: N801 - as above
    """Whether a column has one of some ``TEXTS``."""

    type = Boolean()
    inherit_cache = True
    sqlite = "{} IN (SELECT value FROM json_each({}))"
    # As a join each row could be compared with each text: the planner does not know how many.
    postgresql = "{} = ANY ({})"


class utf8(_OfDialect):  # noqa: N801 - as above
    """A text as bytes of UTF-8, which spares Python the way to str and back."""

    type = LargeBinary()
    inherit_cache = True
    sqlite = "CAST({} AS BLOB)"
    postgresql = "convert_to({}, 'UTF8')"


class single_blanks(_OfDialect):  # noqa: N801 - as above
    """A text with one blank where it has several, or line ends."""

    type = Text()
    inherit_cache = True
    sqlite = "single_blanks({})"  # of app.database
    postgresql = r"regexp_replace({}, '\s+', ' ', 'g')"
