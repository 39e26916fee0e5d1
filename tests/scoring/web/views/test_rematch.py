"""A rematch: one for the table, whichever phone asks for it first."""

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


def at(name: str, match: Match) -> str:
    return reverse(f"scoring:{name}", args=[match.address])


def start_of(match: Match, *names: str, **more: object) -> dict[str, object]:
    return start(match.game, *names, rematch_of=match.address, **more)


def begun_twice(match: Match) -> tuple[Match, Match]:
    """Return the rematches that two phones of a table began without a network."""
    addresses = [new_address(), new_address()]
    for address in addresses:
        deliver(address, start_of(match, "Ann", "Bo", "Cy"), token="")
    first, second = (Match.objects.get(address=address) for address in addresses)
    return first, second


def test_second_phone_is_redirected_to_the_same_rematch() -> None:
    match = finished_match()
    first = Client().post(
        at("match_rematch", match), {"rotate": "1", "key": str(uuid4())}
    )
    second = Client().post(
        at("match_rematch", match), {"rotate": "0", "key": str(uuid4())}
    )
    rematch = match.rematches.get()
    assert first["Location"] == second["Location"] == rematch.get_absolute_url()
    assert rematch.seats.get(index=0).name == "Bo"


def test_old_sheet_links_to_the_rematch(client: Client) -> None:
    match = finished_match()
    live = at("match_live", match)
    assert client.get(live, {"v": match.version}).status_code == 204
    client.post(at("match_rematch", match))
    link = f'href="{match.rematches.get().get_absolute_url()}"'
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert link in sheet
    assert at("match_rematch", match) not in sheet
    followed = client.get(live, {"v": match.version})
    assert link in followed.content.decode()
    assert client.get(live, {"v": f"{match.version}.rematch"}).status_code == 204


def test_phone_with_its_own_empty_rematch_is_redirected_to_the_first(
    client: Client,
) -> None:
    match = finished_match()
    first, second = begun_twice(match)
    assert match.next_match == first
    assert client.get(first.get_absolute_url()).status_code == 200
    answer = client.get(second.get_absolute_url())
    assert answer["Location"] == first.get_absolute_url()


def enter(match: Match, number: int) -> None:
    assert deliver(match.address, entry(body=HANDS[0], number=number))[0] == 200


def test_empty_rematch_links_to_a_later_one_with_hands(client: Client) -> None:
    match = finished_match()
    first, second = begun_twice(match)
    enter(second, 1)
    assert match.next_match == second
    answer = client.get(first.get_absolute_url())
    assert answer["Location"] == second.get_absolute_url()
    assert client.get(second.get_absolute_url()).status_code == 200


def test_strangers_cannot_start_a_rematch() -> None:
    match = finished_match()
    for names, game in (
        (("Mallory", "Bo", "Cy"), match.game),
        (("Ann", "Bo", "Cy"), "tricky"),
    ):
        body = start(game, *names, rematch_of=match.address)
        assert deliver(new_address(), body, token="")[0] == 200
    assert match.next_match is None


@pytest.mark.django_db(transaction=True)
def test_simultaneous_rematch_requests_start_one_match() -> None:
    match = finished_match()
    ready = Barrier(4)

    def ask(rotate: int) -> str:
        try:
            ready.wait()
            answer = Client().post(
                at("match_rematch", match),
                {"rotate": str(rotate % 2), "key": str(uuid4())},
            )
            return answer["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        led_to = set(threads.map(ask, range(4)))
    assert led_to == {match.rematches.get().get_absolute_url()}
