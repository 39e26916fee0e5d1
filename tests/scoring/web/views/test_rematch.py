"""A table has one rematch, whichever phone asks first."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring.models import Match
from scoring.models.matches import new_address
from tests.factories import entered_match
from tests.factories.phones import deliver, entry, start

pytestmark = pytest.mark.django_db
HANDS = [{"points": points} for points in ([9, 5, 3], [6, 6, 5], [8, 5, 4])]


def finished_match() -> Match:
    match = entered_match(HANDS, "tricky_bid")
    match.refresh_from_db()
    assert match.finished
    return match


def match_url(name: str, match: Match) -> str:
    return reverse(f"scoring:{name}", args=[match.address])


def rematch_start(
    match: Match, *names: str, **extra_fields: object
) -> dict[str, object]:
    return start(match.game, *names, rematch_of=match.address, **extra_fields)


def start_two_rematches(match: Match) -> tuple[Match, Match]:
    """Return the rematches that two phones of a table started offline."""
    addresses = [new_address(), new_address()]
    for address in addresses:
        deliver(address, rematch_start(match, "Ann", "Bo", "Cy"), token="")
    first, second = (Match.objects.get(address=address) for address in addresses)
    return first, second


def test_second_phone_is_redirected_to_the_same_rematch() -> None:
    match = finished_match()
    first = Client().post(
        match_url("match_rematch", match), {"rotate": "1", "key": str(uuid4())}
    )
    second = Client().post(
        match_url("match_rematch", match), {"rotate": "0", "key": str(uuid4())}
    )
    rematch = match.rematches.get()
    assert first["Location"] == second["Location"] == rematch.get_absolute_url()
    assert rematch.seats.get(index=0).name == "Bo"


def test_old_sheet_links_to_the_rematch(client: Client) -> None:
    match = finished_match()
    live_url = match_url("match_live", match)
    assert client.get(live_url, {"v": match.version}).status_code == 204
    client.post(match_url("match_rematch", match))
    link = f'href="{match.rematches.get().get_absolute_url()}"'
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert link in sheet
    assert match_url("match_rematch", match) not in sheet
    response = client.get(live_url, {"v": match.version})
    assert link in response.content.decode()
    assert client.get(live_url, {"v": f"{match.version}.rematch"}).status_code == 204


def test_phone_with_its_own_empty_rematch_is_redirected_to_the_first(
    client: Client,
) -> None:
    match = finished_match()
    first, second = start_two_rematches(match)
    assert match.current_rematch == first
    assert client.get(first.get_absolute_url()).status_code == 200
    response = client.get(second.get_absolute_url())
    assert response["Location"] == first.get_absolute_url()


def enter_hand(match: Match, number: int) -> None:
    assert deliver(match.address, entry(body=HANDS[0], number=number))[0] == 200


def test_empty_rematch_links_to_a_later_one_with_hands(client: Client) -> None:
    match = finished_match()
    first, second = start_two_rematches(match)
    enter_hand(second, 1)
    assert match.current_rematch == second
    response = client.get(first.get_absolute_url())
    assert response["Location"] == second.get_absolute_url()
    assert client.get(second.get_absolute_url()).status_code == 200


def test_strangers_cannot_start_a_rematch() -> None:
    match = finished_match()
    for names, game in (
        (("Mallory", "Bo", "Cy"), match.game),
        (("Ann", "Bo", "Cy"), "tricky"),
    ):
        body = start(game, *names, rematch_of=match.address)
        assert deliver(new_address(), body, token="")[0] == 200
    assert match.current_rematch is None


@pytest.mark.django_db(transaction=True)
def test_simultaneous_rematch_requests_start_one_match() -> None:
    match = finished_match()
    ready = Barrier(4)

    def ask(rotate: int) -> str:
        try:
            ready.wait()
            response = Client().post(
                match_url("match_rematch", match),
                {"rotate": str(rotate % 2), "key": str(uuid4())},
            )
            return response["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        locations = set(threads.map(ask, range(4)))
    assert locations == {match.rematches.get().get_absolute_url()}
