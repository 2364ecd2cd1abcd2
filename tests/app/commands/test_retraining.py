import httpx2
import pytest

from app.commands.retraining import is_repeated

TRAINED, LATER = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def unasked(request: httpx2.Request) -> httpx2.Response:
    raise AssertionError(f"nothing else counts, but {request.url} was asked for")


@pytest.mark.parametrize(("is_current", "updated_at"), [(False, TRAINED), (True, LATER)])
def test_no_training_repeats_one_that_had_other_documents(
    is_current: bool, updated_at: str
) -> None:
    ranking = {"is_current": is_current, "updated_at": updated_at}
    with httpx2.Client(transport=httpx2.MockTransport(unasked)) as client:
        assert not is_repeated(client, {"ranking": ranking, "created_at": TRAINED}, {})
