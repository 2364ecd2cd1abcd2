"""What the documentation says is so: examples run, links lead somewhere, assumptions are served."""

import ast
import json
import re
from doctest import DocTestParser, DocTestRunner
from itertools import chain
from pathlib import Path
from pkgutil import resolve_name

import pytest
from sqlalchemy import make_url

from app.database import REQUEST_THREADS, UPLOAD_THREADS
from app.settings import HAND_BACK_SECONDS, Settings
from core.registry import ALGORITHMS, FEATURE_SELECTORS
from core.text import TermWeighting, TokenCounter
from core.vectorizer import vectorizer_defaults

ROOT = Path(__file__).parents[1]
DOCUMENTS = {
    str(path.relative_to(ROOT)): path.read_text()
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
}
FACTS = ("Idea", "Assumption", "Take it when", "Cost", "Source", "Verified")


def docstrings(folder: Path) -> list[str]:
    """Return the docstrings of the modules of a folder, their classes and functions."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    return [
        ast.get_docstring(node) or ""
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, documented)
    ]


def test_examples() -> None:
    blocks = re.findall(r"```python\n(.*?)```", DOCUMENTS["docs/library.md"], flags=re.DOTALL)
    examples = DocTestParser().get_doctest("".join(blocks), {}, "library", "library.md", 0)

    result = DocTestRunner().run(examples)

    assert result.attempted > 10
    assert result.failed == 0


def prose(document: Path) -> str:
    return re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)


def anchors(document: Path) -> set[str]:
    """Return what links name the headings of a document by."""
    headings = re.findall(r"^#+ (.+)$", prose(document), flags=re.MULTILINE)
    plain = [re.sub(r"\]\(.*?\)|[^\w\- ]", "", heading) for heading in headings]
    return {heading.lower().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_to_files_and_headings(document: str) -> None:
    path = ROOT / document
    for file, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)", prose(path)):
        target = path.parent / file if file else path
        assert target.exists(), file
        assert not anchor or anchor in anchors(target), f"{file}#{anchor}"


@pytest.mark.parametrize("package", ["app", "core", "benchmarks", "docs"])
def test_dotted_names_lead_to_code(package: str) -> None:
    texts = list(DOCUMENTS.values()) if package == "docs" else docstrings(ROOT / package)
    names = re.findall(r"(?<![\w./])(?:app|core|benchmarks)\.[a-z_]+(?:\.\w+)*", "\n".join(texts))
    assert names
    for name in names:
        resolve_name(name)


@pytest.mark.parametrize(
    ("document", "estimators"),
    [("docs/algorithms.md", ALGORITHMS), ("docs/feature_selection.md", FEATURE_SELECTORS)],
)
def test_every_algorithm_is_described(document: str, estimators: dict[str, type]) -> None:
    sections = dict(
        re.findall(r"^##+ `(\w+)`\n(.+?)(?=^#|\Z)", DOCUMENTS[document], re.MULTILINE | re.DOTALL)
    )
    assert set(estimators) == set(sections)
    for name, estimator in estimators.items():
        for fact in FACTS:
            assert f"**{fact}" in sections[name], f"{name} lacks {fact}"
        assert f"**Assumption.** {estimator.assumption}" in sections[name].replace("\n", " "), name


def test_architecture_has_each_module_of_core() -> None:
    section = DOCUMENTS["docs/architecture.md"].partition("## `core`")[2].partition("\n## ")[0]
    entries = [path for path in (ROOT / "core").iterdir() if not path.name.startswith("__")]
    modules = {path.stem for path in entries if path.suffix == ".py"}
    folders = {f"{path.name}/" for path in entries if (path / "__init__.py").exists()}
    assert set(re.findall(r"`(\w+/?)`", section)) == modules | folders


def test_the_weights_that_algorithms_expect_are_theirs() -> None:
    section = DOCUMENTS["docs/algorithms.md"].partition("## What they expect\n")[2]
    rows = re.findall(r"^\|[^|]+\| `(TermWeighting\(.*?\))`.*?\| (.+) \|$", section, re.MULTILINE)
    told = {
        name: (weighting.representation, weighting.sublinear_tf)
        for step, names in rows
        for weighting in [eval(step, {"TermWeighting": TermWeighting})]
        for name in re.findall(r"`(\w+)`", names)
    }
    expected = {name: vectorizer_defaults(algorithm) for name, algorithm in ALGORITHMS.items()}
    assert told == {name: tuple(defaults.values()) for name, defaults in expected.items()}


def test_the_pattern_for_log_lines_leaves_out_what_it_says() -> None:
    (told,) = re.findall(r'`"token_pattern": (".+?")`', DOCUMENTS["docs/http.md"])
    counter = TokenCounter(token_pattern=json.loads(told))
    line = "sshd[24200]: Failed password from 173.234.31.186 port 38926 ssh2 c4ca4238a0b92382"
    assert set(counter.fit([line]).terms_) == {"sshd", "failed", "password", "from", "port", "ssh2"}


def test_the_compose_file_fits_the_code() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    (told,) = re.findall(r"opens up to (\d+) connections", compose)
    (most,) = re.findall(r"max_connections=(\d+)", compose)
    (grace,) = re.findall(r"STOP_GRACE_PERIOD:-(\d+)s", compose)

    assert int(told) == REQUEST_THREADS + 2 * UPLOAD_THREADS + 2
    assert 2 * int(told) + 7 * (2 + 3) <= int(most) - 3
    assert int(grace) > Settings().stop_grace_seconds + HAND_BACK_SECONDS


def test_the_compose_file_takes_any_password() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    filled = re.sub(r"\$\{POSTGRES_PASSWORD\b[^}]*\}", "se@cret/%41:?#", compose)
    (url,) = re.findall(r"SEEDBED_DATABASE_URL: (.+)", filled)
    of_environment = re.findall(r"PGPASSWORD: (.+)", filled)  # where the URL has none
    (of_server,) = re.findall(r"POSTGRES_PASSWORD: (.+)", filled)

    told = make_url(Settings(database_url=url).database_url).password

    assert ([told] if told else of_environment) == [of_server]


def test_every_code_of_a_refused_document_is_told() -> None:
    services = ROOT / "app/services"
    sources = [path for folder in ("intake", "documents") for path in (services / folder).iterdir()]
    sources += [services / "evaluation" / name for name in ("labeled_rows.py", "model_tests.py")]
    found = [
        re.findall(r'(?:RowError\([^"]*|return )"(\w+)",', path.read_text())
        for path in sources
        if path.suffix == ".py"
    ]
    codes = set(chain.from_iterable(found))
    section = DOCUMENTS["docs/refusals.md"].partition("## Documents")[2].partition("\n## ")[0]

    assert codes == set(re.findall(r"`(\w+)`(?=[^|]*\|[^|]*\|[^|]*\|$)", section, re.MULTILINE))
