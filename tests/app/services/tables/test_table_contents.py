import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from app.errors import InvalidTable
from app.services.tables.table_contents import Contents, to_contents
from app.services.tables.table_files import Limits, TableOptions, read_columns

LIMITS = Limits(max_bytes=2**30, max_columns=1000)
CSV = """\
size,colour,mass,kind
1,red,0.5,yes
2,blue,1.5,no
3,red,2.5,maybe
4,green,3.5,no
"""


def contents(table: pa.Table | str, limits: Limits = LIMITS, **options: Any) -> Contents:
    asked = TableOptions(**{"label_column": "kind", "positive": ["yes"], **options})
    if isinstance(table, str):
        table = read_columns(io.BytesIO(table.encode()), "text/csv", LIMITS, asked)
    return to_contents(table, asked, limits)


def places(act: Callable[[], object]) -> list[tuple[str, str]]:
    """Return code and place of each fault."""
    with pytest.raises(InvalidTable) as caught:
        act()
    assert caught.value.errors is not None
    return [(error["code"], error["pointer"]) for error in caught.value.errors]


def test_numbers_become_features() -> None:
    found = contents(CSV, categorical="drop")

    assert_array_equal(found.X, [[1, 0.5], [2, 1.5], [3, 2.5], [4, 3.5]])
    assert found.X.dtype == np.float64
    assert found.is_positive.tolist() == [True, False, False, False]
    assert found.dropped_columns == ["colour"]
    assert found.columns[0] == {
        "name": "size",
        "kind": "numeric",
        "source": "size",
        "missing": 0,
        "min": 1,
        "max": 4,
        "distinct": 4,
    }


def test_each_text_becomes_a_feature_where_it_stands() -> None:
    found = contents(CSV, categorical="one_hot")

    assert found.names == ["size", "colour=blue", "colour=green", "colour=red", "mass"]
    assert_array_equal(found.X[:, 1:4], [[0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0]])
    assert {column["source"] for column in found.columns[1:4]} == {"colour"}


def test_text_needs_an_instruction() -> None:
    assert places(lambda: contents(CSV)) == [("text_column", "/rows/1/columns/colour")]


def test_first_text_among_numbers_is_named() -> None:
    body = "a,b,kind\n1,1,yes\n2,oops,no\n"
    assert places(lambda: contents(body)) == [("text_column", "/rows/2/columns/b")]


def detail(body: str, **options: Any) -> str:
    """Return the words of the first fault."""
    with pytest.raises(InvalidTable) as caught:
        contents(body, **options)
    assert caught.value.errors is not None
    return str(caught.value.errors[0]["detail"])


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("a,kind\n1,yes\n-,no\n2,no\n-,no\n", "send missing_marker=- and missing=mean"),
        ("a,kind\n1,yes\nx,no\ny,no\n", "send categorical=one_hot or drop"),
        ("a,kind\nx,yes\nx,no\n", "send categorical=one_hot or drop"),
        ('a,kind\n1,yes\n"2,5",no\n"3,5",no\n', "write decimals with a point"),
        ("a,kind\n1,yes\ninf,no\n", "leave the field empty and send missing=mean"),
    ],
)
def test_advice_fits_the_fault(body: str, words: str) -> None:
    assert words in detail(body)


def not_utf_8() -> pa.Array:
    """Return two texts as readers of Parquet give them, who do not look at them; one is none."""
    values = pa.array([b"yes", b"\xff"])
    return pa.Array.from_buffers(pa.string(), 2, values.buffers())


@pytest.mark.parametrize(
    "labels",
    [
        not_utf_8(),
        not_utf_8().dictionary_encode(),
        pa.array([b"yes", b"\xff"]),
        pa.nulls(2, pa.binary(3)),
        pa.nulls(2, pa.list_(pa.string())),
        pa.array([b"yes" * 5 + b"\xff"] * 2, pa.uuid()),
        pa.array([0, 1], pa.timestamp("s", "Nowhere/City")),
    ],
    ids=lambda labels: str(labels.type),
)
def test_labels_that_are_no_text_are_refused(labels: pa.Array) -> None:
    table = pa.table({"kind": labels, "a": [1, 2]})
    assert places(lambda: contents(table)) == [("unsupported_column", "?label_column")]


@pytest.mark.parametrize("texts", [not_utf_8(), not_utf_8().dictionary_encode()], ids=["", "coded"])
@pytest.mark.parametrize("categorical", ["one_hot", "drop", None])
def test_texts_that_are_not_utf_8_are_refused_unless_left_out(
    texts: pa.Array, categorical: str | None
) -> None:
    table = pa.table({"kind": ["yes", "no"], "a": [1, 2], "t": texts})
    found = places(lambda: contents(table, categorical=categorical))
    assert found == [("invalid_unicode", "/columns/t")]
    assert contents(table, categorical=categorical, exclude=["t"]).names == ["a"]


