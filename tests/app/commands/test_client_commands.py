"""What talks to a running service, as a user types it, against the real service."""

import codecs
import csv
import gzip
import io
import json
import os
import re
import socket
from pathlib import Path
from typing import get_args

import httpx2
import pytest
from rich.console import Console

from app.commands import document_file
from app.commands import upload as upload_command
from app.commands.client import ServiceFailed, existing_project
from app.commands.document_file import Piped
from app.commands.job_bar import pace_in_words
from app.commands.predict import NO_VECTORS
from app.commands.row_count import RowCount
from app.commands.text_files import one_text_warning
from app.media_types import NBIB, PARQUET, RIS, XLSX
from tests.app.processes import PATIENCE
from tests.app.seedbed_command import seedbed
from tests.app.workbooks import bytes_of, workbook

SEEDS = ["the river burst its banks", "water in the streets after the flood"]
#: A character that ends lines for Python but not in files.
PILE = [
    *(f"flood water, \u2028 street {i}" for i in range(5)),
    *(f"goal, match {i}" for i in range(9)),
]


def test_upload_train_and_ranking_lead_to_one_another(
    url: str, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "seeds.txt").write_text("\n".join(SEEDS))
    rows = [json.dumps({"id": f"d{i}", "text": text}) for i, text in enumerate(PILE)]
    (tmp_path / "pile.ndjson.gz").write_bytes(gzip.compress("\n".join([*rows, "{}"]).encode()))
    to_project = ("--project", "the floods", "--url", url, "--label")

    seeds = seedbed("upload", str(tmp_path / "seeds.txt"), *to_project, "positives").stdout
    assert "New project the floods" in seeds
    assert "2 inserted" in seeds
    uploaded = seedbed("upload", str(tmp_path / "pile.ndjson.gz"), *to_project, "unlabeled")
    assert uploaded.returncode == 3
    pile = uploaded.stdout
    assert "New project" not in pile
    assert "14 inserted, 1 rejected" in pile
    assert "line 15: The row has no field 'text'." in pile
    assert f"Next: seedbed train --url {url} 'the floods'" in pile

    (tmp_path / "bad.ndjson").write_text("\n".join([rows[0], "{}", "[]"]))
    refused = seedbed("upload", str(tmp_path / "bad.ndjson"), *to_project, "unlabeled")
    assert refused.returncode == 3
    assert refused.stdout.endswith("mend the file, then upload it again.\n")
    assert "Next:" not in refused.stdout

    settings = (
        "--algorithm",
        "prototype",
        "--param",
        "quantile=0.1",
        "--vectorizer",
        "cjk=bigrams",
        "--cut",
        "budget:5",
    )
    train = seedbed("train", "the floods", *settings, "--url", url)
    assert "counting words done" in train.stderr
    assert "Warning" not in (folder / "service.log").read_text()
    first, *_, rounds, last = train.stdout.splitlines()
    assert rounds.endswith(f"seedbed next --url {url} 'the floods' --output round.csv")
    assert first.startswith("Model ")
    queued = httpx2.get(f"{url}/jobs", timeout=PATIENCE).json()["jobs"][0]
    assert queued["spec"]["cut"] == "budget:5"
    assert queued["spec"]["params"] == {"quantile": 0.1}
    assert queued["spec"]["vectorizer"]["cjk"] == "bigrams"
    job = queued["id"]
    assert seedbed("train", "--job", job, "--url", url).stdout.splitlines()[-1] == last
    next_command = last.removeprefix("Next: seedbed ").split()
    quiet = seedbed("train", "--job", job, "--quiet", "--url", url)
    assert quiet.stdout == f"{next_command[-1]}\n"
    assert not quiet.stderr

    shown = seedbed(*next_command, "--limit", "3", "--url", url).stdout
    assert "flood water" in shown
    assert "goal" not in shown
    output = tmp_path / "ranking.csv"
    written = seedbed(*next_command, "--output", str(output), "--limit", "5", "--url", url)
    assert written.stdout.startswith("5 documents in ")
    with output.open(newline="") as file:
        assert sorted(row["text"] for row in csv.DictReader(file)) == sorted(PILE[:5])

    last = seedbed(*next_command, "--last", "--limit", "9", "--url", url).stdout.splitlines()
    assert [line.split("\t")[0] for line in last] == [str(rank) for rank in range(16, 7, -1)]
    assert all("goal, match" in line for line in last)
    odd = tmp_path / "odd.ndjson"
    asked = ("--last", "--output", str(odd), "--limit", "9")
    seedbed(*next_command, *asked, "--url", url)
    assert [json.loads(line)["rank"] for line in odd.read_text().splitlines()] == list(
        range(16, 7, -1)
    )
    model_id = next_command[-1]
    of_project = seedbed("ranking", "the floods", "--limit", "3", "--url", url).stdout
    assert of_project == shown
    listed = seedbed("projects", "--url", url).stdout.splitlines()
    assert ["the", "floods", "2", "14", "0", "0", model_id] in [line.split() for line in listed]
    piped = seedbed("predict", model_id, "--url", url, stdin="flood\n\na goal\r\n").stdout
    told = [line.split("\t") for line in piped.splitlines()]
    assert [(line[0], line[3]) for line in told] == [("positive", "1"), ("negative", "3")]
    (tmp_path / "new.jsonl.gz").write_bytes(gzip.compress(b'{"id": "n", "text": "flood"}\n""\n'))
    asked = ("predict", "the floods", "--file", str(tmp_path / "new.jsonl.gz"), "--url", url)
    predicted = seedbed(*asked, "--format", "text")
    assert predicted.stdout.split("\t")[::3] == ["positive", "n\n"]
    assert predicted.stderr == "line 2: The text is empty.\n"
    some = seedbed("predict", "the floods", "", "flood", "--url", url)
    assert some.stdout.split("\t")[::3] == ["positive", "2\n"]
    assert (some.stderr, some.returncode) == ("text 1: The text is empty.\n", 3)
    none = seedbed("predict", "the floods", " ", "--url", url)
    assert (none.stdout, none.stderr) == ("", "text 1: The text is empty.\n")
    assert none.returncode == 3
    asked = ("predict", "the floods", "--stdin", "csv", "--text-column", "body", "--url", url)
    of_rows = seedbed(*asked, stdin="id,body\nn,flood\nm,\n,a goal\n")
    told = [line.split("\t") for line in of_rows.stdout.splitlines()]
    assert [(line[0], line[3]) for line in told] == [("positive", "n"), ("negative", "4")]
    assert (of_rows.stderr, of_rows.returncode) == ("line 3: The text is empty.\n", 0)
    of_blanks = seedbed(*asked, stdin="id,body\nn,flood\n" + 7 * "m,\n")
    places = "line 3, line 4, line 5, line 6, line 7 and 2 more"
    assert of_blanks.stderr == f"{places}: The text is empty.\n"
    (tmp_path / "new.json").write_text('["flood", ""]')
    of_list = seedbed("predict", "the floods", "--file", str(tmp_path / "new.json"), "--url", url)
    assert (of_list.stderr, of_list.returncode) == ("row 2: The text is empty.\n", 0)
    of_faults = seedbed(*asked, stdin="id,body\nn,flood\nm,a goal,9\n")
    assert of_faults.stdout.split("\t")[::3] == ["positive", "n\n"]
    assert of_faults.stderr.startswith("line 3: The row has 3 fields; the header has 2.")
    assert of_faults.returncode == 3

    (tmp_path / "new.csv").write_text("id,text\n=1,flood\nm,\nn,a goal\no,flood again\n")
    asked = ("predict", "the floods", "--file", str(tmp_path / "new.csv"), "--url", url)
    accepted = seedbed(*asked, "--accepted").stdout
    assert [line.split("\t")[3] for line in accepted.splitlines()] == ["=1", "o"]
    hits, all_of_it = tmp_path / "hits.csv", tmp_path / "all.ndjson"
    written_hits = seedbed(*asked, "--accepted", "--output", str(hits))
    assert written_hits.stdout == f"2 documents in {hits}\n"
    assert written_hits.stderr == "line 3: The text is empty.\n"
    with hits.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["text"], row["predicted"]) for row in rows] == [
        ("'=1", "flood", "true"),
        ("o", "flood again", "true"),
    ]
    seedbed(*asked, "--output", str(all_of_it))
    predictions = [json.loads(line) for line in all_of_it.read_text().splitlines()]
    assert [(row["id"], row["predicted"]) for row in predictions] == [
        ("=1", True),
        ("n", False),
        ("o", True),
    ]
    assert [row["text"] for row in predictions] == ["flood", "a goal", "flood again"]
    assert float(rows[0]["score"]) == predictions[0]["score"]
    for name, why in (("all.ndjson", "is there already"), ("all.txt", "End the name of the file")):
        refused = seedbed(*asked, "--output", str(tmp_path / name))
        assert why in refused.stderr

    assert "was trained: this" not in train.stderr
    again = seedbed("train", "the floods", *settings, "--url", url)
    assert f"since the model {model_id} was trained: this training should" in again.stderr
    other = seedbed("train", "the floods", *settings[:4], "--url", url)
    assert "was trained: this" not in other.stderr
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        newest = client.get("/models", params={"page_size": 2}).json()["models"]
        for model in newest:
            client.delete(f"/models/{model['id']}")

    (tmp_path / "late.txt").write_text("flood water, street 9")
    late = seedbed("upload", str(tmp_path / "late.txt"), *to_project, "unlabeled").stdout
    assert late.splitlines()[-2:] == [
        f"To score what came in with the newest model: seedbed ranking --url {url} 'the floods' "
        "--update",
        f"Next: seedbed train --url {url} 'the floods'",
    ]
    updated = seedbed(*next_command, "--update", "--limit", "6", "--url", url)
    assert "\nScored: 1; documents in the ranking: 17.\n" in updated.stderr
    assert "flood water, street 9" in updated.stdout
    again = seedbed("upload", str(tmp_path / "late.txt"), *to_project, "unlabeled").stdout
    assert "--update" not in again
    assert "Scored" not in updated.stdout

    refused = seedbed("train", "the floods", "--vectorizer", "min_fd=2", "--url", url)
    assert refused.returncode == 1
    assert "min_fd" in refused.stderr
    assert "min_df" in refused.stderr


