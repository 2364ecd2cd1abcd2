"""A review from the shell: next, judge, review, delete, against the real service."""

import csv
import re
from pathlib import Path

import httpx2
import pytest

from app.commands.client import existing_project
from app.commands.label_file import as_labels, read_lines
from app.commands.next_steps import READ_THE_END
from app.commands.review import ASSUMED, READ_FROM_THE_TOP
from tests.app.processes import PATIENCE
from tests.app.seedbed_command import seedbed

#: Texts of the same words are copies, of which one is given.
TREES = ["Ahorn", "Birke", "Eiche", "Linde", "Ulme"]


@pytest.fixture(scope="module")
def project(url: str) -> str:
    """Return the name of a project with a model."""
    name = "a review"
    texts = {
        "positives": ["the river burst its banks", "water in the streets"],
        "unlabeled": [f"flood water, Straße {tree}" for tree in TREES]
        + [f"a goal, match {i}" for i in range(9)],
    }
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": name}).json()["id"]
        for label, documents in texts.items():
            client.post(f"/projects/{project_id}/{label}", json={"documents": documents})
    seedbed("train", name, "--algorithm", "prototype", "--url", url)
    return name


def test_a_review_without_a_model_leads_to_one(url: str) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "no model"}).json()["id"]
        for label in ("positives", "unlabeled"):
            client.post(f"/projects/{project_id}/{label}", json={"documents": [label]})

    told = seedbed("review", "no model", "--url", url).stdout

    assert told.endswith(f"Next: seedbed train --url {url} 'no model'\n")


def test_a_review_counts_examples_that_were_set_aside(url: str, tmp_path: Path) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "set aside"}).json()["id"]
        given = [{"id": name, "text": name} for name in ("flood", "goal")]
        client.post(f"/projects/{project_id}/positives", json={"documents": given})
        client.post(f"/projects/{project_id}/unlabeled", json={"documents": ["a river"]})
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("id,label\ngoal,negative\n")
    seedbed("judge", "set aside", str(wrong), "--url", url)

    told = seedbed("review", "set aside", "--url", url).stdout

    assert "Positives given at the start: 1 (1 more set aside since)." in told


