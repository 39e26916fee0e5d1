"""What is done at the desk: asked about where it destroys, said once done, and put back."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    closed_round,
    director,
    enter_points,
    match_of,
    play_and_close,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.desk.test_evening import played
from tests.tournaments.web.pages import at, text
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.models import Entry, Place, Role, Round, Table, Tournament, User

pytestmark = pytest.mark.django_db


def follow(client: Client, url: str, **posted: object) -> str:
    """Post something and return the page that follows."""
    return client.post(url, posted, follow=True).content.decode()


def seating(round_: Round) -> list[tuple[int, int, int]]:
    """Return who sits where."""
    seats = round_.places.order_by("table__number", "index")
    return list(seats.values_list("table__number", "index", "entry"))


def leave(tournament: Tournament, number: int) -> Entry:
    """Let a player go home."""
    gone = tournament.entries.get(number=number)
    return entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)


# A round robin that somebody leaves


def test_a_round_robin_that_somebody_left_goes_on_as_a_planned_night() -> None:
    tournament = tournament_with(9, format="round_robin", table_size=3, most_size=3)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    leave(tournament, 9)
    desk = text(client, at("desk", tournament))
    assert "Draw again: Fleur has left, and is seated at table" in desk
    asked = follow(client, at("draw", tournament))
    assert "Go on as a planned night?" in asked
    assert "A round robin is drawn once, for those who begin it." in asked
    follow(client, at("draw", tournament), sure="1")
    tournament.refresh_from_db()
    assert (tournament.format, tournament.rounds.count()) == ("planned", 4)
    seated = Place.objects.filter(round__tournament=tournament, round__number__gt=1)
    assert not seated.filter(entry__state="dropped").exists()
    assert one.places.filter(entry__state="dropped").exists()


def test_a_round_robin_of_a_number_without_a_schedule_is_drawn_as_a_planned_night() -> (
    None
):
    tournament = tournament_with(13, format="round_robin", rounds_planned=3)
    client = director(tournament)
    asked = follow(client, at("draw", tournament))
    assert "No schedule is known in which 13 players" in asked
    assert not tournament.rounds.exists()
    follow(client, at("draw", tournament), sure="1")
    assert tournament.rounds.count() == 3


def test_a_round_robin_that_can_be_drawn_is_drawn_without_a_question() -> None:
    tournament = tournament_with(9, format="round_robin", table_size=3)
    follow(director(tournament), at("draw", tournament))
    assert tournament.rounds.count() == 4


# The end, while a draw waits


def test_a_tournament_is_finished_though_a_drawn_round_waits() -> None:
    tournament = tournament_with(8, rounds_planned=3)
    client = director(tournament)
    one = running_round(tournament)
    assert at("finish", tournament) not in text(client, at("desk", tournament))
    play_and_close(one, now=timezone.now())
    before = seating(tournament.rounds.get(number=2))
    assert at("finish", tournament) in text(client, at("desk", tournament))
    asked = follow(client, at("finish", tournament))
    assert "Round 2 is drawn and was not played: its draw is taken back." in asked
    assert tournament.rounds.count() == 3
    said = follow(client, at("finish", tournament), sure="1")
    assert "“Thursday” is finished, and its results stand." in said
    assert list(tournament.rounds.values_list("number", flat=True)) == [1]
    assert "“Thursday” goes on." in follow(client, at("reopen", tournament))
    follow(client, at("put_back", tournament))
    assert seating(tournament.rounds.get(number=2)) == before


def test_finishing_names_who_has_not_agreed_to_a_result() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="one")
    client = director(tournament)
    closed_round(tournament, now=timezone.now(), override="late")
    asked = follow(client, at("finish", tournament))
    assert "Table 1 has not agreed to its result." in asked
    assert "Table 2 has not agreed to its result." in asked


def test_refuses_to_finish_over_a_dispute_before_it_asks() -> None:
    tournament = tournament_with(4, rounds_planned=1, quorum="one")
    client = director(tournament)
    table = closed_round(tournament, now=timezone.now(), override="late").tables.get()
    results.dispute(table_id=table.pk, now=timezone.now())
    said = follow(client, at("finish", tournament))
    assert "the result is disputed. Settle it first." in said
    assert "Finish the tournament?" not in said


# What was taken back is put back


def test_a_running_draw_that_was_taken_back_is_put_back_as_it_was() -> None:
    tournament = tournament_with(9, rounds_planned=2)
    client = director(tournament)
    one = running_round(tournament)
    first, second = one.tables.order_by("number")[:2]
    here, there = (table.places.get(index=0).entry_id for table in (first, second))
    two = tournament.rounds.get(number=2)
    rounds.swap(round_id=two.pk, entry_id=here, other_id=there)
    before = [seating(one), seating(two)]
    asked = follow(client, at("round_act", tournament, 1, "cancel"))
    assert "It can be put back until something else is drawn." in asked
    assert "Its clock stops, and the sheets of its tables go." in asked
    said = follow(client, at("round_act", tournament, 1, "cancel"), sure="1")
    assert "Round 1: the draw is taken back." in said
    assert "Put it back as it was" in said
    assert "The draw is as it was: Round 1 and Round 2." in follow(
        client, at("put_back", tournament)
    )
    again = list(tournament.rounds.order_by("number"))
    assert [seating(round_) for round_ in again] == before
    assert [round_.state for round_ in again] == ["published", "drawn"]
    assert "Put it back as it was" not in text(client, at("desk", tournament))
    rounds.start(round_id=again[0].pk, now=timezone.now())


def test_what_was_taken_back_is_not_put_back_over_another_draw() -> None:
    tournament = tournament_with(8, rounds_planned=1)
    client = director(tournament)
    (one,) = drawing.draw(tournament_id=tournament.pk)
    follow(client, at("round_act", tournament, one.number, "cancel"), sure="1")
    drawing.draw(tournament_id=tournament.pk)
    assert "No draw was taken back" in follow(client, at("put_back", tournament))
    assert tournament.rounds.count() == 1


def test_draw_from_results_of_a_reopened_round_is_not_put_back() -> None:
    tournament = tournament_with(8, rounds_planned=3, format=Tournament.Format.SWISS)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    drawing.draw(tournament_id=tournament.pk)
    taken = follow(client, at("round_act", tournament, 2, "cancel"), sure="1")
    assert "Put it back as it was" in taken
    rounds.open_again(round_id=one.pk)
    rounds.close(round_id=one.pk, now=timezone.now())
    assert "Put it back as it was" not in text(client, at("desk", tournament))


def test_a_draw_with_somebody_who_is_off_the_list_is_not_put_back() -> None:
    tournament = tournament_with(8, rounds_planned=1)
    client = director(tournament)
    (one,) = drawing.draw(tournament_id=tournament.pk)
    follow(client, at("round_act", tournament, one.number, "cancel"), sure="1")
    entries.remove_entry(entry_id=tournament.entries.get(number=3).pk)
    assert "off the list now" in follow(client, at("put_back", tournament))
    assert not tournament.rounds.exists()


def test_a_draw_is_not_taken_back_from_phones_that_hold_its_hands() -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    table = running_round(tournament).tables.get()
    Match.objects.filter(table=table).update(kept={"a": 1})
    refused = follow(client, at("round_act", tournament, 1, "cancel"), sure="1")
    assert "something is entered" in refused
    assert tournament.rounds.exists()


# Asked, and said


def test_a_table_is_never_made_void_without_a_question_and_names_who_did() -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    User.objects.update(first_name="Eva")
    table = running_round(tournament).tables.get()
    asked = follow(client, at("table_act", tournament, 1, 1, "void"))
    assert "Void table 1?" in asked
    assert "No hand of it is in yet." in asked
    enter_points(match_of(table), [9, 5, 3, 1])
    assert "Ada: 9" in follow(client, at("table_act", tournament, 1, 1, "void"))
    table.refresh_from_db()
    assert not table.void
    said = follow(client, at("table_act", tournament, 1, 1, "void"), sure="1")
    assert "Table 1 is void. It can be counted again." in said
    assert "by Eva" in said
    assert "Eva made it void" in text(Client(), at("table", tournament, 1, 1))
    assert "Table 1 counts again." in follow(
        client, at("table_act", tournament, 1, 1, "restore")
    )
    assert "made it void" not in text(Client(), at("table", tournament, 1, 1))


def test_closing_with_open_tables_has_a_button_of_its_own_beside_its_reason() -> None:
    tournament = tournament_with(8)
    client = director(tournament)
    one = running_round(tournament)
    page = text(client, at("desk", tournament))
    fold = page.partition('id="desk-override"')[2].partition("</details>")[0]
    assert "Close it all the same" in fold
    assert "override" in fold
    asked = follow(client, at("round_act", tournament, 1, "close"), override="late")
    assert "Round 1: close with all that is open?" in asked
    assert "Table 1 is not finished." in asked
    play_round(one)
    assert "desk-override" not in text(client, at("desk", tournament))


def test_every_act_on_a_round_is_said_once_it_is_done() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    client = director(tournament)
    (one,) = drawing.draw(tournament_id=tournament.pk)
    act = [at("round_act", tournament, 1, verb) for verb in ("publish", "start")]
    assert "Round 1: the seating is published." in follow(client, act[0])
    assert "Round 1 runs." in follow(client, act[1])
    play_round(one)
    closed = follow(client, at("round_act", tournament, 1, "close"))
    assert "Round 1 is closed, and its standings are saved." in closed


# The whole desk, live


CHANGES: dict[str, Callable[[Tournament], object]] = {
    "two swap": lambda t: rounds.swap(
        round_id=t.rounds.get(number=2).pk,
        entry_id=t.rounds.get(number=2).places.get(table__number=1, index=0).entry_id,
        other_id=t.rounds.get(number=2).places.get(table__number=2, index=0).entry_id,
    ),
    "somebody leaves": lambda t: leave(t, 1),
    "a name is put right": lambda t: t.entries.get(number=1).rename("Adah"),
    "something is said": lambda t: t.announcements.create(text="Soup", made_at=NOW),
    "another seed": lambda t: drawing.draw(tournament_id=t.pk, seed=77),
    "unlisted": lambda t: Tournament.objects.update(listing="unlisted"),
    "hidden standings": lambda t: Tournament.objects.update(standings_shown="finished"),
    "the projector": lambda t: Tournament.objects.update(screen="clock"),
    "taken back": lambda t: rounds.cancel(round_id=t.rounds.get(number=2).pk),
    "published": lambda t: rounds.publish(round_id=t.rounds.get(number=2).pk),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_desk_follows_whatever_a_second_director_does(change: str) -> None:
    tournament = played(8)
    Tournament.objects.update(rounds_planned=2)
    drawing.draw(tournament_id=tournament.pk)
    client = director(tournament)
    digest = client.get(at("desk", tournament)).context["desk"].digest
    live = f"{at('desk_live', tournament)}?v={digest}"
    assert client.get(live).status_code == 204
    CHANGES[change](tournament)
    assert client.get(live).status_code == 200


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (lambda one: enter_points(match_of(one.tables.get()), [4, 3, 2, 1]), "hand 2"),
        (
            lambda one: rounds.set_clock(round_id=one.pk, verb="last_hand", now=NOW),
            "Last hand called",
        ),
    ],
    ids=["a hand", "the last hand"],
)
def test_the_desk_follows_a_round(change: Callable[[Round], None], seen: str) -> None:
    tournament = tournament_with(4)
    one = running_round(tournament)
    client = director(tournament)
    digest = client.get(at("desk", tournament)).context["desk"].digest
    change(one)
    assert seen in text(client, f"{at('desk_live', tournament)}?v={digest}")


# The way between match and desk


def test_a_match_and_a_table_lead_who_directs_to_the_desk_and_nobody_else() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    desk = f'href="{at("desk", tournament)}"'
    stranger = Client()
    stranger.force_login(UserFactory.create())
    for url in (
        match_of(table).get_absolute_url(),
        at("table", tournament, 1, 1),
        at("round", tournament, 1),
    ):
        assert desk in text(director(tournament), url)
        assert desk not in text(stranger, url)
        assert desk not in text(Client(), url)


def test_a_table_of_an_earlier_round_is_put_right_on_its_own_page() -> None:
    tournament = tournament_with(4, rounds_planned=2)
    play_round(running_round(tournament))
    rounds.close(round_id=tournament.rounds.get(number=1).pk, now=timezone.now())
    running_round(tournament)
    page = at("table", tournament, 1, 1)
    void = at("table_act", tournament, 1, 1, "void")
    viewer = signed_in(tournament.club, Role.VIEWER)
    assert void not in text(viewer, page)
    scorer = director(tournament)
    assert void in text(scorer, page)
    assert at("round", tournament, 1) in text(scorer, at("desk", tournament))
    follow(scorer, void, sure="1")
    assert Table.objects.get(round__number=1).void
    assert at("table_act", tournament, 1, 1, "restore") in text(scorer, page)


# Words where something was done


def test_who_leaves_is_said_with_the_rounds_that_have_a_seat_for_them_still() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client = director(tournament)
    drawing.draw(tournament_id=tournament.pk)
    said = follow(client, at("entry_act", tournament, 1), state="dropped")
    assert "Ada has left, and can come back." in said
    assert "They still have a seat (rounds 1, 2): see the desk." in said


@pytest.mark.parametrize(
    ("name", "posted", "said"),
    [
        ("screen", {"screen": "clock", "standings_shown": "live"}, "It is shown so."),
        ("entry_correct", {"name": "Adah"}, "“Ada” is “Adah” now."),
        ("entry_substitute", {"name": "Zoe"}, "Zoe plays for Ada."),
        ("penalties", {"points": "1", "reason": "late"}, "The penalty counts"),
    ],
)
def test_what_is_kept_is_said_to_be(
    name: str, posted: dict[str, object], said: str
) -> None:
    tournament = tournament_with(4)
    of_entry = [1] if name.startswith("entry_") else []
    if name == "penalties":
        posted = {**posted, "entry": tournament.entries.get(number=1).pk}
    url = at(name, tournament, *of_entry)
    assert said in follow(director(tournament), url, **posted)


def test_what_is_printed_for_a_round_stands_in_one_place_on_the_desk() -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    running_round(tournament)
    page = text(client, at("desk", tournament))
    prints = page.partition('id="desk-prints"')[2].partition("</details>")[0]
    for name in ("wall", "cards", "slips"):
        assert at(name, tournament, 1) in prints
        assert page.count(f'href="{at(name, tournament, 1)}"') == 1


def test_how_a_night_is_drawn_is_said_in_whole_sentences_after_a_swap_too() -> None:
    tournament = tournament_with(8, rounds_planned=3)
    client = director(tournament)
    drawing.draw(tournament_id=tournament.pk)
    assert "In all rounds drawn with it: " in text(client, at("desk", tournament))
    one = tournament.rounds.get(number=1)
    first, second = (one.places.get(table__number=number, index=0) for number in (1, 2))
    swapped = {"entry": first.entry_id, "other": second.entry_id}
    said = follow(client, at("round_act", tournament, 1, "swap"), **swapped)
    assert "They have changed places." in said
    assert "In all rounds drawn with it" not in said


def test_names_stay_in_the_form_where_one_of_them_cannot_be() -> None:
    tournament = tournament_with(2)
    url = at("entries", tournament)
    names = ["Cy Coe", "Player 1", "x" * 60]
    page = director(tournament).post(url, {"names": "\n".join(names)})
    form = page.context["form"]
    assert form["names"].value().splitlines() == names
    assert page.context["doubles"] is None
    # Above the page, for the form may be out of sight, and beside the field.
    assert [str(said) for said in page.context["messages"]] == form.errors["names"]
    assert tournament.entries.count() == 2
