"""Types of columns that are the same on every database."""

from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import JSON, BigInteger, DateTime, Enum, Integer, String, TypeDecorator
from sqlalchemy.engine import Dialect


class UTCDateTime(TypeDecorator[datetime]):
    """Aware times on every database; SQLite alone would forget the zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_NAME_LENGTH = 20


def enum_column(values: type[StrEnum]) -> Enum:
    return Enum(
        values,
        native_enum=False,
        length=_NAME_LENGTH,
        values_callable=lambda e: [member.value for member in e],
    )


class OpenEnum(TypeDecorator[str]):
    """Names of an enumeration that later versions may add to: theirs are read as they are."""

    impl = String(_NAME_LENGTH)
    cache_ok = True

    def __init__(self, values: type[StrEnum]) -> None:
        super().__init__()
        self.values = values

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return self.values(value) if value in list(self.values) else value


# SQLite numbers rows by itself only in a column of exactly this type.
RowNumber = BigInteger().with_variant(Integer, "sqlite")
Id = String(32)
JsonOrNull = JSON(none_as_null=True)
