"""Every write that changes a page also changes the version with which the page polls."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import BytesIO
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from scoring.models import Player
from tests.factories.tournaments import (
    TournamentFactory,
    UserFactory,
    closed_round,
    match_of,
    member,
    own_phone,
    play_round,
    running_round,
    tournament_with,
)
from tests.versions import versions
from tournaments.event import entries, results, rounds
from tournaments.event.desk import announcements
from tournaments.event.rights import release_phone
from tournaments.event.setup import lifecycle
from tournaments.history.derivation import derive_history
from tournaments.history.personal_data import anonymise_person, rename_person
from tournaments.history.seasons import close_season, ensure_season
from tournaments.models import Club, Entry, Membership, Role, Table, Tournament, User
from tournaments.people import clubs, looks, merges, own_data, profiles
from tournaments.people.security import DeviceAndNetwork
from tournaments.tasks import recompute_standings_and_follow_up

__all__ = ["versions"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("versions"),
]
VOLATILE = re.compile(
    r'csrf\w*" value="\w+"|"X-CSRFToken": "\w+"|data-server-time="[^"]*"|data-version="[^"]*"|nonce="[^"]*"|live/\S*\?v=[^"&]*'
    r'|name="key" value="[^"]*"|data-[a-z]*key="[^"]*"|[0-9a-f]{8}-[0-9a-f-]{27}'
)
SHEET = re.compile(r'data-version="([^"]+)"')
POLL = re.compile(r'hx-get="([^"]*(?:live|now)/\?v=[^"]+)"')


class Polled(NamedTuple):
    client: Client
    address: str
    """The address that returns the content of the page."""
    poll: str
    content: str

    def is_changed(self) -> bool:
        caches["sheets"].clear()
        caches["drawn"].clear()
        return main_content(self.client, self.address) != self.content

    def is_notified(self) -> bool:
        return (
            self.client.get(self.poll, headers={"HX-Request": "true"}).status_code
            != 204
        )


def main_content(client: Client, address: str) -> str:
    response = client.get(address)
    page = response.content.decode()
    return (
        f"{response.status_code} {VOLATILE.sub('', page.partition('<main')[2] or page)}"
    )


def open_page(client: Client, address: str) -> Polled:
    page = client.get(address).content.decode()
    if SHEET.search(page):
        address += "live/"
        parts = [
            *SHEET.findall(page),
            *re.findall(r'data-notices-version="(\w+)"', page),
        ]
        poll = f"{address}?v={'.'.join(parts)}"
    elif "projector" in address:
        version = client.get(f"{address}live/").content.decode()
        poll = f"{address}live/?v={quote(version)}"
    else:
        match = POLL.search(page)
        assert match, address
        poll = unescape(match[1])
        address = re.sub(r"v=[^&]*&?", "", poll)
    polled = Polled(client, address, poll, main_content(client, address))
    assert not polled.is_changed(), address
    assert [polled.is_notified() for _time in range(2)] == [False, False], address
    return polled


class Scene(NamedTuple):
    night: Tournament
    entry: Entry
    player: Player
    user: User
    scorer: User

    @property
    def club(self) -> Club:
        return self.night.club

    def table(self) -> Table:
        places = self.entry.places.select_related("table__round", "table__match")
        return places.latest("round__number").table

    def pages(self) -> dict[str, Polled]:
        night, phone = self.night, own_phone(self.entry)
        account, scorer = Client(), Client()
        account.force_login(self.user)
        scorer.force_login(self.scorer)
        args = [night.address]
        my_night = reverse("tournaments:me", args=args)
        tournament = night.get_absolute_url()
        if night.phase == Tournament.Phase.FINISHED:
            return {
                "my night": open_page(phone, my_night),
                "tournament": open_page(phone, tournament),
            }
        table = self.table()
        table_page = reverse(
            "tournaments:table", args=[*args, table.round.number, table.number]
        )
        sheet = match_of(table).get_absolute_url()
        screen = reverse("tournaments:projector", args=args)
        frame = reverse("tournaments:frame_live", args=[self.club.slug])
        return {
            "my night": open_page(phone, my_night),
            "my night by account": open_page(account, my_night),
            "tournament": open_page(phone, tournament),
            "table by account": open_page(account, table_page),
            "table of scorer": open_page(scorer, table_page),
            "sheet by account": open_page(account, sheet),
            "sheet of scorer": open_page(scorer, sheet),
            "desk": open_page(scorer, reverse("tournaments:desk", args=args)),
            "screen": open_page(Client(), screen),
            "frame": open_page(Client(), frame),
        }


def scene(*, is_finished: bool = False) -> Scene:
    night = tournament_with(
        4, rounds_planned=2, writing="own", starts_at=timezone.now(), listing="listed"
    )
    closed_round(night)
    second = running_round(night)
    if is_finished:
        play_round(second)
        rounds.close(round_id=second.pk, now=timezone.now())
        rounds.finish(tournament_id=night.pk, now=timezone.now())
    recompute_standings_and_follow_up(night.pk)
    night.refresh_from_db()
    entry = night.entries.get(number=1)
    user: User = UserFactory.create()
    player = Player.objects.get(pk=entry.player_id)
    merges.claim_player(
        club=night.club, user=user, player=player, proven=True, now=timezone.now()
    )
    member(night.club, Role.DIRECTOR)
    return Scene(night, entry, player, user, member(night.club, Role.SCORER))


def rename(scene: Scene, entry: Entry) -> None:
    rename_person(
        club=scene.club,
        player_id=entry.player_id,
        name="Zora",
        user=None,
        now=timezone.now(),
    )


def merge_player(scene: Scene) -> None:
    other_player = Player.objects.create(name="Adelheid", created_at=timezone.now())
    merges.merge_players(
        club_id=scene.club.pk,
        kept=other_player,
        merged=scene.player,
        user=None,
        now=timezone.now(),
    )


def set_role(scene: Scene, role: Role) -> None:
    clubs.set_member_role(club=scene.club, user=scene.scorer, role=role)


def close_accounts(scene: Scene) -> None:
    for user in (scene.scorer, scene.user):
        own_data.close_and_anonymise_account(user=user, visitor=DeviceAndNetwork())


def set_logo(scene: Scene) -> None:
    file = BytesIO()
    Image.new("RGB", (64, 64), "red").save(file, "PNG")
    file.seek(0)
    looks.set_logo(club_id=scene.club.pk, file=file)


def save_setting(scene: Scene, name: str, value: str) -> None:
    """Change a setting of the night."""
    setattr(scene.night, name, value)
    lifecycle.save_and_apply_settings(tournament=scene.night, fields=[name])


def substitute(scene: Scene) -> None:
    entries.substitute_entry_player(
        entry_id=scene.entry.pk, name="Zora", now=timezone.now()
    )
    # The screen updates after its standings name the substitute.
    recompute_standings_and_follow_up(scene.night.pk)


def penalize(scene: Scene) -> None:
    results.add_penalty(
        entry=scene.entry, points="1", reason="Late", user=None, now=timezone.now()
    )
    recompute_standings_and_follow_up(scene.night.pk)


def certify(scene: Scene) -> None:
    derive_history(club_id=scene.club.pk, now=timezone.now())
    season = ensure_season(scene.club, scene.night.day)
    close_season(season_id=season.pk, now=timezone.now())


Write: TypeAlias = Callable[[Scene], object]
WRITES: dict[str, Write] = {
    "rename player": lambda scene: rename(scene, scene.entry),
    "rename another player": lambda scene: rename(
        scene, scene.table().places.exclude(entry=scene.entry)[0].entry
    ),
    "erase name": lambda scene: anonymise_person(
        club=scene.club, player_id=scene.player.pk, typed_name=scene.player.name
    ),
    "hide player": lambda scene: profiles.set_page_visibility(
        club=scene.club, player_id=scene.player.pk, public=False
    ),
    "merge player": merge_player,
    "withdraw claim": lambda scene: merges.withdraw_claim(
        claim_id=scene.club.claims.get().pk, now=timezone.now()
    ),
    "take role": lambda scene: clubs.remove_member(
        membership=Membership.objects.get(user=scene.scorer)
    ),
    "lower role": lambda scene: set_role(scene, Role.VIEWER),
    "raise role": lambda scene: set_role(scene, Role.DIRECTOR),
    "close accounts": close_accounts,
    "rename club": lambda scene: clubs.change_club_settings(
        club_id=scene.club.pk, name="Another club"
    ),
    "colour club": lambda scene: looks.set_club_colour(
        club_id=scene.club.pk, colour="#123456"
    ),
    "set logo": set_logo,
    "move club": lambda scene: clubs.set_club_time_zone(
        club_id=scene.club.pk, time_zone="Asia/Tokyo"
    ),
    "speak German": lambda scene: clubs.change_club_settings(
        club_id=scene.club.pk, language="de"
    ),
    "rename night": lambda scene: save_setting(scene, "name", "Another night"),
    "open writing": lambda scene: save_setting(scene, "writing", "open"),
    "ask all to agree": lambda scene: save_setting(scene, "quorum", "all"),
    "announce": lambda scene: announcements.announce(
        tournament_id=scene.night.pk, text="Soup", user=None, now=timezone.now()
    ),
    "substitute": substitute,
    "release phones": lambda scene: release_phone(entry_id=scene.entry.pk),
    "penalize": penalize,
}
WRITES_AFTER_THE_END: dict[str, Write] = {
    "reopen": lambda scene: rounds.reopen(tournament_id=scene.night.pk),
    "certify": certify,
    "plan another night": lambda scene: TournamentFactory.create(
        club=scene.club, name="Next", starts_at=timezone.now() + timedelta(days=7)
    ),
    "rename player": WRITES["rename player"],
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_poll_reports_every_write_shown_on_its_page(write: Write) -> None:
    check_write(scene(), write)


@pytest.mark.parametrize(
    "write", WRITES_AFTER_THE_END.values(), ids=WRITES_AFTER_THE_END
)
def test_pages_of_a_finished_night_keep_polling(write: Write) -> None:
    assert "my night" in check_write(scene(is_finished=True), write)


def check_write(scene: Scene, write: Write) -> set[str]:
    """Return the pages that a write changes; asserts that all of them are notified."""
    pages = scene.pages()
    write(scene)
    notified = {name for name, page in pages.items() if page.is_notified()}
    changed = {name for name, page in pages.items() if page.is_changed()}
    assert not changed - notified
    return changed