@pytest.mark.parametrize(
    "kind", [pa.list_(pa.string_view()), pa.struct([("s", pa.string_view())])], ids=str
)
def test_rows_are_left_out_beside_columns_of_any_type(kind: pa.DataType) -> None:
    table = pa.table({"kind": ["?", "yes", "no"], "a": [1, 2, 3], "x": pa.nulls(3, kind)})
    found = contents(table, unlabeled=["no"], categorical="drop")
    assert found.X.tolist() == [[2], [3]]
    assert found.dropped_columns == ["x"]


def test_near_names_are_told() -> None:
    assert "Did you mean 'kind'?" in detail(CSV, label_column="Kind")
    assert "Did you mean 'yes'?" in detail(CSV, categorical="drop", positive=["yess"])


@pytest.mark.parametrize(("categorical", "words"), [("drop", "left out"), ("one_hot", "for text")])
def test_numbers_lost_for_a_few_texts_are_warned_of(categorical: str, words: str) -> None:
    body = "a,b,kind\n1,1,yes\n-,2,no\n2,3,no\n"
    [warning] = contents(body, categorical=categorical).warnings
    for part in ("'a'", words, "2 of its values are numbers", "missing_marker"):
        assert part in warning
    assert contents(CSV, categorical=categorical).warnings == []


def test_constant_and_equal_features_are_warned_of() -> None:
    body = "a,b,c,d,e,kind\n1,7,1,0,x,yes\n2,7,2,1,x,no\n0,7,-0,1,y,no\n"
    constant, equal = contents(body, categorical="one_hot").warnings

    assert constant.startswith("Features of one value only: 1 ('b').")
    assert equal.startswith("Features equal to an earlier one: 1 ('c = a').")


def test_only_columns_that_give_nothing_else_are_advised_to_be_left_out() -> None:
    # Of the twin all features are equal to earlier ones, of b one is; no column is named b=red.
    body = "a,twin,b,one,kind\nr,r,red,x,yes\ns,s,tan,x,no\nt,t,tan,x,no\nt,t,u,x,no\n"
    constant, equal = contents(body, categorical="one_hot").warnings

    assert constant.endswith("Leave out with exclude=NAME: 'one'.")
    assert "b=red = a=r" in equal
    assert equal.endswith("Leave out with exclude=NAME: 'twin'.")
    body = "a,b,kind\nr,red,yes\ns,tan,no\nr,red,no\ns,u,no\n"
    [equal] = contents(body, categorical="one_hot").warnings
    assert "exclude" not in equal


def test_columns_that_name_their_row_are_warned_of() -> None:
    rows = [
        f"{1000 - i},{i / 8},{i % 7},2024-{1 + i % 12:02}-{1 + i // 12:02},{'ab'[i % 2]},no\n"
        for i in range(40)
    ]
    head = "id,mass,size,day,colour,kind\n0,9,1,2023-01-01,a,yes\n"
    texts, numbers = contents(head + "".join(rows), categorical="one_hot").warnings

    assert texts.startswith("Columns with nearly as many texts as rows: 1 ('day').")
    assert numbers.startswith("Columns of whole numbers that differ in each row: 1 ('id').")
    few = head + "".join(rows[:10])
    assert contents(few, categorical="one_hot").warnings == []


def test_excluded_columns_are_left_out() -> None:
    found = contents(CSV, exclude=["colour", "size"])

    assert found.names == ["mass"]
    assert found.dropped_columns == ["colour", "size"]


def test_a_column_excluded_twice_is_told_once_and_the_label_not_at_all() -> None:
    twice = contents(CSV, exclude=["colour", "colour", "kind"])
    once = contents(CSV, exclude=["colour"])
    assert twice.dropped_columns == once.dropped_columns == ["colour"]
    assert twice.digest() == once.digest()


def test_other_labels_are_left_out_where_the_unlabeled_ones_are_named() -> None:
    found = contents(CSV, categorical="drop", unlabeled=["no"])

    assert_array_equal(found.X[:, 0], [1, 2, 4])
    assert found.is_positive.tolist() == [True, False, False]
    assert found.n_dropped_rows == 1


def test_several_values_may_be_positive() -> None:
    found = contents(CSV, categorical="drop", positive=["yes", "maybe"])
    assert found.is_positive.tolist() == [True, False, True, False]


def test_row_without_a_label_is_unlabeled() -> None:
    assert contents("a,kind\n1,yes\n2,\n").is_positive.tolist() == [True, False]


@pytest.mark.parametrize(
    ("values", "positive"), [([1, 0], "1"), ([True, False], "true"), (["b", "a"], "b")]
)
def test_labels_of_any_type_are_named_as_text(values: list[Any], positive: str) -> None:
    table = pa.table({"a": [1.0, 2.0], "kind": values})
    assert contents(table, positive=[positive]).is_positive.tolist() == [True, False]


@pytest.mark.parametrize(("how", "column"), [("mean", [1, 7 / 3, 2, 4]), ("median", [1, 2, 2, 4])])
def test_gaps_are_filled_as_asked(how: str, column: list[float]) -> None:
    found = contents("a,kind\n1,yes\n,no\n2,no\n4,no\n", missing=how)

    assert found.X[:, 0].tolist() == pytest.approx(column)
    assert found.columns[0]["missing"] == 1


