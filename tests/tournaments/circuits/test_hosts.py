"""Results between two hosts: signed on one, brought in on the other, refused where anything is off."""

import json
from collections.abc import Callable
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.models import Player
from tests.factories.circuits import circuit_of, counts_in, on_host
from tests.factories.history import count, counted
from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory
from tournaments.changes import RefusedError
from tournaments.circuits.boards import CircuitAsked, circuit_board
from tournaments.circuits.documents import (
    LARGEST_DOCUMENT,
    canonical,
    read_signed,
    signed_document,
)
from tournaments.circuits.guests import (
    Became,
    bring_in,
    distrust_host,
    take_out,
    trust_host,
)
from tournaments.circuits.host_keys import public_key, sign
from tournaments.circuits.persons import say_same
from tournaments.event.results import penalise
from tournaments.event.setup.settings import change_settings
from tournaments.history.personal_data import erase_person
from tournaments.models import (
    Circuit,
    GuestPlayer,
    GuestResult,
    GuestTournament,
    Tournament,
)
from tournaments.people.clubs import rename_club

pytestmark = pytest.mark.django_db
TODAY = date(2026, 12, 31)


class Hosts(NamedTuple):
    """A night on one host, and a circuit on another that trusts it."""

    night: Tournament
    circuit: Circuit
    there: Path

    def sign(self) -> bytes:
        """Return the night as its host signs it now."""
        self.night.refresh_from_db()
        with on_host(self.there):
            return signed_document(self.night)

    def signed(self, change: Callable[[dict[str, Any]], object]) -> bytes:
        """Return a document that its host signed with something else in it."""
        document = json.loads(self.sign())
        change(document)
        del document["signature"]
        with on_host(self.there):
            return canonical({**document, "signature": sign(canonical(document))})

    def bring(self, content: bytes) -> Became:
        """Bring a document in, and return what became of it."""
        return bring_in(
            circuit_id=self.circuit.pk, content=content, by=None, now=timezone.now()
        ).became

    def points(self) -> dict[str, str]:
        """Return the circuit's leaderboard."""
        lines = circuit_board(CircuitAsked(circuit=self.circuit), TODAY)
        return {line.name: str(line.points) for line in lines}


@pytest.fixture
def hosts(tmp_path: Path) -> Hosts:
    night = counted("2026-03-05", ["Ada", "Bea", "Cy", "Dan", "Eva"], name="Harbour 1")
    circuit = circuit_of(ClubFactory.create())
    with on_host(tmp_path / "there"):
        key = public_key()
    trust_host(circuit_id=circuit.pk, name="Harbour", key=key, by=None, now=NOW)
    return Hosts(night, circuit, tmp_path / "there")


def stored() -> tuple[int, int, int]:
    return (
        GuestTournament.objects.count(),
        GuestResult.objects.count(),
        Player.objects.count(),
    )


def corrected(hosts: Hosts) -> bytes:
    """Return the night once somebody has lost points of it."""
    entry = hosts.night.entries.get(name="Ada")
    penalise(entry=entry, points="9", reason="late", by=None, now=NOW)
    count(hosts.night.club, NOW)
    return hosts.sign()


def test_a_night_of_another_host_counts_as_it_counts_there(hosts: Hosts) -> None:
    assert hosts.bring(hosts.sign()) == Became.ADDED
    own = {
        result.player.name: result.place_points
        for result in hosts.night.results.current()
    }
    assert hosts.points() == own


def test_the_document_carries_its_tables_and_they_lead_to_its_places(
    hosts: Hosts,
) -> None:
    assert len(json.loads(hosts.sign())["tournament"]["event"]["tables"]) == 1


def test_a_document_says_nothing_of_the_address_of_its_night(hosts: Hosts) -> None:
    content = hosts.sign().decode()
    assert hosts.night.address not in content
    assert hosts.night.code not in content


def test_the_same_document_again_changes_nothing(hosts: Hosts) -> None:
    hosts.bring(hosts.sign())
    before = stored()
    assert hosts.bring(hosts.sign()) == Became.REPEATED
    assert stored() == before


def test_a_corrected_one_takes_the_place_of_the_one_before_which_stays(
    hosts: Hosts,
) -> None:
    hosts.bring(hosts.sign())
    before, people = hosts.points(), Player.objects.count()
    assert hosts.bring(corrected(hosts)) == Became.CORRECTED
    assert hosts.points() != before
    assert hosts.points().keys() == before.keys()
    assert GuestTournament.objects.count() == 2
    assert GuestTournament.objects.current().count() == 1
    assert Player.objects.count() == people


def test_one_that_is_called_otherwise_since_is_a_later_one(hosts: Hosts) -> None:
    hosts.bring(hosts.sign())
    rename_club(club_id=hosts.night.club_id, name="The Harbour")
    assert hosts.bring(hosts.sign()) == Became.CORRECTED
    hosts.night.name = "Harbour night"
    change_settings(tournament=hosts.night, fields=["name"])
    count(hosts.night.club, NOW)
    assert hosts.bring(hosts.sign()) == Became.CORRECTED
    guest = GuestTournament.objects.current().get()
    assert (guest.club_name, guest.name) == ("The Harbour", "Harbour night")