def test_the_champion_answers_for_its_project_as_it_does_over_http(
    url: str, tmp_path: Path
) -> None:
    at, text = ("--url", url), "flood in the streets"
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "twice"}).json()["id"]
        path = f"/projects/{project_id}"
        client.post(f"{path}/positives", json={"documents": SEEDS})
        client.post(f"{path}/unlabeled", json={"documents": PILE})
        for algorithm in ("prototype", "pnb"):
            options = ("--algorithm", algorithm, "--class-prior", "0.3", "--no-calibrate")
            seedbed("train", "twice", *options, *at)
        newest, first = client.get("/models", params={"project_id": project_id}).json()["models"]
        spec = client.get(f"/jobs/{newest['job_id']}").json()["spec"]
        assert (spec["class_prior"], spec["calibrate"]) == (0.3, False)

        def of_project() -> tuple[str, float]:
            params = {"project_id": project_id, "text": text}
            told = client.get("/predict", params=params).json()
            return told["model_id"], told["predictions"][0]["score"]

        def of_shell() -> tuple[float, str]:
            ran = seedbed("predict", "twice", text, "--format", "ndjson", *at)
            return json.loads(ran.stdout)["score"], ran.stderr

        score, told = of_shell()
        assert (first["id"], score) == of_project()
        assert told.startswith(f"By the champion of the project, {first['id']}. There is a newer ")
        assert told.endswith(f"seedbed champion {newest['id']}\n")

        chosen = seedbed("champion", "twice", *at).stdout
        assert chosen == f"Model {newest['id']} answers for twice now.\n"
        assert of_shell() == (of_project()[1], "")
        assert of_project()[0] == newest["id"]

        client.delete(f"/models/{newest['id']}")
        orphan = seedbed("predict", "twice", text, *at)
        assert orphan.returncode == 1
        assert f"was deleted. `seedbed champion {first['id']}` lets" in orphan.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("train",), "Give either a project to train or, with --job, a training to show."),
        (("train", "--job", "0" * 32), "No job has the id"),
        (("train", "--job", "0" * 32, "--param", "a=1"), "are for a new training, without --job."),
        (("train", "--job", "0" * 32, "--cut", "own"), "are for a new training, without --job."),
        (("train", "--job", "0" * 32, "--no-calibrate"), "for a new training, without --job."),
        (("train", "floods", "--param", "alpha"), "--param alpha: give NAME=VALUE, such as"),
        (("train", "no such"), "There is no project 'no such'. `seedbed projects` lists"),
        (("train", "0" * 32), "No project has the id"),
        (("ranking", "no-such"), "No model has the id 'no-such', and no project that name."),
        (("predict", "no-such", "a text"), "no project that name. `seedbed projects` lists both."),
        (("ranking", "0" * 32), "No model has the id"),
        (("ranking", "no-such", "--update"), "No model has the id 'no-such'"),
        (("ranking", "no-such", "--output", "x.pdf"), "file in .csv, .ndjson or .ris."),
    ],
)
def test_refusals_are_one_line(url: str, words: tuple[str, ...], reason: str) -> None:
    finished = seedbed(*words, "--url", url)

    assert finished.returncode == 1
    assert reason in finished.stderr
    assert finished.stderr.count("\n") == 1


