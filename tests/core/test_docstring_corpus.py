import json
import os
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module

import pytest

from core.docstring_corpus import MIN_LENGTH, docstring_corpus, strip_docstring


@pytest.fixture(scope="module")
def corpus():
    return docstring_corpus()


def test_there_are_thousands_of_distinct_documents(corpus):
    assert len(corpus) > 3000
    assert len({name for name, _, _ in corpus}) == len(corpus)
    assert len({text for _, text, _ in corpus}) == len(corpus)
    assert min(len(text) for _, text, _ in corpus) >= MIN_LENGTH


def test_order_is_fixed(corpus):
    assert corpus == sorted(corpus)


def words(corpus):
    return {name: Counter(re.findall(r"\w+", text)) for name, text, _ in corpus}


def test_the_words_are_the_same_in_each_process():
    """In another order maybe: SciPy makes a docstring of a set."""
    code = (
        "import json; from core.docstring_corpus import docstring_corpus as corpus; "
        "print(json.dumps(corpus(('scipy.stats',))))"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    printed = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
    ).stdout
    assert words(json.loads(printed)) == words(docstring_corpus(("scipy.stats",)))


def test_labels_are_sub_packages_with_enough_to_find(corpus):
    labels = Counter(label for _, _, label in corpus)
    assert {"asyncio", "email", "numpy.linalg", "sklearn.cluster"} < set(labels)
    assert labels["scipy.stats"] > 200
    assert labels["scipy.signal"] > 100


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("scipy.stats.norm", "scipy.stats"),
        ("numpy.linalg.norm", "numpy.linalg"),
        ("sklearn.cluster.KMeans", "sklearn.cluster"),
        ("sklearn.feature_extraction.text.CountVectorizer", "sklearn.feature_extraction"),
        ("numpy.argsort", "numpy"),
        ("asyncio.Queue", "asyncio"),
        ("email.message.Message", "email"),
    ],
)
def test_an_object_is_known_by_its_shortest_public_name(corpus, name, label):
    assert (name, label) in {(name, label) for name, _, label in corpus}


def test_ids_tell_where_to_import_from(corpus):
    for name, text, _ in corpus[::50]:
        module, _, attribute = name.rpartition(".")
        docstring = getattr(import_module(module), attribute).__doc__
        assert strip_docstring(docstring, name) == text


def test_texts_do_not_give_the_answer_away(corpus):
    package = re.compile(r"\b(numpy|np|scipy|sklearn|scikit)\b", re.IGNORECASE)
    for name, text, _ in corpus:
        assert not package.search(text), name
        assert not re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", text), name
        assert not re.search(r"\b[A-Za-z_]\w*\.[A-Za-z_]\w*\b|>>>", text), name


def test_related_functions_are_not_listed():
    docstring = """Cut it.

    See Also
    --------
    shear : cuts sheep

    Notes
    -----
    Sharp.
    """
    assert strip_docstring(docstring, "tools.cut") == "it. Notes ----- Sharp."


def test_modules_with_side_effects_are_not_imported(corpus):
    assert not {"this", "antigravity", "turtledemo", "idlelib"} & set(sys.modules)
