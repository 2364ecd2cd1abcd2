"""Labeled collections that Debian has: descriptions of packages, a dictionary, sayings.

    python -m benchmarks.debian_texts --out DIR

Written as the other collections are (``NAME.ndjson.gz``; see ``benchmarks/collections.py``), for
``python -m benchmarks.auto further --data DIR``. Needs a Debian, root to update its lists of
packages, and its mirror. Versions of packages differ between releases, so figures do a little.

- ``debian-LANGUAGE``: the description of the first package of each source, by its section.
- ``wordnet-noun`` and ``-verb``: words with their gloss, by the field of the lexicographer.
- ``fortunes-LANGUAGE``: sayings, by the file that they stand in.
"""

import argparse
import gzip
import subprocess
import tempfile
from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.collections import Document

LISTS = Path("/var/lib/apt/lists")
LANGUAGES = ("en", "de", "fr", "ja")
PACKAGES = ("wordnet-base", "fortunes", "fortunes-de", "fortunes-cs")
#: Where the sayings of a language lie among those of all.
SAYINGS = {"en": "*", "de": "de/*", "cs": "cs/*"}
#: Names of the fields, in the order of their numbers.
FIELDS = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the collections")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    run("apt-get", "update", "-o", f"Acquire::Languages={','.join(LANGUAGES)}")
    packages = {entry["Package"]: entry for entry in entries("binary-*_Packages*")}
    for language in LANGUAGES:
        write(out, f"debian-{language}", descriptions(language, packages))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("apt-get", "download", *PACKAGES, cwd=folder)
        for package in folder.glob("*.deb"):
            run("dpkg", "-x", package.name, "files", cwd=folder)
        share = folder / "files" / "usr" / "share"
        for kind in ("noun", "verb"):
            write(out, f"wordnet-{kind}", glosses(share / "wordnet" / f"data.{kind}"))
        for language, pattern in SAYINGS.items():
            write(out, f"fortunes-{language}", sayings(share / "games" / "fortunes", pattern))


def run(*command: str, cwd: Path | None = None) -> str:
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def entries(pattern: str) -> Iterator[Message]:
    """Yield the entries of the main lists of that kind, however they are packed."""
    for path in sorted(LISTS.glob(f"*_main_{pattern}")):
        for entry in run("/usr/lib/apt/apt-helper", "cat-file", str(path)).split("\n\n"):
            if entry.strip():
                yield message_from_string(entry)


def descriptions(language: str, packages: dict[str, Message]) -> Iterator[Document]:
    seen = set()
    for entry in entries(f"i18n_Translation-{language}*"):
        package = packages.get(entry["Package"])
        if package is None:
            continue
        source = package.get("Source", entry["Package"]).split()[0]
        if source not in seen:
            seen.add(source)
            lines = (line.strip() for line in entry[f"Description-{language}"].split("\n"))
            text = "\n".join("" if line == "." else line for line in lines)
            yield Document(entry["Package"], text, package["Section"])


def glosses(path: Path) -> Iterator[Document]:
    for line in path.read_text().splitlines():
        if not line.startswith(" "):  # the licence
            head, gloss = line.split("|", 1)
            place, field, _, n_words, *others = head.split()
            words = ", ".join(others[: 2 * int(n_words, 16) : 2]).replace("_", " ")
            yield Document(place, f"{words}: {gloss.strip()}", FIELDS[int(field)])


def sayings(folder: Path, pattern: str) -> Iterator[Document]:
    for path in sorted(folder.glob(pattern)):
        if path.is_file() and not path.is_symlink() and path.suffix not in {".dat", ".u8"}:
            texts = path.read_text(errors="replace").split("\n%\n")
            for i, text in enumerate(texts):
                if text.strip():
                    yield Document(f"{path.name}/{i}", text.strip(), path.stem)


def write(folder: Path, name: str, documents: Iterator[Document]) -> None:
    """Write a collection in an order by chance, always the same."""
    rows = list(documents)
    with gzip.open(folder / f"{name}.ndjson.gz", "wb") as file:
        for i in np.random.default_rng(0).permutation(len(rows)):
            file.write(msgspec.json.encode(rows[i]) + b"\n")
    print(f"{name}: {len(rows):,} documents, {len({row.label for row in rows})} classes")


if __name__ == "__main__":
    main()