def test_a_project_that_cannot_be_trained_leads_to_what_it_lacks(url: str, tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text("water")
    seedbed("upload", str(file), "--project", "bare", "--label", "unlabeled", "--url", url)
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = existing_project(client, "bare")

    refused = seedbed("train", "bare", "--url", url)
    assert refused.stderr == (
        "The project has no positive document to learn from. Add some with "
        f"`seedbed upload FILE --project {project_id} --label positives`.\n"
    )
    unread = seedbed("next", "bare", "--url", url)
    assert unread.stderr.endswith("Train one with `seedbed train bare` and wait for its job.\n")
    empty = seedbed("ranking", "bare", "--url", url)
    assert empty.stderr == (
        f"The project 'bare' has no model yet. Next: seedbed train --url {url} bare\n"
    )


def test_a_model_is_tested_on_labeled_documents(url: str, tmp_path: Path) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "tested"}).json()["id"]
        for label, texts in (("positives", SEEDS), ("unlabeled", PILE)):
            client.post(f"/projects/{project_id}/{label}", json={"documents": texts})
    seedbed("train", "tested", "--algorithm", "prototype", "--url", url)
    file = tmp_path / "labeled.csv"
    file.write_text("body,label\nwater after the flood,positive\na late goal,negative\nwhat,\n")

    told = seedbed("test", "tested", str(file), "--text-column", "body", "--url", url)
    assert told.returncode == 3
    model, first, second, third, *rest = told.stdout.splitlines()
    assert model.startswith("By prototype, trained ")
    assert first.startswith("1 positive and 1 negative documents; from the cut ")
    # Of one document and of two, by Clopper and Pearson.
    assert second == "At the cut: precision 1.00 (0.03 to 1.00), recall 1.00 (0.03 to 1.00)."
    assert third.startswith(
        "Besides: f1 1.00, accuracy 1.00 (0.16 to 1.00), average precision 1.00"
    )
    assert any("line 4" in line and "no label" in line for line in rest)

    trained = seedbed("train", "tested", "--algorithm", "pnb", "--no-calibrate", "--url", url)
    model_id = trained.stdout.split()[1]
    assert f"tested LABELED.csv --against {model_id}\n" in trained.stdout
    file.write_text("text,label\na late goal,negative\n")
    told = seedbed("test", "tested", str(file), "--url", url)
    assert told.stdout.startswith("By prototype, trained ")
    assert told.stderr.startswith("By the champion of the project, ")
    assert (told.returncode, "recall unknown (no positives)" in told.stdout) == (0, True)
    file.write_text("body,label\nwater after the flood,positive\na late goal,negative\nwhat,\n")
    asked = ("test", "tested", str(file), "--text-column", "body", "--url", url)
    told = seedbed(*asked, "--against", "tested")
    assert told.returncode == 3
    heads = [line for line in told.stdout.splitlines() if line.startswith("By ")]
    assert [head.split(",")[0] for head in heads] == ["By prototype", "By pnb"]
    assert re.search(r"Both models decide all 2 |They decide \d of 2 ", told.stdout)
    rows = [["text", "label"], ["water after the flood", "positive"], ["a late goal", "negative"]]
    (tmp_path / "labeled.xlsx").write_bytes(bytes_of(workbook(*rows)))
    asked_of_sheet = ("test", "tested", str(tmp_path / "labeled.xlsx"), "--url", url)
    told = seedbed(*asked_of_sheet, "--against", "tested")
    assert re.search(r"Both models decide all 2 |They decide \d of 2 ", told.stdout)
    champion = httpx2.get(f"{url}/projects/{project_id}", timeout=PATIENCE).json()["champion_id"]
    same = seedbed(*asked, "--against", champion)
    assert same.stderr.endswith(f"Both are the model {champion}: name another one.\n")
    (tmp_path / "labeled.txt").write_text("a text\n")
    lines = seedbed("test", "tested", str(tmp_path / "labeled.txt"), "--url", url)
    assert lines.returncode == 1
    assert "has no labels" in lines.stderr


