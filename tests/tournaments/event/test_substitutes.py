"""A substitute takes the seat everywhere, from the first hand or a chosen one."""

from typing import Any

import pytest

from scoring.matchlog.append import read_match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    play_and_close,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at
from tournaments.changes import RefusedError
from tournaments.event import rounds
from tournaments.event.draw import draw
from tournaments.event.entries import (
    NEXT_ROUND,
    add_entries,
    register,
    set_state,
    substitute_entry_player,
)
from tournaments.history.derivation import derive_history
from tournaments.models import Entry, Round, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ["Ada", "Bo", "Cy", "Di"]


def night(**settings: Any) -> tuple[Tournament, Round]:
    tournament = tournament_with(NAMES, **{"rounds_planned": 2, **settings})
    return tournament, running_round(tournament)


def entry_of(tournament: Tournament, name: str) -> Entry:
    entry: Entry = tournament.entries.get(name=name)
    return entry


def table_of(round_: Round) -> Table:
    return round_.tables.select_related("match").get()


def seat_names(round_: Round) -> list[str]:
    return list(
        match_of(table_of(round_))
        .seats.order_by("index")
        .values_list("name", flat=True)
    )


def replace(tournament: Tournament, old_name: str, name: str, **fields: Any) -> Any:
    entry = entry_of(tournament, old_name)
    url = at("entry_substitute", tournament, entry.number)
    return director(tournament).post(url, {"name": name, **fields}, follow=True)


def messages_of(response: Any) -> list[tuple[str, str]]:
    return [(m.level_tag, m.message) for m in response.context["messages"]]


def test_takes_the_seat_everywhere_before_the_first_hand() -> None:
    tournament, round_ = night(table_size=4)
    match = match_of(table_of(round_))
    response = replace(tournament, "Ada", "Zoe")
    assert messages_of(response) == [("success", "Zoe plays for Ada.")]
    assert "Zoe" in seat_names(round_)
    assert "Ada" not in seat_names(round_)
    # Open pages keep their address, and the seat cannot be emptied.
    assert table_of(round_).match == match
    empty_response = change_seats(tournament, seat_names(round_), seat_0="")
    assert "This table already has entries" in empty_response.content.decode()
    play_and_close(round_)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    counted_names = tournament.club.results.current().values_list(
        "player__name", flat=True
    )
    assert set(counted_names) == {"Zoe", "Bo", "Cy", "Di"}


@pytest.mark.parametrize("name", ["Ada", "ada", "Bo"])
def test_rejects_a_name_already_playing_or_without_a_player_to_replace(
    name: str,
) -> None:
    tournament, round_ = night()
    response = replace(tournament, "Ada", name)
    assert messages_of(response) == []
    assert "is already playing" in response.content.decode()
    assert sorted(seat_names(round_)) == NAMES
    entry = entry_of(tournament, "Ada")
    set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
    with pytest.raises(RefusedError, match="isn’t playing right now"):
        substitute_entry_player(entry_id=entry.pk, name="Zoe", now=NOW)


def test_asks_for_the_first_hand_and_lets_it_be_corrected() -> None:
    tournament, round_ = night()
    match = match_of(table_of(round_))
    index = seat_names(round_).index("Ada")
    for _hand in range(2):
        enter_points(match, [9, 5, 3, 1])
    with pytest.raises(RefusedError) as refusal:
        substitute_entry_player(
            entry_id=entry_of(tournament, "Ada").pk, name="Zoe", now=NOW
        )
    assert refusal.value.field == "from_hand"
    response = replace(tournament, "Ada", "Zoe")
    assert "From which hand at table 1?" in response.content.decode()
    assert "Hand 3 (next)" in response.content.decode()
    replace(tournament, "Ada", "Zoe", from_hand="9")
    assert "Ada" in seat_names(round_)
    response = replace(tournament, "Ada", "Zoe", from_hand="3")
    assert messages_of(response) == [("success", "Zoe plays for Ada from hand 3.")]
    assert "Zoe" in seat_names(round_)
    response = replace(tournament, "Zoe", "Zoe", from_hand="2")
    assert messages_of(response) == [
        ("success", "Zoe now has this seat from hand 2 on.")
    ]
    match.refresh_from_db()
    names_by_hand = read_match(match).names_by_hand(range(1, 4))
    assert [row[index] for row in names_by_hand] == ["Ada", "Zoe", "Zoe"]
    response = replace(tournament, "Bo", "Bo", from_hand="2")
    assert "is already playing" in response.content.decode()