def test_a_round_is_read_judged_and_told(url: str, project: str, tmp_path: Path) -> None:
    at = ("--url", url)
    nothing = seedbed("review", project, *at).stdout
    assert (
        "0 judged: 0 positive, 0 negative, 0 unsure; 14 left. Positives given at the start: 2."
        in nothing
    )
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = existing_project(client, project)
        expected = client.get(f"/projects/{project_id}/review").json()["by_seeds"]
    told = "{value:.0f} ({low:.0f} to {high:.0f})".format(**expected)
    assert f"\nPositives that remain, by those given at the start alone: {told}.\n" in nothing
    assert f"Next: seedbed next --url {url} 'a review' --output round.csv" in nothing
    by_environment = seedbed("review", project, SEEDBED_URL=f"{url}/").stdout
    assert "Next: seedbed next 'a review' --output round.csv" in by_environment

    shown = seedbed("next", project, "-n", "3", "--strategy", "relevance", *at)
    assert [line.count("flood water, Straße") for line in shown.stdout.splitlines()] == [1] * 3
    which, following = shown.stderr.splitlines()
    assert re.fullmatch(r"By \w+, trained [\d-]{10} [\d:]{5}: model [0-9a-f]{32}\.", which)
    # What it asks for next are the same documents.
    asked = "-n 3 --strategy relevance --output round.csv"
    assert following == f"Next: seedbed next --url {url} 'a review' {asked}"
    unknown = seedbed("next", project, "--model", "0" * 32, *at)
    assert (unknown.returncode, "No model has the id" in unknown.stderr) == (1, True)
    file = tmp_path / "round.csv"
    written = seedbed("next", project, "-n", "9", "--output", str(file), *at).stdout
    assert "\n9 documents in " in written
    assert f"Next: seedbed judge --url {url} 'a review' {file}" in written

    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["label"] for row in rows} == {""}
    for row in rows[:8]:
        row["label"] = "positive" if "flood" in row["text"] else "negative"
    # A spreadsheet sorted it by the label.
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: row["label"]))
    n_found = sum(row["label"] == "positive" for row in rows)
    unsent = seedbed("next", project, "--output", str(file), *at)
    assert unsent.returncode == 1
    assert f"Send them with `seedbed judge 'a review' {file}`, or take another" in unsent.stderr

    judged = seedbed("judge", project, str(file), *at).stdout
    assert f"{n_found} positive, {8 - n_found} negative; 8 changed. " in judged
    assert "Rows without a label: 1." in judged
    assert f"Next: seedbed train --url {url} 'a review'" in judged

    back = tmp_path / "back.csv"
    back.write_text(f"id,label\n{rows[0]['id']},unlabeled\n")
    assert "1 unlabeled; 1 changed." in seedbed("judge", project, str(back), *at).stdout
    # Its label was taken back on purpose.
    assert seedbed("next", project, "--output", str(back), *at).returncode == 0
    assert "1 changed." in seedbed("judge", project, str(file), *at).stdout

    told = seedbed("review", project, *at).stdout
    read = f"8 judged: {n_found} positive, {8 - n_found} negative, 0 unsure; 6 left."
    assert read in told
    interval = r"\d+ \(\d+ to \d+\)"
    assert re.search(
        rf"\nPositives that remain: {interval}, of two sources of which the surer counts more: the "
        rf"order of the judgements alone says {interval}, the positives given at the start "
        rf"{interval}\. Recall: ",
        told,
    )
    assert "Suggestion: " in told
    assert re.search(r" Stop after \d more in a row of which none is positive\.\n", told)
    assert "\nAssumed: Documents were judged in about the order of a ranking, so " in told
    assert seedbed("next", project, *at).stderr.startswith("Labels changed since the model")

    trained = seedbed("train", project, "--algorithm", "prototype", *at).stdout
    assert trained.endswith(f"Next: seedbed next --url {url} 'a review' --output round.csv\n")
    later = seedbed("review", project, *at).stdout
    assert f"\n{ASSUMED}\n" in later
    assert "Assumed: " not in later
    again = seedbed("next", project, "-n", "2", "--output", str(file), *at).stdout
    assert f"2 documents in {tmp_path / 'round-2.csv'}" in again
    assert f"Next: seedbed judge --url {url} 'a review' {tmp_path / 'round-2.csv'}" in again
    found = read_lines(file)
    assert as_labels(found.lines) == [{"id": r["id"], "label": r["label"]} for r in rows[:8]]
    assert found.n_blank == 1
    # A round without labels is not begun.
    once_more = seedbed("next", project, "-n", "3", "--output", str(file), *at).stdout
    assert f"3 documents in {tmp_path / 'round-2.csv'}" in once_more


def test_where_nothing_was_found_the_review_tells_what_may_be_left(url: str) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = add_small_project(client, "none yet")
        seedbed("train", "none yet", "--algorithm", "prototype", "--url", url)
        pile = client.get(f"/projects/{project_id}/documents?label=unlabeled").json()["documents"]
        labels = [{"id": pile[0]["id"], "label": "negative"}]
        client.put(f"/projects/{project_id}/labels", json=labels)
    told = seedbed("review", "none yet", "--url", url).stdout
    assert re.search(r"\nPositives that remain: \d+ \(\d+ to \d+\)", told)
    assert "The judged document is not positive, so there is no recall." in told
    assert "\nAssumed: Documents were judged in about the order of a ranking, so " in told


def test_without_a_pile_the_review_tells_how_to_add_one(url: str) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "seeds alone"}).json()["id"]
        client.post(f"/projects/{project_id}/positives", json={"documents": ["flood"]})
    told = seedbed("review", "seeds alone", "--url", url).stdout
    assert "no document to read yet" in told
    assert f"`seedbed upload FILE --project {project_id} --label unlabeled`" in told