def test_texts_without_a_vector_are_told_of_a_model_that_learned_from_vectors(
    url: str, tmp_path: Path
) -> None:
    file = tmp_path / "with.ndjson"
    for label, texts in (("positives", SEEDS), ("unlabeled", PILE)):
        rows = [{"text": text, "vector": [1.0, i]} for i, text in enumerate(texts)]
        file.write_text("\n".join(map(json.dumps, rows)))
        seedbed("upload", str(file), "--project", "embedded", "--label", label, "--url", url)
    seedbed("train", "embedded", "--algorithm", "prototype", "--no-calibrate", "--url", url)
    assert NO_VECTORS in seedbed("predict", "embedded", "a flood", "--url", url).stderr
    assert not seedbed("predict", "embedded", "--file", str(file), "--url", url).stderr


def test_a_name_that_is_nearly_one_is_told(url: str) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        client.post("/projects", json={"name": "burst pipes"})
    told = seedbed("train", "burst pipe", "--url", url).stderr
    assert told.startswith("There is no project 'burst pipe'. Did you mean 'burst pipes'?")


def test_names_are_printed_as_they_are(url: str, tmp_path: Path) -> None:
    project, file = "[flood] :fire: a[/b]", tmp_path / "[flood] a.txt"
    file.write_text("\n".join(SEEDS))
    uploaded = seedbed(
        "upload", str(file), "--project", project, "--label", "unlabeled", "--url", url
    )

    assert f"New project {project} (" in uploaded.stdout
    command = f"upload --url {url} EXAMPLES --project '{project}' --label positives"
    assert f"Next: seedbed {command}" in uploaded.stdout