def test_a_name_that_is_erased_is_gone_from_what_another_host_signed(
    hosts: Hosts,
) -> None:
    club = hosts.circuit.parts.get().club
    counts_in(
        hosts.circuit, counted("2026-03-12", ["Adalbert", "Gus", "Hal"], club=club)
    )
    hosts.bring(hosts.sign())
    hosts.bring(corrected(hosts))
    own = Player.objects.get(name="Adalbert")
    guest = GuestPlayer.objects.get(player__name="Ada").player
    say_same(
        circuit_id=hosts.circuit.pk, kept=own.pk, merged=guest.pk, by=None, now=NOW
    )
    points = hosts.points()
    called = erase_person(club=club, player_id=own.pk, typed="Adalbert")
    guest.refresh_from_db()
    assert guest.name == called
    documents = GuestTournament.objects.values_list("document", flat=True)
    assert not any('"Ada"' in document for document in documents)
    assert sorted(hosts.points().values()) == sorted(points.values())


def test_an_older_one_is_refused(hosts: Hosts) -> None:
    first = hosts.sign()
    hosts.bring(corrected(hosts))
    check_refused(hosts, first, "A later revision of “Harbour 1” was brought in before")


def check_refused(hosts: Hosts, content: bytes, words: str) -> None:
    """Assert that a document is refused with these words, and that nothing changed."""
    before = stored()
    with pytest.raises(RefusedError, match=words):
        hosts.bring(content)
    assert stored() == before


def test_another_result_of_the_same_revision_is_refused(hosts: Hosts) -> None:
    hosts.bring(hosts.sign())

    def change(document: dict[str, Any]) -> None:
        document["tournament"]["players"][0]["name"] = "Zoe"

    check_refused(hosts, hosts.signed(change), "Another document of the same revision")


def test_a_host_that_is_not_trusted_is_refused_by_its_key(
    hosts: Hosts, tmp_path: Path
) -> None:
    stranger = hosts._replace(there=tmp_path / "elsewhere")
    check_refused(
        stranger, stranger.sign(), "that this circuit does not know: ed25519:"
    )


def test_a_host_that_is_trusted_no_more_brings_nothing_and_keeps_what_it_brought(
    hosts: Hosts,
) -> None:
    hosts.bring(hosts.sign())
    distrust_host(host_id=hosts.circuit.hosts.get().pk, now=NOW)
    check_refused(hosts, corrected(hosts), "does not know")
    assert len(hosts.points()) == 5


def test_what_was_taken_out_can_be_brought_in_again(hosts: Hosts) -> None:
    hosts.bring(hosts.sign())
    take_out(guest_id=GuestTournament.objects.get().pk, now=NOW)
    assert hosts.points() == {}
    assert hosts.bring(hosts.sign()) == Became.ADDED
    assert len(hosts.points()) == 5


def test_a_person_of_another_host_is_somebody_here_once_a_director_says_so(
    hosts: Hosts,
) -> None:
    own = hosts.circuit.parts.get().club
    counts_in(hosts.circuit, counted("2026-03-12", ["Ada", "Gus", "Hal"], club=own))
    hosts.bring(hosts.sign())
    lines = circuit_board(CircuitAsked(circuit=hosts.circuit), TODAY)
    assert [line.name for line in lines].count("Ada") == 2


def test_a_file_that_is_cut_off_is_refused(hosts: Hosts) -> None:
    check_refused(hosts, hosts.sign()[:-40], "cut off or altered")


def test_a_file_that_is_written_otherwise_is_refused(hosts: Hosts) -> None:
    check_refused(hosts, hosts.sign().decode().encode("utf-16"), "no whole document")


def test_a_file_that_is_too_large_is_refused_unread(hosts: Hosts) -> None:
    check_refused(hosts, b"[" * (LARGEST_DOCUMENT + 1), "too large")


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[]", b"{}", b"null", b"[" * 100_000, b'"x"']
)
def test_what_is_no_document_is_refused(hosts: Hosts, content: bytes) -> None:
    check_refused(hosts, content, "no whole document|no signed result")


def test_a_later_version_says_to_bring_this_host_up_to_date(hosts: Hosts) -> None:
    later = hosts.signed(lambda document: document.update(version=2, more={}))
    check_refused(hosts, later, "a later version of Tricky")


def test_a_document_that_was_written_anew_is_refused(hosts: Hosts) -> None:
    pretty = json.dumps(json.loads(hosts.sign()), indent=1).encode()
    check_refused(hosts, pretty, "not written as Tricky writes it")


WRONG = {
    "key": 7,
    "revision": "3",
    "club": None,
    "name": "x" * 81,
    "held_on": "2026-02-30",
    "game": "chess",
    "entries": True,
    "players": {},
    "event": [],
}