def test_judgements_that_cannot_be_kept_change_nothing(
    url: str, project: str, tmp_path: Path
) -> None:
    file = tmp_path / "round.csv"
    file.write_text("id,label\n2.6E+17,positive\n")
    unknown = seedbed("judge", project, str(file), "--url", url)
    assert unknown.returncode == 1
    assert "There is no document '2.6E+17'. Nothing was changed." in unknown.stderr
    assert "Did a spreadsheet change ids? See line 2.\n" in unknown.stderr
    file.write_text("id,label\n,positive\n")
    nameless = seedbed("judge", project, str(file), "--url", url)
    assert nameless.stderr.startswith("Line 2 of round.csv has a label and no id.")
    file.write_text("id,label\n1,\n")
    empty = seedbed("judge", project, str(file), "--url", url)
    assert empty.stderr.startswith("No row of round.csv has a label: write positive")
    odd = seedbed("next", project, "--output", str(tmp_path / "round.xlsx"), "--url", url)
    assert odd.stderr == "End the name of the file in .csv.\n"


def test_labels_by_dois_as_other_programs_write_them_are_those_of_references(
    url: str, tmp_path: Path
) -> None:
    pile, file = tmp_path / "pile.ris", tmp_path / "asreview.csv"
    dois = [f"10.5555/S{i}" for i in range(150)]  # more than one answer names
    pile.write_text("".join(f"TY  - JOUR\nTI  - {d}\nDO  - {d}\nER  - \n" for d in dois))
    options = ("--project", "by dois", "--label", "unlabeled", "--id-column", "doi", "--url", url)
    assert seedbed("upload", str(pile), *options).returncode == 0
    judge = ("judge", "by dois", str(file), "--id-column", "doi", "--label-column", "included")
    rows = [f"https://doi.org/{doi},0" for doi in dois[1:]]

    file.write_text("\n".join(["doi,included", f"{dois[0].lower()},1", *rows, f"{dois[1]},0"]))
    judged = seedbed(*judge, "--url", url)
    assert (judged.returncode, judged.stderr) == (0, "")
    assert "150 changed" in judged.stdout
    review = seedbed("review", "by dois", "--url", url).stdout
    assert "150 judged: 1 positive, 149 negative, 0 unsure" in review

    unknown = {
        f"{dois[1]},1\n{dois[1].lower()},0": "'10.5555/S1'. Nothing was changed.",
        f"{dois[1]},1\nother,0": "There is no document 'other'.",
    }
    for lines, told in unknown.items():
        file.write_text(f"doi,included\n{lines}\n")
        refused = seedbed(*judge, "--url", url)
        assert refused.returncode == 1
        assert told in refused.stderr
    assert refused.stderr.endswith("See line 3.\n")


def test_labels_by_addresses_of_dois_are_those_of_a_spreadsheet(url: str, tmp_path: Path) -> None:
    pile, file = tmp_path / "pile.csv", tmp_path / "labels.csv"
    pile.write_text("DOI,text\n10.5555/S1,flood\n10.5555/s1,goal\n")
    options = ("--project", "dois of a table", "--label", "unlabeled", "--id-column", "DOI")
    assert seedbed("upload", str(pile), *options, "--url", url).returncode == 0
    file.write_text("id,label\nhttps://doi.org/10.5555/S1,positive\n")

    judged = seedbed("judge", "dois of a table", str(file), "--url", url)

    assert (judged.returncode, judged.stderr) == (0, "")
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project = existing_project(client, "dois of a table")
        params = {"label": "positive"}
        found = client.get(f"/projects/{project}/documents", params=params).json()["documents"]
    assert [document["text"] for document in found] == ["flood"]


def test_a_project_is_deleted_once_that_is_confirmed(url: str) -> None:
    for name in ("old", "old pipes"):
        httpx2.post(f"{url}/projects", json={"name": name}, timeout=PATIENCE)
    kept = seedbed("delete", "old", "--url", url, stdin="n\n")
    assert kept.returncode == 1
    assert "Delete old, its 0 documents" in kept.stdout
    assert seedbed("delete", "old", "--yes", "--url", url).stdout == "Deleted old.\n"
    gone = seedbed("delete", "old", "--yes", "--url", url)
    assert gone.stderr.startswith("There is no project 'old'. ")
    nearly = seedbed("delete", "old pipe", "--yes", "--url", url)
    assert nearly.stderr.startswith("There is no project 'old pipe'. Did you mean 'old pipes'?")