def test_a_training_that_is_left_alone_is_found_again(url: str) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "left alone"}).json()["id"]
        for label, texts in (("positives", SEEDS), ("unlabeled", PILE)):
            client.post(f"/projects/{project_id}/{label}", json={"documents": texts})

    left = seedbed("train", project_id, "--algorithm", "prototype", "--no-follow", "--url", url)

    *_, command = left.stdout.splitlines()
    assert command.startswith(f"Next: seedbed train --url {url} --job ")
    shown = seedbed(*command.removeprefix("Next: seedbed ").split()).stdout
    assert "Model " in shown


def test_a_new_project_has_the_language_that_is_asked_for(url: str, tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text("\n")
    words = ("upload", str(file), "--project", "Hochwasser", "--label", "positives", "--url", url)

    refused = seedbed(*words, "--language", "klingon")
    assert refused.returncode == 1
    assert "'german'" in refused.stderr
    empty = seedbed(*words)
    assert (empty.returncode, empty.stdout) == (1, "")
    assert empty.stderr == "There are no documents in seeds.txt.\n"
    assert "Hochwasser" not in httpx2.get(f"{url}/projects", timeout=PATIENCE).text
    file.write_text("der Fluss")
    assert seedbed(*words, "--language", "german").returncode == 0
    assert seedbed(*words, "--language", "de").returncode == 0
    told = httpx2.get(f"{url}/projects", timeout=PATIENCE).json()["projects"]
    assert [p["language"] for p in told if p["name"] == "Hochwasser"] == ["german"]
    other = seedbed(*words, "--language", "dutch")
    assert other.stderr == (
        "The language of the project is german: leave out --language, or change it with "
        f"`seedbed change --url {url} Hochwasser --language dutch`. Nothing was uploaded.\n"
    )


def test_a_project_gets_another_language_and_name(url: str) -> None:
    at = ("--url", url)
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "Flut"}).json()["id"]
        for label, texts in (("positives", SEEDS), ("unlabeled", PILE)):
            client.post(f"/projects/{project_id}/{label}", json={"documents": texts})
    named = seedbed("change", "Flut", "--name", "Flut 2", *at)
    assert named.stdout == "Project Flut 2, language english.\n"
    assert seedbed("change", "Flut 2", "--language", "de", *at).stdout == (
        "Project Flut 2, language german.\n"
    )
    seedbed("train", "Flut 2", "--algorithm", "prototype", "--no-calibrate", *at)
    assert seedbed("change", "Flut 2", "--language", "other", *at).stdout == (
        "Project Flut 2, language other.\n"
        "Its models were trained with the old language: train a new one.\n"
        f"Next: seedbed train --url {url} 'Flut 2'\n"
    )
    httpx2.post(f"{url}/projects", json={"name": "Flut 3"}, timeout=PATIENCE)
    both = seedbed("change", "Flut 2", "--name", "Flut 3", "--language", "de", *at).stdout
    assert f"commands take neither of them by it. Name this one by its id, {project_id}," in both
    assert both.endswith(f"Next: seedbed train --url {url} {project_id}\n")
    back = seedbed("change", project_id, "--name", "Flut 2", *at)
    assert back.stdout == "Project Flut 2, language german.\n"

    for words, reason in [
        ((), "Say what is to change, with --language or --name.\n"),
        (("--name", "a\tb"), "The name of the project: "),
        (("--language", "klingon"), "--language: "),
    ]:
        refused = seedbed("change", "Flut 2", *words, *at)
        assert (refused.returncode, refused.stderr.startswith(reason)) == (1, True)


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.csv", "sep=;\nNr; A;Text\n7;Flüsse;Dämme".encode("latin-1"), "semicolon latin-1"),
        ("a.csv", b"Nr;A;Text\n7;Fl\xc3\xbcsse;D\xc3\xa4mme", "; utf-8"),
        ("a.TSV", "Nr\tA\tText\r\n7\tFlüsse\tDämme".encode("utf-16"), "utf-16"),
    ],
    ids=["csv", "sign", "tsv"],
)
def test_exports_of_spreadsheets_are_read(
    url: str, tmp_path: Path, name: str, content: bytes, options: str
) -> None:
    *delimiter, charset = options.split()
    file = tmp_path / name
    file.write_bytes(content)
    options = ["--label", "unlabeled", "--id-column", "Nr", "--encoding", charset]
    texts = ["--text-column", "A", "--text-column", "Text"]
    options += ["--delimiter", *delimiter] if delimiter else []
    project_name = f"{name} {charset}"
    seedbed("upload", str(file), "--project", project_name, *texts, *options, "--url", url)

    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project = existing_project(client, project_name)
        (document,) = client.get(f"/projects/{project}/documents").json()["documents"]
    assert (document["id"], document["text"]) == ("7", "Flüsse\nDämme")


