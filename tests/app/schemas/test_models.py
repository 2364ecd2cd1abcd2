from app.orm import Model, utc_now
from app.schemas.models import EXAMPLE, ModelRead


def test_card_of_an_earlier_version_is_read() -> None:
    card = {name: value for name, value in EXAMPLE.items() if name != "n_negative_accepted"}
    row = Model(
        id=card["id"],
        project_id=card["project_id"],
        job_id=card["job_id"],
        is_champion=True,
        created_at=utc_now(),
        file={"key": "models/1", "size": 1, "sha256": "5f"},
        card=card,
    )

    assert ModelRead.from_row(row, {}).n_negative_accepted is None
