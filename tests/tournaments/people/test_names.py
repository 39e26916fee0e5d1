"""Names by people's rules: sorted, found without marks, and asked about when alike."""

import re
from itertools import permutations

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.names import normalize_text
from tests.factories.tournaments import signed_in, tournament_with
from tests.tournaments.web.pages import at
from tournaments.changes import RefusedError
from tournaments.event import entries
from tournaments.history.personal_data import rename_person
from tournaments.history.search import search_club
from tournaments.models import Circuit, Club, Entry, Role, Tournament
from tournaments.names import name_key, similarity_keys
from tournaments.people.identities import people_in_club
from tournaments.people.similar_names import MOST_ALIKE, find_similar_players

pytestmark = pytest.mark.django_db
NAMES = ["Zoe", "Çelik", "Émilie", "Emil", "Cz", "Ådne", "Øyvind", "Otto", "d’Arc"]
SORTED = ["Ådne", "Çelik", "Cz", "d’Arc", "Emil", "Émilie", "Otto", "Øyvind", "Zoe"]


def alike(name: str, other: str) -> bool:
    return not similarity_keys(name).isdisjoint(similarity_keys(other))


@pytest.mark.database
def test_python_and_database_sort_names_alike(club: Club) -> None:
    tournament = tournament_with(NAMES, club=club)
    listed = tournament.entries.order_by("name_key").values_list("name", flat=True)
    assert list(listed) == sorted(NAMES, key=name_key) == SORTED
    assert [person.player.name for person in people_in_club(club)] == SORTED


@pytest.mark.database
@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("emilie", "Émilie Dupont"),
        ("grossmann", "Karl Großmann"),
        ("OYVIND", "Øyvind"),
        ("  karl   gross ", "Karl Großmann"),
        ("obrien", "Pat O’Brien"),
        ("O'Brien", "Pat O’Brien"),
        ("O’BRIEN", "Pat O’Brien"),
    ],
)
def test_name_is_found_without_diacritics(club: Club, typed: str, name: str) -> None:
    names = ["Émilie Dupont", "Karl Großmann", "Øyvind", "Pat O’Brien", "Bo"]
    tournament_with(names, club=club)
    assert [player[1] for player in search_club(club, typed).players] == [name]


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("Emilie", "Émilie", True),
        ("Müller Anna", "Anna Müller", True),
        ("Ann-Marie", "Annmarie", True),
        ("Katrina Berg", "Katarina Berg", True),
        ("Anna Meier", "Anna Meyer", True),
        ("Christian", "Chrsitian", True),
        ("Bär", "Baer", True),
        ("Jörg", "JOERG", True),
        ("Jürgen Größe", "Groesse, Juergen", True),
        ("Jan", "Jon", False),
        ("Anna Meier", "Anne Meyer", False),
        ("Ann", "Anna", False),
        ("Player 12", "Player 13", False),
        ("Player 1", "Player 12", False),
        ("👩\u200d🌾", "🏴\u200d☠️", False),
        ("👩\u200d🌾", "👩🌾", True),
        ("!", "?", False),
    ],
)
def test_similar_names_are_detected(*, name: str, other: str, expected: bool) -> None:
    assert alike(name, other) == alike(other, name) == expected


@given(st.text(min_size=1, max_size=40), st.integers(0, 38))
def test_long_name_is_similar_with_any_letter_missing(name: str, at: int) -> None:
    letters = "".join(letter for letter in name_key(name) if letter.isalpha())
    if len(letters) > 8:
        assert alike(letters, letters[:at] + letters[at + 1 :])
    assert alike(name, f"  {name} ".upper().lower()) or not name_key(name)
    assert normalize_text(normalize_text(name)) == normalize_text(name)


@pytest.mark.database
def test_similar_players_of_a_name_list_take_two_queries(
    club: Club, django_assert_num_queries: object
) -> None:
    tournament_with(["Émilie", "Anna Müller", "Bo"], club=club)
    tournament_with(["Émilie", "Bo"], club=club)
    Tournament.objects.filter(club=club).update(phase=Tournament.Phase.FINISHED)
    with django_assert_num_queries(2):  # type: ignore[operator]
        doubles = find_similar_players(
            club, ["Emilie", "bo", "Müller Anna", "Zed", "Katrina B", "Katarina B"]
        )
    assert {
        name: [(known.name, known.tournaments) for known in players]
        for name, players in doubles.items()
    } == {
        "Emilie": [("Émilie", 2)],
        "Müller Anna": [("Anna Müller", 1)],
        "Katarina B": [("Katrina B", 0)],
    }