def test_references_of_two_databases_are_joined_by_their_doi(url: str, tmp_path: Path) -> None:
    of_pubmed = "PMID- 7\nTI  - Floods in towns.\nAID - 10.5555/A [doi]\nAU  - Oda K\n"
    of_scopus = "TY  - JOUR\nTI  - Floods in towns\nAB  - Water.\nDO  - 10.5555/a\nER  - \n"
    options = ("--project", "floods review", "--label", "unlabeled", "--id-column", "doi")
    for name, content in (("pubmed.nbib", of_pubmed), ("scopus.ris", of_scopus)):
        (tmp_path / name).write_text(content)
        uploaded = seedbed("upload", str(tmp_path / name), *options, "--url", url)
        assert uploaded.returncode == 0, uploaded.stderr
    assert "1 document in " in uploaded.stdout
    assert "1 replaced" in uploaded.stdout

    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project = existing_project(client, "floods review")
        (document,) = client.get(f"/projects/{project}/documents").json()["documents"]
    assert (document["id"], document["text"]) == ("10.5555/a", "Floods in towns\nWater.")

    untested = seedbed("test", "floods review", str(tmp_path / "scopus.ris"), "--url", url)
    assert untested.stderr.startswith("scopus.ris has no labels, and a test needs that of each")
    assert ".xlsx, .parquet" in untested.stderr


def test_a_pipe_is_uploaded_as_a_file_is(url: str) -> None:
    words = ("upload", "-", "--project", "piped", "--label", "unlabeled", "--url", url)
    rows = "key;text\n7;Dämme\n8;Flüsse\n"
    options = ("--delimiter", ";", "--id-column", "key")
    uploaded = seedbed(*words, "--stdin", "csv", *options, stdin=rows)
    assert (uploaded.returncode, uploaded.stderr) == (0, "")
    assert "2 documents in " in uploaded.stdout

    refused = seedbed(*words, stdin=rows)
    assert refused.stderr.startswith("Say what standard input holds: --stdin csv")
    assert all(form in refused.stderr for form in get_args(Piped))

    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project = existing_project(client, "piped")
        documents = client.get(f"/projects/{project}/documents").json()["documents"]
    assert {document["id"]: document["text"] for document in documents} == {
        "7": "Dämme",
        "8": "Flüsse",
    }


def test_a_pile_that_is_uploaded_as_positives_is_told(url: str, tmp_path: Path) -> None:
    file = tmp_path / "pile.txt"
    file.write_text("\n".join(PILE))
    words = ("upload", str(file), "--project", "slip", "--url", url, "--label")
    assert "positive" not in seedbed(*words, "unlabeled").stdout.partition("Next:")[0]
    told = f"  {len(PILE)} documents that were not positive are positive now; a file with their ids"
    assert told in seedbed(*words, "positives").stdout


def test_a_file_tells_its_format_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "pile.csv"
    file.write_text("text\na")
    words = ("upload", str(file), "--project", "x", "--label", "unlabeled", "--stdin", "csv")
    assert "--stdin is for -, standard input" in seedbed(*words).stderr


