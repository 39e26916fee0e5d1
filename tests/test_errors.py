"""Errors have the right status and a page that says what to do."""

import pytest
from allauth.core.ratelimit import respond_429
from django.http import HttpResponseBase
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

READER = {"accept": "text/html"}


def failing_response(fault: str) -> HttpResponseBase:
    return Client(raise_request_exception=False).get(f"/fails/{fault}/")


@pytest.mark.parametrize(
    ("fault", "status", "text"),
    [
        ("SuspiciousOperation", 400, "We couldn’t understand this request"),
        ("RequestDataTooBig", 413, "too large to send at once"),
        ("PermissionDenied", 403, "Your role doesn’t include this page"),
        ("ValueError", 500, "Something went wrong"),
        ("OperationalError", 503, "Tricky is unavailable right now"),
        ("ConnectionRefusedError", 503, "Tricky is unavailable right now"),
    ],
)
@pytest.mark.urls("tests.failing_urls")
@pytest.mark.django_db
def test_errors_have_a_page_and_their_status(
    fault: str, status: int, text: str
) -> None:
    answer = failing_response(fault)
    assert answer.status_code == status
    assert text in answer.content.decode()  # type: ignore[attr-defined]


@pytest.mark.urls("tests.failing_urls")
def test_outage_has_a_retry_after() -> None:
    assert failing_response("OperationalError")["Retry-After"] == "30"


@pytest.mark.urls("tests.failing_urls")
def test_polling_sheet_gets_503_without_a_page() -> None:
    client = Client(raise_request_exception=False)
    answer = client.get("/fails/OperationalError/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert answer.content == b""


@pytest.mark.parametrize(
    "status",
    ["400", "403", "403_csrf", "404", "405", "413", "429", "500", "503", "507"],
)
def test_an_error_page_needs_no_request_and_no_database(
    status: str, django_assert_num_queries: DjangoAssertNumQueries, db: None
) -> None:
    with django_assert_num_queries(0):
        page = render_to_string(f"{status}.html")
    assert page.count("<h1>") == 1
    assert page.count('class="button primary"') == 1


def test_expired_form_is_reopened() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("account_login"), headers=READER)
    assert answer.status_code == 403
    assert "This page has expired" in answer.content.decode()


def test_get_of_a_post_only_address_explains_itself(client: Client, db: None) -> None:
    address = reverse("scoring:how_to_play")
    assert client.post(address).content == b""
    answer = client.post(address, headers=READER)
    assert answer.status_code == 405
    assert "can’t be opened directly" in answer.content.decode()


def test_too_many_requests_have_a_page_and_a_retry_after(
    rf: RequestFactory, db: None
) -> None:
    answer = respond_429(rf.post("/accounts/login/"))
    page = answer.content.decode()
    assert answer.status_code == 429
    assert "Too many attempts." in page
    # All limits of allauth with this status are per minute.
    assert "Wait a minute" in page
    assert answer["Retry-After"] == "60"
    assert 'href="/accounts/login/"' in page