def named(tournament: Tournament) -> list[tuple[str, str]]:
    """Return the entries by their names, with the names of the players."""
    rows = Entry.objects.filter(tournament=tournament).by_number()
    return list(rows.values_list("name", "player__name"))


@pytest.mark.parametrize(
    ("phase", "state", "count"),
    [
        (Tournament.Phase.FINISHED, Entry.State.PRESENT, 1),
        (Tournament.Phase.FINISHED, Entry.State.DROPPED, 1),
        (Tournament.Phase.FINISHED, Entry.State.NO_SHOW, 0),
        (Tournament.Phase.FINISHED, Entry.State.WAITING, 0),
        (Tournament.Phase.RUNNING, Entry.State.PRESENT, 0),
    ],
)
def test_known_name_counts_finished_tournaments_only(
    club: Club, phase: Tournament.Phase, state: Entry.State, count: int
) -> None:
    tournament = tournament_with(["Émilie"], club=club)
    Tournament.objects.filter(pk=tournament.pk).update(phase=phase)
    tournament.entries.update(state=state)
    (known,) = find_similar_players(club, ["Emilie"])["Emilie"]
    assert (known.tournaments, known.is_listed) == (count, False)


def test_pasted_list_reports_the_line_with_a_hidden_character(club: Club) -> None:
    tournament = tournament_with([], club=club)
    client, url = signed_in(club, Role.SCORER), at("entries", tournament)
    refused = client.post(url, {"names": "Ann\nB\u202eo\nCy"}, follow=True)
    assert "“Bo” has a hidden character" in refused.content.decode()
    assert not tournament.entries.exists()
    # A line without a visible character is no name.
    client.post(url, {"names": "Ann\n\u3164\u200b\nBo"})
    assert named(tournament) == [("Ann", "Ann"), ("Bo", "Bo")]


def test_joining_under_a_similar_name_needs_confirmation(club: Club) -> None:
    tournament_with(["Émilie"], club=club)
    tournament = tournament_with([], club=club)
    url, client = at("join", tournament), Client()
    answer = client.post(url, {"name": "emilie"})
    assert "Who is “emilie”?" in answer.content.decode()
    assert named(tournament) == []
    # A name other than the confirmed one is checked again.
    client.post(url, {"name": "Zed", "asked": "emilie", "who-0": "new"})
    assert named(tournament) == [("Zed", "Zed")]
    sent = {"name": "emilie", "asked": "emilie", "who-0": "is:Émilie"}
    Client().post(url, sent)
    assert named(tournament)[1:] == [("Émilie", "Émilie")]


def test_substitute_with_a_similar_name_needs_confirmation(club: Club) -> None:
    tournament_with(["Émilie"], club=club)
    tournament = tournament_with(["Bo", "Cy"], club=club)
    url, client = at("entry_substitute", tournament, 1), signed_in(club, Role.SCORER)
    answer = client.post(url, {"name": "Emilie"})
    assert "Who is “" in answer.content.decode()
    client.post(url, {"name": "Emilie", "asked": "Emilie", "who-0": "is:Émilie"})
    assert named(tournament)[0] == ("Émilie", "Émilie")


def test_similar_names_per_player_are_limited(
    club: Club,
) -> None:
    names = [" ".join(order) for order in permutations("ABCDEFG")]
    doubles = find_similar_players(club, names)
    assert max(map(len, doubles.values())) == MOST_ALIKE


@pytest.mark.parametrize(
    "twin",
    ["E\u0301milie", "ÉMILIE", "Émi\u200elie", " Émilie "],
    ids=["decomposed", "capitals", "directional mark", "spaces"],
)
def test_treats_other_spellings_as_the_same_name(club: Club, twin: str) -> None:
    tournament = tournament_with(["Émilie"], club=club)
    entered = entries.add_entries(
        tournament_id=tournament.pk, names=[twin], now=tournament.starts_at
    )
    assert not entered.entries
    assert len(entered.known_entries) == 1


