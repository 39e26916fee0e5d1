"""Names are sorted and found without diacritics; similar ones need confirmation."""

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


def are_similar(name: str, other: str) -> bool:
    return not similarity_keys(name).isdisjoint(similarity_keys(other))


@pytest.mark.database
def test_python_and_database_sort_names_alike(club: Club) -> None:
    tournament = tournament_with(NAMES, club=club)
    names = tournament.entries.order_by("name_key").values_list("name", flat=True)
    assert list(names) == sorted(NAMES, key=name_key) == SORTED
    assert [person.player.name for person in people_in_club(club)] == SORTED


@pytest.mark.database
@pytest.mark.parametrize(
    ("query", "name"),
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
def test_name_is_found_without_diacritics(club: Club, query: str, name: str) -> None:
    names = ["Émilie Dupont", "Karl Großmann", "Øyvind", "Pat O’Brien", "Bo"]
    tournament_with(names, club=club)
    assert [player[1] for player in search_club(club, query).players] == [name]


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
    assert are_similar(name, other) == are_similar(other, name) == expected


@given(st.text(min_size=1, max_size=40), st.integers(0, 38))
def test_long_name_is_similar_with_any_letter_missing(name: str, at: int) -> None:
    letters = "".join(letter for letter in name_key(name) if letter.isalpha())
    if len(letters) > 8:
        assert are_similar(letters, letters[:at] + letters[at + 1 :])
    assert are_similar(name, f"  {name} ".upper().lower()) or not name_key(name)
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


def entry_and_player_names(tournament: Tournament) -> list[tuple[str, str]]:
    """Return the names of the entries and of their players."""
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
    response = client.post(url, {"names": "Ann\nB\u202eo\nCy"}, follow=True)
    assert "“Bo” has a hidden character" in response.content.decode()
    assert not tournament.entries.exists()
    # A line without a visible character is not a name.
    client.post(url, {"names": "Ann\n\u3164\u200b\nBo"})
    assert entry_and_player_names(tournament) == [("Ann", "Ann"), ("Bo", "Bo")]


def test_joining_under_a_similar_name_needs_confirmation(club: Club) -> None:
    tournament_with(["Émilie"], club=club)
    tournament = tournament_with([], club=club)
    url, client = at("join", tournament), Client()
    response = client.post(url, {"name": "emilie"})
    assert "Who is “emilie”?" in response.content.decode()
    assert entry_and_player_names(tournament) == []
    # A name other than the confirmed one is checked again.
    client.post(url, {"name": "Zed", "asked": "emilie", "who-0": "new"})
    assert entry_and_player_names(tournament) == [("Zed", "Zed")]
    fields = {"name": "emilie", "asked": "emilie", "who-0": "is:Émilie"}
    Client().post(url, fields)
    assert entry_and_player_names(tournament)[1:] == [("Émilie", "Émilie")]


def test_substitute_with_a_similar_name_needs_confirmation(club: Club) -> None:
    tournament_with(["Émilie"], club=club)
    tournament = tournament_with(["Bo", "Cy"], club=club)
    url, client = at("entry_substitute", tournament, 1), signed_in(club, Role.SCORER)
    response = client.post(url, {"name": "Emilie"})
    assert "Who is “" in response.content.decode()
    client.post(url, {"name": "Emilie", "asked": "Emilie", "who-0": "is:Émilie"})
    assert entry_and_player_names(tournament)[0] == ("Émilie", "Émilie")


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
    result = entries.add_entries(
        tournament_id=tournament.pk, names=[twin], now=tournament.starts_at
    )
    assert not result.entries
    assert len(result.known_entries) == 1


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
    with pytest.raises(RefusedError, match="already has a player"):
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
    result = entries.add_entries(
        tournament_id=tournament.pk, names=names, now=tournament.starts_at
    )
    assert [entry.name for entry in result.entries] == ["Cy"]
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
    circuit_fields = {"counts": "points", "best_of": "0", "lasts_days": "0"}
    circuit_fields |= {"least_attendance": "0", "keep_percent": "100", "name": name}
    client.post(reverse("tournaments:club_circuits", args=[club.slug]), circuit_fields)
    circuit = Circuit.objects.get(name=name)
    assert client.get(circuit.get_absolute_url()).status_code == 200
    season_days = {"starts_on": "2027-01-01", "ends_on": "2027-12-31"}
    client.post(
        reverse("tournaments:seasons", args=[club.slug]), circuit_fields | season_days
    )
    season = club.seasons.get(name=name)
    assert client.get(season.get_absolute_url()).status_code == 200


def test_asks_about_sharp_s_instead_of_merging(club: Club) -> None:
    tournament_with(["Karl Strauss"], club=club)
    (known,) = find_similar_players(club, ["Karl Strauß"])["Karl Strauß"]
    assert known.name == "Karl Strauss"
    tonight = tournament_with(["Karl Strauss"], club=club)
    result = entries.add_entries(
        tournament_id=tonight.pk, names=["Karl Strauß"], now=tonight.starts_at
    )
    assert [entry.name for entry in result.entries] == ["Karl Strauß"]


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
    assert entry_and_player_names(tournament) == [("Charles", "Charles")]
    # A confirmation is for one name alone.
    fields = {"name": "Karl Straus", "is_another": "Karl Strauss"}
    page_again = client.post(url, fields).content.decode()
    (checkbox,) = re.findall(
        r'<input type="checkbox" name="is_another"[^>]*>', page_again
    )
    assert 'value="Karl Straus"' in checkbox
    assert "checked" not in checkbox
    assert entry_and_player_names(tournament) == [("Charles", "Charles")]
    client.post(url, {"name": "Karl Strauss", "is_another": "Karl Strauss"})
    assert entry_and_player_names(tournament) == [("Karl Strauss", "Karl Strauss")]