def test_what_is_no_delimiter_leads_to_those_there_are(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("text\na")
    words = ("upload", str(file), "--project", "x", "--label", "positives", "--delimiter")
    refused = seedbed(*words, ":")
    assert refused.returncode == 2
    assert "':' separates no columns; give one of comma (','), semicolon (';')" in refused.stderr


def test_another_text_for_a_known_id_is_refused_where_that_is_asked_for(
    url: str, tmp_path: Path
) -> None:
    file = tmp_path / "twins.csv"
    file.write_text("id,text\n1,a flood\n1,a goal\n")
    words = ("upload", str(file), "--label", "unlabeled", "--url", url, "--project")
    assert "or add --on-conflict error to refuse such rows." in seedbed(*words, "twins").stdout
    refused = seedbed(*words, "other twins", "--on-conflict", "error")
    assert refused.returncode == 3
    assert "  line 3: There is a document with this id and another text." in refused.stdout


@pytest.mark.parametrize(
    ("name", "columns", "charset", "reason"),
    [
        ("a.txt", {"text_column": ["a"]}, "utf-8", "not for .txt.* the file name ends in .nbib"),
        ("a.ndjson", {"delimiter": "tab"}, "utf-8", "for .csv and .tsv"),
        ("a.txt.gz", {}, "latin-1", "unpack it first"),
        ("a.txt", {}, "ascii", "The texts are not in ascii. Name their encoding: "),
    ],
)
def test_what_does_not_fit_the_file_is_refused(
    url: str, tmp_path: Path, name: str, columns: dict[str, str | None], charset: str, reason: str
) -> None:
    (tmp_path / name).write_text("Dämme")
    with pytest.raises(ServiceFailed, match=reason):
        upload_command.run(
            url,
            [tmp_path / name],
            project="odd",
            label="positives",
            language=None,
            columns=columns,
            charset=charset,
        )


def test_several_files_come_in_until_one_fails(url: str, tmp_path: Path) -> None:
    texts = {"a.txt": "a flood\n", "b.csv": "id,note\n1,goal\n", "c.txt": "a goal\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    to_project = ("--project", "several", "--label", "unlabeled", "--url", url)

    broken = seedbed("upload", *(str(tmp_path / name) for name in texts), *to_project)
    assert broken.returncode == 1
    assert "a.txt:\n1 document in " in broken.stdout
    assert "c.txt" not in broken.stdout
    assert "b.csv: The CSV has no column 'text'" in broken.stderr
    assert "Files before it came in." in broken.stderr

    zipped, unknown = tmp_path / "a.zip", tmp_path / "a.docx"
    for file, why in ((zipped, "a.zip is a zip file: unpack it"), (unknown, "does not tell a")):
        file.write_text("")
        told = seedbed("upload", str(tmp_path / "c.txt"), str(file), *to_project)
        assert (told.returncode, told.stdout) == (1, "")
        assert why in told.stderr

    both = seedbed("upload", str(tmp_path / "a.txt"), str(tmp_path / "c.txt"), *to_project).stdout
    assert "a.txt:\n1 document in " in both
    assert "c.txt:\n1 document in " in both


def test_of_a_folder_each_text_is_a_document(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "B 2.TXT").write_text("\ufeffa flood\n\nin two paragraphs")
    (folder / "a1.txt").write_text("Dämme", encoding="cp1252")
    (folder / "notes.doc").write_text("none")
    to_project = ("--project", "letters", "--label", "unlabeled", "--url", url)

    wrong = seedbed("upload", str(folder), *to_project)
    assert "a1.txt is not in UTF-8. Name the encoding of the texts: --enc" in wrong.stderr
    (folder / "a1.txt").write_text("Dämme")
    assert "2 inserted" in seedbed("upload", str(folder), *to_project).stdout
    again = seedbed("upload", str(folder), *to_project)
    assert "2 unchanged" in again.stdout
    assert again.stderr == f"Warning: what is no .txt is left out of {folder}: notes.doc.\n"
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        found = client.get(f"/projects/{existing_project(client, 'letters')}/documents").json()
    texts = {document["id"]: document["text"] for document in found["documents"]}
    assert texts == {"B 2": "a flood\n\nin two paragraphs", "a1": "Dämme"}

    assert (
        "are not for folders"
        in seedbed("upload", str(folder), *to_project, "--id-column", "a").stderr
    )
    (folder / "c.txt").write_text(" ")
    assert "\n  c.txt: The text is empty.\n" in seedbed("upload", str(folder), *to_project).stdout

    (tmp_path / "empty").mkdir()
    empty = seedbed("upload", str(tmp_path / "empty"), *to_project)
    assert "There is no .txt in " in empty.stderr


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("a flood\na goal\nrain\n\n", False),
        ("flood, heavy rain", False),
        ("", False),
        ("\n".join(["a goal"] * 30 + ["", "a flood"]), False),
        # References, which an upload refuses with what to do.
        ("TY  - JOUR\nTI  - Flood\nER  - \n\nTY  - JOUR\n", False),
        ("@article{flood,\n title={Flood}\n}\n\n", False),
        ("Dear Sir,\n\nthe river rises.\nYours\n", True),
        ("A heading\n\nThe river burst its\nbanks. It rained\nall day.\n\nThen the sun\n", True),
    ],
)
def test_a_text_of_paragraphs_is_warned_of(tmp_path: Path, text: str, is_one: bool) -> None:
    for charset in ("utf-8", "utf-16"):
        (tmp_path / "a.txt").write_text(text, encoding=charset)
        warning = one_text_warning(tmp_path / "a.txt", charset)
        assert (warning is not None) == is_one


def test_a_named_pipe_is_not_opened_before_it_is_uploaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pile.txt")
    monkeypatch.setattr(Path, "open", pytest.fail)
    assert one_text_warning(tmp_path / "pile.txt", "utf-8") is None


