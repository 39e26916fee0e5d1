"""Answers that many programs ask for alike, put together once for each state of what they tell."""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from django.core.cache import caches
from django.http import HttpResponse
from django.utils.translation import get_language
from ninja import Schema
from ninja.responses import NinjaJSONEncoder

DAY = 24 * 60 * 60
JSON = "application/json; charset=utf-8"


def kept_answer(
    schema: type[Schema],
    state: tuple[object, ...],
    compose: Callable[[], Mapping[str, Any]],
) -> HttpResponse:
    """Return an answer by its schema as it was written for a state, and else write it.

    `state` tells apart whatever is told otherwise, but for the language of who asks. A
    cache that forgets only costs the writing.
    """
    told = repr((schema.__name__, *state, get_language()))
    key = sha256(told.encode()).hexdigest()
    written: str | None = caches["drawn"].get(key)
    if written is None:
        answer = schema.model_validate(compose()).model_dump()
        written = json.dumps(answer, cls=NinjaJSONEncoder)
        caches["drawn"].set(key, written, DAY)
    return HttpResponse(written, content_type=JSON)
