"""What every answer gets before it goes out: our mark, and words where a view had none."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tricky_site.errors import page_of

Answer = Callable[[HttpRequest], HttpResponse]


def signed(answer: Answer) -> Answer:
    """Mark each answer as ours: the sign-in page of a café's network has no such mark."""

    def sign(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response["X-Tricky"] = "1"
        return response

    return sign


def with_words(answer: Answer) -> Answer:
    """Give a page to whoever reads one, where a view had a refusal without words."""

    def answer_with_words(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        is_silent = response.status_code in {400, 405} and not response.content
        if is_silent and "text/html" in request.headers.get("Accept", ""):
            response["Content-Type"] = "text/html; charset=utf-8"
            response.content = page_of(response.status_code).content
        return response

    return answer_with_words