def test_the_warning_of_a_text_of_paragraphs_comes_with_the_upload(
    url: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Dear Sir,\n\nthe river rises.")
    words = ("upload", str(tmp_path / "a.txt"), "--project", "one letter", "--url", url)
    told = seedbed(*words, "--label", "unlabeled")
    assert "each .txt of a folder is a document" in told.stderr
    assert "2 inserted" in told.stdout


def test_a_charset_is_refused_where_the_file_begins_with_the_mark_of_utf_8() -> None:
    mark = codecs.BOM_UTF8
    with pytest.raises(ServiceFailed, match="so it is not in cp1252: leave out --encoding"):
        document_file.recoded(iter([mark + b"a"]), "cp1252")
    for charset in ("utf-8", "utf-8-sig"):
        told = document_file.recoded(iter([mark, b"a", b"b"]), charset)
        assert b"".join(told).removeprefix(mark) == b"ab"
    assert b"".join(document_file.recoded(iter([]), "cp1252")) == b""


def test_a_file_that_ends_too_early_tells_once_what_was_kept(url: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('["one text", "two text"')
    with pytest.raises(ServiceFailed) as failure:
        upload_command.run(
            url,
            [file],
            project="broken",
            label="unlabeled",
            language=None,
            columns={},
            charset="utf-8",
        )
    assert str(failure.value).count(" kept") == 1


def test_the_bar_shows_the_name_of_a_file_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "[flood] a.txt"
    file.write_text("water\n")
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=200)
    rows = RowCount({"content-type": "text/plain"})
    with upload_command.opened(file, console, rows) as stream:
        list(rows.counted(iter([stream.read()])))

    assert "[flood] a.txt" in screen.getvalue()
    assert "documents/s" in screen.getvalue()


def test_who_stops_an_upload_is_told_what_becomes_of_it(tmp_path: Path) -> None:
    file, screen = tmp_path / "pile.txt", io.StringIO()
    file.write_text("water\n")
    rows = RowCount({"content-type": "text/plain"})
    console = Console(file=screen, width=200)

    with pytest.raises(KeyboardInterrupt), upload_command.opened(file, console, rows):
        raise KeyboardInterrupt

    assert screen.getvalue() == (
        "Stopped. Run the command again: what was accepted is kept, and nothing is added twice.\n"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("upload", "{file}", "--project", "\udcff", "--label", "unlabeled"),
        ("upload", "{file}", "--project", "odd", "--label", "unlabeled", "--text-column", "\udcff"),
        ("train", "odd", "--algorithm", "\udcff"),
        ("change", "odd", "--name", "\udcff"),
    ],
)
def test_arguments_in_another_encoding_are_told(
    url: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    file = tmp_path / "pile.csv"
    file.write_text("id,text\n1,water\n")
    to_project = ("--project", "odd", "--label", "unlabeled", "--url", url)
    assert seedbed("upload", str(file), *to_project).returncode == 0

    finished = seedbed(*(word.format(file=file) for word in words), "--url", url)

    assert finished.returncode == 1
    assert finished.stderr == "What was typed is not in UTF-8: type it again in UTF-8.\n"


def test_a_service_that_is_not_there_is_told() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    finished = seedbed("train", "x", "--url", url)

    assert finished.returncode == 1
    assert f"Nothing answers at {url}. Start the service with `seedbed serve`" in finished.stderr
    assert finished.stderr.endswith("if it was started just now, wait some seconds.\n")


@pytest.mark.parametrize(
    ("name", "headers"),
    [
        ("a.b.CSV", {"content-type": "text/csv"}),
        ("Pile.xlsx", {"content-type": XLSX}),
        ("pile.parquet.zst", {"content-type": PARQUET, "content-encoding": "zstd"}),
        ("found.RIS.gz", {"content-type": RIS, "content-encoding": "gzip"}),
        ("pubmed.nbib", {"content-type": NBIB}),
        ("a.jsonl.zst", {"content-type": "application/x-ndjson", "content-encoding": "zstd"}),
    ],
)
def test_names_of_files_tell_the_format(name: str, headers: dict[str, str]) -> None:
    assert document_file.headers_of(Path(name)) == headers


@pytest.mark.parametrize(
    ("name", "is_tsv"),
    [
        ("a.TSV", True),
        ("a.csv.tsv.gz", True),
        ("a.tsv.csv", False),
        ("a.tsv.ndjson", False),
        ("a.tsv.csv.zst", False),
    ],
)
def test_tabs_part_the_columns_of_what_ends_in_tsv(name: str, is_tsv: bool) -> None:
    params = document_file.row_params(Path(name), document_file.headers_of(Path(name)), {})
    assert params.get("delimiter") == ("tab" if is_tsv else None)


@pytest.mark.parametrize("name", ["pile", "pile.gz", "pile.xls", "references.bib", "a.log"])
def test_a_name_without_a_format_is_refused(name: str) -> None:
    expected = r"does not tell a format.* as .xlsx or CSV.* as RIS.* a document a line, .* as .txt"
    with pytest.raises(ServiceFailed, match=expected):
        document_file.headers_of(Path(name))


def test_only_what_is_known_of_the_pace_is_told() -> None:
    names = ("documents_per_second", "stage_seconds_left", "seconds_left")
    pace: dict[str, float | None] = {"stage_progress": 0.1, **dict.fromkeys(names)}
    assert pace_in_words(None) == pace_in_words(pace) == ""
    pace |= {"stage_seconds_left": 80.2, "seconds_left": 900}
    assert pace_in_words(pace) == "1:20 left in step"
    pace |= {"documents_per_second": 51_000.4}
    assert pace_in_words(pace) == "51,000 documents/s, 1:20 left in step"


def test_no_time_at_all_is_outside_the_range_that_is_told() -> None:
    refused = seedbed("train", "floods", "--time-budget", "0")
    assert refused.returncode == 2
    assert "should be greater than or equal to 0.1" in refused.stderr