def test_documents_that_came_in_since_are_told(url: str, tmp_path: Path) -> None:
    at, name = ("--url", url), "late ones"
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": name}).json()["id"]
        texts = {"positives": ["the river rose"], "unlabeled": ["the river fell", "a goal"]}
        for label, documents in texts.items():
            client.post(f"/projects/{project_id}/{label}", json={"documents": documents})
        seedbed("train", name, "--algorithm", "prototype", *at)
        decisions = [
            {"id": document["id"], "label": "positive"}
            for document in client.get(f"/projects/{project_id}/next").json()["documents"]
        ]
        client.put(f"/projects/{project_id}/labels", json=decisions)
        late = {"documents": ["the river is high"]}
        client.post(f"/projects/{project_id}/unlabeled", json=late)
    told = seedbed("review", name, *at).stdout
    assert "1 left, 1 of them not ranked yet" in told
    assert "Suggestion: continue. Documents came in since the newest ranking" in told
    assert re.search(r"`seedbed ranking \w+ --update`", told)
    assert "Recall: 100% (100% to 100%)." in told
    assert "1 came in later" in seedbed("next", name, *at).stderr
    seedbed("ranking", name, "--update", *at)
    assert "the river is high" in seedbed("next", name, *at).stdout


def add_small_project(client: httpx2.Client, name: str) -> str:
    texts = {"positives": ["flood water", "water river"], "unlabeled": ["river flood", "a goal"]}
    project_id = str(client.post("/projects", json={"name": name}).json()["id"])
    for label, documents in texts.items():
        client.post(f"/projects/{project_id}/{label}", json={"documents": documents})
    return project_id


def test_at_the_end_unsure_documents_are_to_be_judged_again(url: str, tmp_path: Path) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        add_small_project(client, "at the end")
    at = ("--url", url)
    seedbed("train", "at the end", "--algorithm", "prototype", *at)
    file = tmp_path / "round.csv"
    seedbed("next", "at the end", "-n", "9", "--output", str(file), *at)
    labels = [f"{row['id']},{row['label']}" for row in _rows(file, ["positive", "unsure"])]
    file.write_text("\n".join(["id,label", *labels]))
    seedbed("judge", "at the end", str(file), *at)

    again = "`seedbed ranking 'at the end' --label unsure` lists them"
    nothing = seedbed("next", "at the end", *at)
    assert "Every document of the project is judged. Unsure: 1. Judge unsure ones" in nothing.stderr
    assert again in nothing.stderr
    told = seedbed("review", "at the end", *at).stdout
    assert again in told
    command = f"ranking --url {url} 'at the end' --label unsure --output unsure.csv"
    assert told.endswith(f"Next: seedbed {command}\n")


def test_a_review_without_positives_leads_to_them(url: str, tmp_path: Path) -> None:
    file = tmp_path / "pile.csv"
    file.write_text("id,text,label\n1,water,negative\n2,goal,\n")
    at = ("--url", url)
    seedbed("upload", str(file), "--project", "no seeds", "--label", "unlabeled", *at)
    upload = f"Next: seedbed upload --url {url} EXAMPLES --project 'no seeds' --label positives\n"

    assert seedbed("review", "no seeds", *at).stdout.endswith(upload)
    assert seedbed("judge", "no seeds", str(file), *at).stdout.endswith(upload)


