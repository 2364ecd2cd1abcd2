"""Types of columns of Parquet: texts, and those that are no features and what they would take."""

import pyarrow as pa


def is_unbounded(kind: pa.DataType) -> bool:
    """Tell whether nobody knows how large values are, as lists and the like."""
    types = pa.types
    return bool(types.is_nested(kind) or types.is_fixed_size_binary(kind))


def is_text(kind: pa.DataType) -> bool:
    """Tell whether the values of a column are texts."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    types = pa.types
    return any(
        is_one(kind) for is_one in (types.is_string, types.is_large_string, types.is_string_view)
    )


def is_bytes(kind: pa.DataType) -> bool:
    """Tell whether values are texts or bytes of any length."""
    if pa.types.is_dictionary(kind):
        return is_bytes(kind.value_type)
    types = pa.types
    checks = is_text, types.is_binary, types.is_large_binary, types.is_binary_view
    return any(check(kind) for check in checks)


def null_bytes(kind: pa.DataType) -> int:
    """Return about how many bytes a missing value takes: where a length is told, as much as any."""
    n_bytes, parts = 0, [(1, kind)]
    while parts:
        times, part = parts.pop()
        if pa.types.is_fixed_size_list(part):
            parts.append((times * part.list_size, part.value_type))
        elif pa.types.is_struct(part):
            parts += [(times, part.field(i).type) for i in range(part.num_fields)]
        else:
            is_fixed = pa.types.is_fixed_size_binary(part)
            n_bytes += times * (part.byte_width if is_fixed else 8)
    return n_bytes
