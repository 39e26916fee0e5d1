"""Pages say that they are ours."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Answer = Callable[[HttpRequest], HttpResponse]


def signed(answer: Answer) -> Answer:
    """Mark each answer as ours: the sign-in page of a café's network has no such mark."""

    def sign(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response["X-Tricky"] = "1"
        return response

    return sign