def test_substitute_starts_in_the_next_round_or_at_the_current_table() -> None:
    tournament, round_ = night()
    enter_points(match_of(table_of(round_)), [9, 5, 3, 1])
    before = seat_names(round_)
    response = replace(tournament, "Ada", "Zoe", from_hand=NEXT_ROUND)
    assert messages_of(response) == [
        ("success", "Zoe plays for Ada from the next round.")
    ]
    assert seat_names(round_) == before
    page = director(tournament).get(at("table_seats", tournament, 1, 1))
    number = before.index("Ada") + 1
    assert f"Seat {number} (now Ada)" in page.content.decode()
    names = ["Zoe" if name == "Ada" else name for name in before]
    response = change_seats(tournament, names, from_hand="2")
    assert messages_of(response)[0][0] == "success"
    assert seat_names(round_) == names
    replace(tournament, "Zoe", "Yan", from_hand=NEXT_ROUND)
    rounds.close(round_id=round_.pk, now=NOW, override="time")
    assert set(seat_names(running_round(tournament))) == {"Yan", "Bo", "Cy", "Di"}
    assert seat_names(round_) == names


def test_substitution_at_a_finished_table_asks_for_no_hand() -> None:
    tournament, round_ = night(rounds_planned=1)
    play_table(table_of(round_), [9, 5, 3, 1])
    response = replace(tournament, "Ada", "Zoe")
    assert messages_of(response) == [("success", "Zoe plays for Ada.")]
    assert "Ada" in seat_names(round_)
    rounds.close(round_id=round_.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    with pytest.raises(RefusedError, match="finished"):
        substitute_entry_player(
            entry_id=entry_of(tournament, "Zoe").pk, name="Yan", now=NOW
        )


def test_waiting_list_substitute_plays_published_and_later_rounds() -> None:
    tournament = tournament_with(NAMES, rounds_planned=2, capacity=4)
    first, second = draw(tournament_id=tournament.pk)
    rounds.publish_and_open_pads(round_id=first.pk, now=NOW)
    add_entries(tournament_id=tournament.pk, names=["Zoe", "Yan"], now=NOW)
    assert entry_of(tournament, "Zoe").state == "waiting"
    entry = substitute_entry_player(
        entry_id=entry_of(tournament, "Ada").pk, name="Zoe", now=NOW
    )
    assert entry.number == 1
    assert "Zoe" in seat_names(first)
    assert second.places.filter(entry__name="Zoe").exists()
    assert entry_of(tournament, "Yan").state == "waiting"
    assert tournament.entries.filter(name="Zoe").count() == 1


def change_seats(tournament: Tournament, names: list[str], **changes: Any) -> Any:
    client = director(tournament)
    url = at("table_seats", tournament, 1, 1)
    form = client.get(url).context["form"]
    fields = {
        "key": form["key"].value(),
        "reason": "they sat in different seats",
        **{f"seat_{n}": entry_of(tournament, name).pk for n, name in enumerate(names)},
        **changes,
    }
    return client.post(url, fields, follow=True)


def test_seats_show_the_change_and_the_player_of_each_hand() -> None:
    tournament, round_ = night()
    first, *others = seat_names(round_)
    rotated = [*others, first]
    unchanged = "Nothing changed: table 1 was already seated like this."
    assert messages_of(change_seats(tournament, [first, *others])) == [
        ("info", unchanged)
    ]
    sentence = (
        f"Now at table 1: {rotated[0]}, {rotated[1]}, {rotated[2]} and {rotated[3]}."
    )
    assert messages_of(change_seats(tournament, rotated)) == [("success", sentence)]
    assert seat_names(round_) == rotated
    for _hand in range(2):
        enter_points(match_of(table_of(round_)), [9, 5, 3, 1])
    note = "Earlier hands stay with the people who played them."
    for names, from_hand, ending in (
        ([first, *others], "3", note),
        (rotated, "2", f"Hand 2 at table 1 now counts for these players. {note}"),
        (
            [first, *others],
            "1",
            "Hands 1 to 2 at table 1 now count for these players.",
        ),
    ):
        [(_level, message)] = messages_of(
            change_seats(tournament, names, from_hand=from_hand)
        )
        assert message.endswith(f"and {names[-1]}. {ending}")


def test_league_keeps_players_of_started_matches() -> None:
    tournament, round_ = night()
    Tournament.objects.filter(pk=tournament.pk).update(format="league")
    enter_points(match_of(table_of(round_)), [9, 5, 3, 1])
    substitute_entry_player(
        entry_id=entry_of(tournament, "Ada").pk, name="Zoe", now=NOW
    )
    assert "Ada" in seat_names(round_)


def test_registered_players_can_be_replaced_before_the_night() -> None:
    tournament = tournament_with([])
    entry = register(tournament_id=tournament.pk, name="Ada", now=NOW)
    url = at("entry_substitute", tournament, entry.number)
    assert url in director(tournament).get(at("entries", tournament)).content.decode()
    assert messages_of(replace(tournament, "Ada", "Zoe")) == [
        ("success", "Zoe plays for Ada.")
    ]