def test_a_training_where_all_is_judged_leads_to_what_was_found(url: str, tmp_path: Path) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = add_small_project(client, "all read")
        pile = client.get(f"/projects/{project_id}/documents?label=unlabeled").json()["documents"]
        labels = [{"id": document["id"], "label": "negative"} for document in pile]
        labels[0]["label"] = "positive"
        client.put(f"/projects/{project_id}/labels", json=labels)

    trained = seedbed("train", "all read", "--algorithm", "judged_svm", "--url", url).stdout

    command = f"ranking --url {url} 'all read' --label positive --output found.csv"
    assert trained.endswith(f"Next: seedbed {command}\n")
    cautions = [line for line in trained.splitlines() if line.startswith("Caution: ")]
    assert cautions
    again = seedbed("train", "all read", "--algorithm", "judged_svm", "--url", url).stdout
    assert not {*cautions} & {*again.splitlines()}
    assert re.search(r"Cautions that hold as before: [a-z ,]+\. In full: seedbed show ", again)
    told = seedbed("review", "all read", "--url", url).stdout
    assert "Suggestion: stop. Every document is judged" in told
    assert told.endswith(f"Next: seedbed {command}\n")
    nothing = seedbed("ranking", "all read", "--url", url)
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert nothing.stderr.startswith("The ranking has no document with the label unlabeled.\n")
    assert "Next:" not in nothing.stderr


def test_labels_come_from_a_pipe(url: str, project: str) -> None:
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = existing_project(client, project)
        found = client.get(f"/projects/{project_id}/documents", params={"label": "unlabeled"})
    id_ = found.json()["documents"][0]["id"]
    for label in ("negative", "unlabeled"):
        judged = seedbed("judge", project, "-", "--url", url, stdin=f"id,label\n{id_},{label}\n")
        assert f"1 {label}; 1 changed." in judged.stdout
    wrong = seedbed("judge", project, "-", "--url", url, stdin="a,b\n1,2\n")
    assert "standard input needs the columns id and label" in wrong.stderr


def test_where_most_of_the_pile_is_of_the_kind_commands_lead_to_the_end(
    url: str, tmp_path: Path
) -> None:
    known = [f"printer on floor {i} is out of toner" for i in range(30)]
    batch = [f"printer {i} is out of toner" for i in range(8)] + ["a late goal won the match"]
    with httpx2.Client(base_url=url, timeout=PATIENCE) as client:
        project_id = client.post("/projects", json={"name": "tickets"}).json()["id"]
        for label, documents in {"positives": known, "unlabeled": batch}.items():
            client.post(f"/projects/{project_id}/{label}", json={"documents": documents})
    at = ("--url", url)

    other = seedbed("train", "tickets", "--algorithm", "prototype", *at).stdout
    assert "If you look for that, knn_density, lgn and one_class_nb tell more about it" in other
    assert other.endswith(f"Next: seedbed train --url {url} tickets --algorithm knn_density\n")

    model = seedbed("train", "tickets", "--algorithm", "lgn", *at).stdout
    command = rf"Next: seedbed ranking --url {url} [0-9a-f]+ --last"
    to_the_end = rf"\n{re.escape(READ_THE_END)}\n{command}\n$"
    assert re.search(to_the_end, model)
    assert re.search(to_the_end, seedbed("show", "tickets", *at).stdout)
    file = tmp_path / "odd.csv"
    seedbed("ranking", "tickets", "--last", "--limit", "2", "--output", str(file), *at)
    rows = _rows(file, ["negative", "positive"])
    assert "goal" in rows[0]["text"]
    file.write_text("\n".join(["id,label", *(f"{row['id']},{row['label']}" for row in rows)]))
    judged = seedbed("judge", "tickets", str(file), *at).stdout
    assert judged.endswith(f"Next: seedbed train --url {url} tickets --algorithm lgn\n")
    told = seedbed("review", "tickets", *at).stdout
    command = f"ranking --url {url} tickets --last --label unlabeled --output odd.csv"
    assert told.endswith(f"{READ_FROM_THE_TOP}\nNext: seedbed {command}\n")
    told = seedbed("next", "tickets", *at).stderr
    assert f"To judge what does not belong, read the end: seedbed {command}\n" in told


def _rows(file: Path, labels: list[str]) -> list[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return [row | {"label": label} for row, label in zip(rows, labels, strict=True)]