@pytest.mark.parametrize(
    "twin", ["\u0410nn\u0430", "Ann\u03b1"], ids=["Cyrillic", "Greek"]
)
def test_rejects_lookalikes_from_another_alphabet(club: Club, twin: str) -> None:
    tournament = tournament_with(["Anna", "Bo"], club=club)
    assert find_similar_players(club, [twin])
    with pytest.raises(RefusedError, match="looks like"):
        entries.add_entries(
            tournament_id=tournament.pk, names=[twin], now=tournament.starts_at
        )
    entry = tournament.entries.by_number()[1]
    with pytest.raises(RefusedError, match="another"):
        rename_person(
            club=club,
            player_id=entry.player_id,
            name=twin,
            user=None,
            now=tournament.starts_at,
        )


def test_lookalikes_of_an_earlier_release_block_no_other_name(club: Club) -> None:
    tournament = tournament_with(["Anna", "Bo"], club=club)
    tournament.entries.filter(name="Bo").update(name="\u0410nna")
    names = ["Anna", "\u0410nna", "Cy"]
    entered = entries.add_entries(
        tournament_id=tournament.pk, names=names, now=tournament.starts_at
    )
    assert [entry.name for entry in entered.entries] == ["Cy"]
    with pytest.raises(RefusedError, match="looks like"):
        entries.add_entries(
            tournament_id=tournament.pk, names=["C\u0443"], now=tournament.starts_at
        )


@pytest.mark.parametrize("name", ["山田クラブ", "باشگاه تهران", "👩\u200d🌾"])
def test_accepts_non_latin_names_for_clubs_circuits_and_seasons(
    club: Club, name: str
) -> None:
    client = signed_in(club)
    client.post(reverse("tournaments:clubs"), {"name": name})
    assert Club.objects.filter(name=name).exists()
    counts = {"counts": "points", "best_of": "0", "lasts_days": "0"}
    counts |= {"least_attendance": "0", "keep_percent": "100", "name": name}
    client.post(reverse("tournaments:club_circuits", args=[club.slug]), counts)
    circuit = Circuit.objects.get(name=name)
    assert client.get(circuit.get_absolute_url()).status_code == 200
    days = {"starts_on": "2027-01-01", "ends_on": "2027-12-31"}
    client.post(reverse("tournaments:seasons", args=[club.slug]), counts | days)
    season = club.seasons.get(name=name)
    assert client.get(season.get_absolute_url()).status_code == 200


def test_asks_about_sharp_s_instead_of_merging(club: Club) -> None:
    tournament_with(["Karl Strauss"], club=club)
    (known,) = find_similar_players(club, ["Karl Strauß"])["Karl Strauß"]
    assert known.name == "Karl Strauss"
    tonight = tournament_with(["Karl Strauss"], club=club)
    entered = entries.add_entries(
        tournament_id=tonight.pk, names=["Karl Strauß"], now=tonight.starts_at
    )
    assert [entry.name for entry in entered.entries] == ["Karl Strauß"]


@pytest.mark.parametrize("page", ["entry_edit", "player_edit"])
def test_rename_to_a_similar_name_needs_confirmation(club: Club, page: str) -> None:
    tournament_with(["Karl Strauß"], club=club)
    tournament = tournament_with(["Charles"], club=club)
    player = tournament.entries.get().player_id
    client = signed_in(club)
    url = (
        at(page, tournament, 1)
        if page == "entry_edit"
        else reverse("tournaments:player_edit", args=[club.slug, player])
    )
    question = client.post(url, {"name": "Karl Strauss"}).content.decode()
    assert "“Karl Strauss” may be Karl Strauß." in question
    assert "“Karl Strauss” is a different person" in question
    assert named(tournament) == [("Charles", "Charles")]
    # A confirmation is for one name alone.
    sent = {"name": "Karl Straus", "is_another": "Karl Strauss"}
    again = client.post(url, sent).content.decode()
    (box,) = re.findall(r'<input type="checkbox" name="is_another"[^>]*>', again)
    assert 'value="Karl Straus"' in box
    assert "checked" not in box
    assert named(tournament) == [("Charles", "Charles")]
    client.post(url, {"name": "Karl Strauss", "is_another": "Karl Strauss"})
    assert named(tournament) == [("Karl Strauss", "Karl Strauss")]
