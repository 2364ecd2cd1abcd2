"""The short way of a short text: beside its prediction, all else of a request takes long."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from app.document_sizes import NO_LIMIT
from app.media_types import JSON
from app.services.intake.rows import RowError, checked_text
from app.services.prediction.prediction import Predictor
from app.services.prediction.prediction_json import Prediction, Refusal, encode_all

#: Names the model that answered: a stream has no other place for it.
MODEL_HEADER = "Model-Id"


class SpotRoute(APIRoute):
    """Answers a short text by a loaded model before the parameters are read as declared.

    To read them takes longer than the prediction. All other requests go the declared way.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        declared = super().get_route_handler()

        async def handle(request: Request) -> Response:
            return _answer(request) or await declared(request)

        return handle


def _answer(request: Request) -> Response | None:
    if request.method != "GET":
        return None
    match sorted(request.query_params.multi_items()):
        case [("model_id", model_id), ("text", text)]:
            predictor: Predictor = request.app.state.predictor
            checked = _checked(text)
            if isinstance(checked, str) and predictor.is_quick(model_id, checked):
                found = predictor.predict_again(model_id, [checked])
                if found is not None:
                    return all_at_once(model_id, found)
    return None


def all_at_once(model_id: str, found: Sequence[Prediction | Refusal]) -> Response:
    """Return the answer for some texts, by a model."""
    headers = {MODEL_HEADER: model_id}
    return Response(encode_all(model_id, found), media_type=JSON, headers=headers)


def readable(text: str) -> str:
    """Return a text of a URL as it is kept; ValueError if no document could have it."""
    checked = _checked(text)
    if isinstance(checked, RowError):
        raise ValueError(checked.reason)
    return checked


def _checked(text: str) -> str | RowError:
    return checked_text(0, text, NO_LIMIT)  # the length of a URL bounds it