@pytest.mark.parametrize("how", ["mean", "median"])
@pytest.mark.parametrize(("kind", "huge"), [(pa.float64(), 2.0**1022), (pa.float32(), 2.0**126)])
def test_gaps_between_huge_values_are_filled(how: str, kind: pa.DataType, huge: float) -> None:
    values = pa.array([2 * huge, None, 3 * huge], kind)
    found = contents(pa.table({"a": values, "kind": ["yes", "no", "no"]}), missing=how)
    assert found.X[:, 0].tolist() == [2 * huge, 2.5 * huge, 3 * huge]


def test_rows_with_gaps_are_dropped_as_asked() -> None:
    body = "a,b,c,kind\n1,1,x,yes\n,1,x,no\n2,NaN,x,no\n3,4,,no\n4,5,y,no\n"
    found = contents(body, missing="drop_rows", categorical="one_hot")

    assert_array_equal(found.X, [[1, 1, 1, 0], [4, 5, 0, 1]])
    assert found.n_dropped_rows == 3


def test_missing_text_is_of_no_category_where_gaps_are_filled() -> None:
    found = contents("a,kind\nx,yes\n,no\n", missing="mean", categorical="one_hot")

    assert_array_equal(found.X, [[1], [0]])
    assert found.columns[0]["missing"] == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a,kind\n1,yes\n,no\n", [("missing_value", "/rows/2/columns/a")]),
        ("a,kind\n1,yes\nNaN,no\n", [("missing_value", "/rows/2/columns/a")]),
        ("a,kind\n1,yes\n-inf,no\n", [("not_finite", "/rows/2/columns/a")]),
        ("a,kind\n1,yes\n1e999,no\n", [("not_finite", "/rows/2/columns/a")]),
        ("a,kind\n,yes\n,no\n", [("empty_column", "/columns/a")]),
        (
            "a,b,kind\n1,,yes\n,2,no\n",
            [("missing_value", f"/rows/{i}/columns/{c}") for i, c in ((2, "a"), (1, "b"))],
        ),
        ("kind\nyes\nno\n", [("no_features", "")]),
        ("a,kind\n1,yes\n2,yes\n", [("no_unlabeled", "")]),
        ("a,kind\n1,no\n2,no\n", [("unknown_label", "?positive")]),
    ],
)
def test_faults_are_named_with_their_place(body: str, expected: list[tuple[str, str]]) -> None:
    assert places(lambda: contents(body)) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"label_column": "king"}, [("unknown_column", "?label_column")]),
        ({"exclude": ["king"]}, [("unknown_column", "?exclude")]),
        ({"unlabeled": ["never"]}, [("unknown_label", "?unlabeled")]),
        ({"unlabeled": ["no", "yes"]}, [("unknown_label", "?unlabeled")]),
    ],
)
def test_parameters_that_do_not_fit_are_named(
    options: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert places(lambda: contents(CSV, **options)) == expected


def test_dropping_rows_must_leave_both_classes() -> None:
    def dropped(body: str) -> list[tuple[str, str]]:
        return places(lambda: contents(body, missing="drop_rows"))

    assert dropped("a,b,kind\n,1,yes\n1,1,no\n") == [("no_positives", "")]
    assert dropped("a,b,kind\n1,1,yes\n,1,no\n") == [("no_unlabeled", "")]
    assert dropped("a,b,kind\n,1,yes\n1,,no\n") == [("no_rows", "")]


def test_types_without_numbers_or_texts_are_left_out_or_named() -> None:
    table = pa.table({"a": [1, 2], "day": pa.array([1, 2], pa.date32()), "kind": ["yes", "no"]})

    assert places(lambda: contents(table)) == [("unsupported_column", "/columns/day")]
    assert contents(table, categorical="drop").names == ["a"]
    assert contents(table, exclude=["day"]).names == ["a"]


def test_two_features_of_one_name_are_refused() -> None:
    body = "a,a=x,kind\nx,1,yes\ny,2,no\n"
    found = places(lambda: contents(body, categorical="one_hot"))
    assert found == [("duplicate_column", "/columns/a=x")]


def test_column_of_too_many_texts_is_named() -> None:
    body = "a,b,kind\n" + "".join(f"{i},t{i},{'no' if i else 'yes'}\n" for i in range(30))
    found = places(lambda: contents(body, Limits(2**30, 20), categorical="one_hot"))
    assert found == [("too_many_categories", "/columns/b")]


def test_single_precision_stays_so() -> None:
    table = pa.table({"a": pa.array([0.1, 0.2], pa.float32()), "kind": ["yes", "no"]})
    assert contents(table).X.dtype == np.float32


def test_digest_is_that_of_names_values_and_labels() -> None:
    body = "a,kind\n1,yes\n2,no\n3,no\n"
    digest = contents(body).digest()

    assert contents(body.replace("\n", "\r\n")).digest() == digest
    assert contents("kind,a\nyes,1\nno,2\nno,3.0\n").digest() == digest
    others = [body.replace("a,", "b,"), body.replace("3", "4"), body.replace("2,no", "2,yes")]
    assert len({digest, *(contents(other).digest() for other in others)}) == 4
