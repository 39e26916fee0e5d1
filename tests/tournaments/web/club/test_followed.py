"""Clubs that a phone without an account follows, in a cookie of its own."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from tournaments.web.club import followed
from tournaments.web.club.followed import read_clubs_cookie, write_clubs_cookie


@pytest.fixture
def behind_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followed, "COOKIE", "__Host-clubs")


def answer_to(request: HttpRequest, clubs: list[int]) -> HttpResponse:
    answer = HttpResponse()
    write_clubs_cookie(request, answer, clubs)
    return answer


def phone_with(answer: HttpResponse) -> HttpRequest:
    """Return what a phone sends after an answer."""
    request = RequestFactory().get("/")
    for name, cookie in answer.cookies.items():
        if cookie.value:
            request.COOKIES[name] = cookie.value
    return request


def test_phone_remembers_followed_clubs() -> None:
    phone = phone_with(answer_to(RequestFactory().get("/"), [3, 5]))
    assert read_clubs_cookie(phone) == [3, 5]
    phone.COOKIES["clubs"] = "3-5-7" + phone.COOKIES["clubs"][3:]
    assert read_clubs_cookie(phone) == []


def test_clubs_of_an_old_cookie_move_to_the_host_cookie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    phone = phone_with(answer_to(RequestFactory().get("/"), [3, 5]))
    monkeypatch.setattr(followed, "COOKIE", "__Host-clubs")
    assert read_clubs_cookie(phone) == [3, 5]
    answer = answer_to(phone, [*read_clubs_cookie(phone), 7])
    assert answer.cookies["clubs"]["max-age"] == 0
    assert read_clubs_cookie(phone_with(answer)) == [3, 5, 7]


@pytest.mark.usefixtures("behind_https")
def test_other_hosts_cannot_add_followed_clubs() -> None:
    phone = phone_with(answer_to(RequestFactory().get("/"), [3]))
    plain = phone_with(answer_to(RequestFactory().get("/"), []))
    assert not plain.COOKIES
    phone.COOKIES["clubs"] = "anything"
    assert read_clubs_cookie(phone) == [3]
    answer = answer_to(phone, [])
    assert set(answer.cookies) == {"clubs", "__Host-clubs"}
    assert answer.cookies["__Host-clubs"]["secure"]
