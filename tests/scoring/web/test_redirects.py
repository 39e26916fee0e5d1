"""Whoever reloads what only a button does is led back, and sees no empty page."""

import pytest
from django.test import Client

from scoring.web.redirects import parent_page
from tests.factories import HAND, entered_match


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("/m/abc/hands/2/restore/", "/m/abc/hands/2/"),
        (f"/t/{'a' * 22}/desk/finish/", f"/t/{'a' * 22}/desk/"),
        ("/nowhere/at/all/", "/"),
    ],
)
def test_parent_page_is_the_nearest_existing_one(path: str, above: str) -> None:
    assert parent_page(path) == above


@pytest.mark.django_db
@pytest.mark.parametrize("act", ["hands/1/void/", "hands/1/restore/", "rematch/"])
def test_get_of_a_post_only_action_redirects_to_a_page(act: str) -> None:
    match = entered_match([HAND])
    answer = Client().get(
        f"{match.get_absolute_url()}{act}", follow=True, headers={"Accept": "text/html"}
    )
    assert answer.status_code == 200
    assert answer.redirect_chain
    assert answer.request["PATH_INFO"].startswith(match.get_absolute_url())
