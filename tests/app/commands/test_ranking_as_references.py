"""What was uploaded as references is found as such by the command."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.commands import ranking as ranking_command
from app.commands.ranking import ALL, Part
from app.media_types import NBIB, RIS
from tests.app.services.ranking.test_reference_file import OF_PUBMED, OF_RIS, read, same


@pytest.mark.usefixtures("commands_here")
def test_what_was_uploaded_as_references_is_found_as_such(
    client: TestClient,
    project_id: str,
    run_job: Callable[[], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pile = [{"id": f"d{i}", "text": f"goal match {i}"} for i in range(20)]
    client.post(f"/projects/{project_id}/unlabeled", json=pile)
    given = {RIS: OF_RIS, NBIB: OF_PUBMED}
    for media_type, body in given.items():
        headers = {"content-type": media_type}
        sent = client.post(
            f"/projects/{project_id}/positives", content=body.encode(), headers=headers
        )
        assert sent.json()["rejected"] == 0
    training = {"project_id": project_id, "algorithm": "prototype", "calibrate": False}
    assert client.post("/train", json=training).status_code == 202
    model_id = client.get(f"/jobs/{run_job()}").json()["result"]["model_id"]

    ranking_command.run("", model_id, None, tmp_path / "found.ris", part=Part("positive"))
    ranking_command.run("", model_id, 7, tmp_path / "all.RIS", part=Part(ALL))

    assert f"5 documents in {tmp_path / 'found.ris'}" in capsys.readouterr().out
    rows = {row.id: row for media_type, body in given.items() for row in read(body, media_type)}
    found = read((tmp_path / "found.ris").read_bytes(), id_column="reference_id")
    assert {row.id for row in found} == set(rows)
    for row in found:
        if same(rows[row.id]).get("title"):
            assert (row.text, same(row)) == (rows[row.id].text, same(rows[row.id]))
    assert len(read((tmp_path / "all.RIS").read_bytes())) == 7