@pytest.mark.parametrize(("field", "value"), WRONG.items())
def test_a_value_of_the_wrong_type_is_refused(
    hosts: Hosts, field: str, value: object
) -> None:
    def change(document: dict[str, Any]) -> None:
        document["tournament"][field] = value

    check_refused(hosts, hosts.signed(change), field if field != "event" else "tables")


WRONG_IN_LINE = {
    "player": "zero",
    "name": "",
    "rank": 0,
    "place_points": "2000",
    "points": "1/0",
    "tables": -1,
    "table_points": 10**9,
    "wins": 1.5,
    "places": "many",
}


@pytest.mark.parametrize(("field", "value"), WRONG_IN_LINE.items())
def test_a_wrong_value_of_a_player_is_refused_by_its_field(
    hosts: Hosts, field: str, value: object
) -> None:
    def change(document: dict[str, Any]) -> None:
        document["tournament"]["players"][2][field] = value

    check_refused(hosts, hosts.signed(change), rf"players\[2\]\.{field}")


@pytest.mark.parametrize("field", [*WRONG])
def test_a_field_that_is_missing_or_unknown_is_refused(
    hosts: Hosts, field: str
) -> None:
    if field != "event":
        gone = hosts.signed(lambda document: document["tournament"].pop(field))
        check_refused(hosts, gone, f"“tournament.{field}” is missing")
    more = hosts.signed(lambda document: document["tournament"].update(more=1))
    check_refused(hosts, more, "“tournament.more” is nothing that is known")


def test_places_that_do_not_follow_from_the_tables_are_refused(hosts: Hosts) -> None:
    def swap(document: dict[str, Any]) -> None:
        players = document["tournament"]["players"]
        names = players[0]["player"], players[1]["player"]
        players[1]["player"], players[0]["player"] = names

    check_refused(hosts, hosts.signed(swap), "not what its tables lead to")


@pytest.mark.parametrize("key", ["", "ed25519:", "ed25519:" + "A" * 42 + "B", "x" * 51])
def test_what_is_no_key_is_not_trusted(hosts: Hosts, key: str) -> None:
    with pytest.raises(RefusedError, match="no public key"):
        trust_host(circuit_id=hosts.circuit.pk, name="X", key=key, by=None, now=NOW)


def test_a_host_does_not_trust_itself(hosts: Hosts, tmp_path: Path) -> None:
    with on_host(tmp_path), pytest.raises(RefusedError, match="key of this host"):
        trust_host(
            circuit_id=hosts.circuit.pk,
            name="X",
            key=public_key(),
            by=None,
            now=NOW,
        )


def test_the_private_key_is_made_once_and_read_by_its_owner_alone(
    tmp_path: Path,
) -> None:
    with on_host(tmp_path):
        assert public_key() == public_key()
    assert (tmp_path / "host-key").stat().st_mode & 0o777 == 0o600


def test_a_night_that_is_not_counted_is_not_signed(hosts: Hosts) -> None:
    Tournament.objects.filter(pk=hosts.night.pk).update(counted_version=0)
    with pytest.raises(RefusedError, match="not counted yet"):
        hosts.sign()


def test_the_commands_sign_on_one_host_and_bring_in_on_the_other(
    hosts: Hosts, tmp_path: Path
) -> None:
    printed, file = StringIO(), tmp_path / "result.json"
    with on_host(hosts.there):
        call_command(
            "export_tournament", hosts.night.address, signed=True, stdout=printed
        )
    file.write_text(printed.getvalue())
    said = StringIO()
    call_command("import_tournament", str(file), circuit="coast", stdout=said)
    assert said.getvalue() == f"Harbour 1 ({hosts.night.club.name}): added\n"
    file.write_text(printed.getvalue().replace("Ada", "Adb"))
    with pytest.raises(CommandError, match="altered after it was signed"):
        call_command("import_tournament", str(file), circuit="coast")


def test_the_commands_show_and_take_keys(tmp_path: Path) -> None:
    circuit, shown = circuit_of(), StringIO()
    with on_host(tmp_path / "there"):
        call_command("host_key", stdout=shown)
    key = shown.getvalue().strip()
    with on_host(tmp_path / "here"):
        call_command("trust_host", "There", key, circuit="coast", stdout=StringIO())
        with pytest.raises(CommandError, match="trusted already"):
            call_command("trust_host", "There", key, circuit="coast")
    assert circuit.hosts.get().public_key == key


@pytest.mark.long(3)
@pytest.mark.one_database
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(drawn=st.data())
def test_any_one_byte_changed_is_refused_or_means_the_same(
    hosts: Hosts, drawn: st.DataObject
) -> None:
    content = hosts.sign()
    at = drawn.draw(st.integers(0, len(content) - 1))
    byte = drawn.draw(st.integers(0, 255).filter(lambda byte: byte != content[at]))
    altered = content[:at] + bytes([byte]) + content[at + 1 :]
    try:
        read = read_signed(altered)
    except RefusedError:
        return
    assert read == read_signed(content)
