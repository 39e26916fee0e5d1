"""What is done at the desk: asked about where it destroys, said once done, and put back."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    closed_round,
    director,
    enter_points,
    match_of,
    play_and_close,
    play_round,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.desk.test_evening import played
from tests.tournaments.web.pages import at, messages, submit, text
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.models import Entry, Place, Role, Round, Table, Tournament, User

pytestmark = pytest.mark.django_db


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
    asked = submit(client, at("draw", tournament))
    assert "Go on as a planned night?" in asked
    assert "A round robin is drawn once, for those who begin it." in asked
    submit(client, at("draw", tournament), sure="1")
    tournament.refresh_from_db()
    assert (tournament.format, tournament.rounds.count()) == ("planned", 4)
    seated = Place.objects.filter(round__tournament=tournament, round__number__gt=1)
    assert not seated.filter(entry__state="dropped").exists()
    assert one.places.filter(entry__state="dropped").exists()


@pytest.mark.parametrize(("players", "drawn"), [(9, 4), (13, 0)])
def test_round_robin_of_a_number_without_a_schedule_asks_to_be_a_planned_night(
    players: int, drawn: int
) -> None:
    robin = {"format": "round_robin", "table_size": 3, "rounds_planned": 3}
    tournament = tournament_with(players, **robin)
    client = director(tournament)
    asked = submit(client, at("draw", tournament))
    assert ("No schedule is known in which 13 players" in asked) == (not drawn)
    assert tournament.rounds.count() == drawn
    if not drawn:
        submit(client, at("draw", tournament), sure="1")
        assert tournament.rounds.count() == 3


# The end, while a draw waits


def test_a_tournament_is_finished_though_a_drawn_round_waits() -> None:
    tournament = tournament_with(8, rounds_planned=3)
    client = director(tournament)
    one = running_round(tournament)
    assert at("finish", tournament) not in text(client, at("desk", tournament))
    play_and_close(one, now=timezone.now())
    before = seating(tournament.rounds.get(number=2))
    assert at("finish", tournament) in text(client, at("desk", tournament))
    asked = submit(client, at("finish", tournament))
    assert "Round 2 is drawn and was not played: its draw is taken back." in asked
    assert tournament.rounds.count() == 3
    said = submit(client, at("finish", tournament), sure="1")
    assert "“Thursday” is finished." in said
    assert list(tournament.rounds.values_list("number", flat=True)) == [1]
    assert "“Thursday” goes on." in submit(client, at("reopen", tournament))
    submit(client, at("draw_restore", tournament))
    assert seating(tournament.rounds.get(number=2)) == before


def test_finishing_names_open_results_and_refuses_a_dispute() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="one")
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now(), override="late")
    asked = submit(client, at("finish", tournament))
    for number in (1, 2):
        assert f"Table {number} has not agreed to its result." in asked
    results.dispute(table_id=one.tables.all()[0].pk, now=timezone.now())
    said = submit(client, at("finish", tournament))
    assert "the result is disputed. Settle it first." in said
    assert "Finish the tournament?" not in said


def test_finishing_names_the_final_and_each_stopped_table_once() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="one", tie_breaks=["lot"])
    client = director(tournament)
    one = running_round(tournament)
    play_table(one.tables.get(number=1), [20, 12, 5, 1])
    enter_points(match_of(one.tables.get(number=2)), [9, 5, 3, 1])
    rounds.close(round_id=one.pk, now=NOW, override="late")
    asked = submit(client, at("finish", tournament))
    assert "Table 1 has not agreed to its result." in asked
    assert asked.count("able 2 ") == 1
    submit(client, at("lots", tournament))
    drawing.cut(tournament_id=tournament.pk, size=4, now=NOW)
    final = running_round(tournament)
    play_table(final.tables.get(), [20, 12, 5, 1])
    rounds.close(round_id=final.pk, now=NOW, override="late")
    asked = submit(client, at("finish", tournament))
    assert "The final has not agreed to its result." in asked
    assert "Table 1 has not agreed" not in asked


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
    asked = submit(client, at("round_act", tournament, 1, "cancel"))
    assert "It can be put back until something else is drawn." in asked
    assert "Its clock stops, and the sheets of its tables go." in asked
    assert "Round 2 was drawn after it, and is taken back as well." in asked
    said = submit(client, at("round_act", tournament, 1, "cancel"), sure="1")
    assert "Round 1: the draw is taken back." in said
    assert "Put it back as it was" in said
    assert "The draw is as it was: Round 1 and Round 2." in submit(
        client, at("draw_restore", tournament)
    )
    again = list(tournament.rounds.order_by("number"))
    assert [seating(round_) for round_ in again] == before
    assert [round_.state for round_ in again] == ["published", "drawn"]
    assert "Put it back as it was" not in text(client, at("desk", tournament))
    rounds.start(round_id=again[0].pk, now=timezone.now())


def test_draw_from_results_of_a_reopened_round_is_not_put_back() -> None:
    tournament = tournament_with(8, rounds_planned=3, format=Tournament.Format.SWISS)
    client = director(tournament)
    one = closed_round(tournament, now=timezone.now())
    drawing.draw(tournament_id=tournament.pk)
    taken = submit(client, at("round_act", tournament, 2, "cancel"), sure="1")
    assert "Put it back as it was" in taken
    rounds.reopen_round(round_id=one.pk)
    rounds.close(round_id=one.pk, now=timezone.now())
    assert "Put it back as it was" not in text(client, at("desk", tournament))


@pytest.mark.parametrize(
    ("meanwhile", "said", "drawn"),
    [
        (lambda t: drawing.draw(tournament_id=t.pk), "No draw was taken back", 1),
        (
            lambda t: entries.remove_entry(entry_id=t.entries.get(number=3).pk),
            "off the list now",
            0,
        ),
    ],
    ids=["another draw", "off the list"],
)
def test_what_was_taken_back_is_not_put_back_where_it_fits_no_longer(
    meanwhile: Callable[[Tournament], object], said: str, drawn: int
) -> None:
    tournament = tournament_with(8, rounds_planned=1)
    client = director(tournament)
    (one,) = drawing.draw(tournament_id=tournament.pk)
    submit(client, at("round_act", tournament, one.number, "cancel"), sure="1")
    meanwhile(tournament)
    assert said in submit(client, at("draw_restore", tournament))
    assert tournament.rounds.count() == drawn


# Asked, and said


def test_a_table_is_never_made_void_without_a_question_and_names_who_did() -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    User.objects.update(first_name="Eva")
    table = running_round(tournament).tables.get()
    asked = submit(client, at("table_act", tournament, 1, 1, "void"))
    assert "Void table 1?" in asked
    assert "No hand of it is in yet." in asked
    enter_points(match_of(table), [9, 5, 3, 1])
    assert "Ada: 9" in submit(client, at("table_act", tournament, 1, 1, "void"))
    table.refresh_from_db()
    assert not table.void
    said = submit(client, at("table_act", tournament, 1, 1, "void"), sure="1")
    assert "Table 1 is void. It can be counted again." in said
    assert "by Eva" in said
    assert "Eva made it void" in text(Client(), at("table", tournament, 1, 1))
    assert "Table 1 counts again." in submit(
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
    asked = submit(client, at("round_act", tournament, 1, "close"), override="late")
    assert "Round 1: close with all that is open?" in asked
    assert "Table 1 is not finished." in asked
    play_round(one)
    assert "desk-override" not in text(client, at("desk", tournament))


# The whole desk, live


CHANGES: dict[str, Callable[[Tournament], object]] = {
    "two swap": lambda t: rounds.swap(
        round_id=t.rounds.get(number=2).pk,
        entry_id=t.rounds.get(number=2).places.get(table__number=1, index=0).entry_id,
        other_id=t.rounds.get(number=2).places.get(table__number=2, index=0).entry_id,
    ),
    "somebody leaves": lambda t: leave(t, 1),
    "another seed": lambda t: drawing.draw(tournament_id=t.pk, seed=77),
    "unlisted": lambda t: Tournament.objects.update(listing="unlisted"),
    "hidden standings": lambda t: Tournament.objects.update(standings_shown="finished"),
    "the projector": lambda t: Tournament.objects.update(screen="clock"),
    "taken back": lambda t: rounds.cancel(round_id=t.rounds.get(number=2).pk),
    "drawn": lambda t: drawing.draw(tournament_id=t.pk),
    "published": lambda t: rounds.publish(round_id=t.rounds.get(number=2).pk),
    "a hand": lambda t: enter_points(
        match_of(running_round(t).tables.all()[0]), [4, 3, 2, 1]
    ),
}


def test_the_desk_follows_whatever_a_second_director_does() -> None:
    tournament = played(8)
    Tournament.objects.update(rounds_planned=2)
    drawing.draw(tournament_id=tournament.pk)
    client = director(tournament)
    for name, change in CHANGES.items():
        version = client.get(at("desk", tournament)).context["version"]
        live = f"{at('desk_live', tournament)}?v={version}"
        assert client.get(live).status_code == 204, name
        change(tournament)
        assert client.get(live).status_code == 200, name


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
    submit(scorer, void, sure="1")
    assert Table.objects.get(round__number=1).void
    assert at("table_act", tournament, 1, 1, "restore") in text(scorer, page)


# Words where something was done


def test_what_is_done_is_said() -> None:
    tournament = tournament_with(4, rounds_planned=2)
    drawing.draw(tournament_id=tournament.pk)
    client = director(tournament)
    shown = {"screen": "clock", "standings_shown": "live"}
    penalty = {"points": "1", "reason": "late"}
    penalty |= {"entry": str(tournament.entries.get(number=1).pk)}
    left = "Zoe has left, and can come back. They still have a seat (rounds 1, 2): see the desk."
    for name, parts, sent, said in (
        ("screen", [], shown, "It is shown so."),
        ("penalties", [], penalty, "The penalty counts from now on."),
        ("entry_correct", [1], {"name": "Adah"}, "“Ada” is “Adah” now."),
        ("entry_substitute", [1], {"name": "Zoe"}, "Zoe plays for Adah."),
        ("entry_act", [1], {"state": "dropped"}, left),
        ("entry_act", [1], {"state": "present"}, "Zoe: here."),
        ("round_act", [1, "publish"], {}, "Round 1: the seating is published."),
        ("round_act", [1, "start"], {}, "Round 1 runs."),
        (
            "round_act",
            [1, "close"],
            {"override": "late", "sure": "1"},
            "Round 1 is closed, and its standings are saved.",
        ),
    ):
        assert said in messages(client, at(name, tournament, *parts), **sent), name


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
    said = submit(client, at("round_act", tournament, 1, "swap"), **swapped)
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
