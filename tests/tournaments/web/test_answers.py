"""Every page to which something is posted says what that changed, or that nothing did."""

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.messages import SUCCESS
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.matchlog.append import read_match
from scoring.matchlog.confirmations import result_words
from scoring.web.forms import SEAT_REASONS
from tests.browser.every_page import patterns
from tests.factories.circuits import add_to_circuit, new_circuit
from tests.factories.history import counted_tournament
from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW, entered_match
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.history.test_imports import PLACES, bring
from tests.tournaments.web.desk.test_repeated_actions import cases, night, stored
from tournaments.circuits.founding import invite_club
from tournaments.history.imports.imports import undo_import
from tournaments.history.seasons import close_season
from tournaments.models import Invitation, Role, Season, Subscription, User

COUNTS = {"best_of": "0", "lasts_days": "0", "keep_percent": "0"}
NIGHT = {
    "name": "Friday",
    "game": "tricky_bid",
    "capacity": "0",
    "final_size": "4",
    "best_tables": "0",
}
REASON = "agreed at the table"

pytestmark = pytest.mark.django_db

DESK = {"settings", "announce", "penalties", "tournament_delete"}
"""Pages of the desk whose every use makes or deletes something; `test_repeated_actions` has the others."""
SHOWN_BY_THE_PAGE: Mapping[str, str] = {
    "what was made, or its next step, is the page that follows": """
        scoring:match_new scoring:match_rematch scoring:hand_new scoring:hand_new_by_tricks
        scoring:correct_trick scoring:hand_correct_by_tricks tournaments:league_match tournaments:players tournaments:find_tournament
        tournaments:club_import tournaments:upload tournaments:imports tournaments:join
        tournaments:tokens tournaments:webhooks
    """,
    "it is drawn or counted at once": """
        scoring:board scoring:board_preview scoring:hand_preview scoring:who_won
        scoring:who_won_answer scoring:who_won_game set_language
    """,
    "for scripts": "scoring:entries scoring:pending_entries tournaments:me_subscribe tournaments:desk_subscribe",
    "a test of accounts has it": """
        tournaments:account_close tournaments:sign_in_end tournaments:sign_ins_end
        tournaments:demo_claim
    """,
    "a test of the phone's memory has it": "scoring:match_forget",
    "nothing can be posted to it": """
        mfa_download_recovery_codes mfa_view_recovery_codes tournaments:badge
        tournaments:frame_leaderboard tournaments:frame_live tournaments:frame_live_now
        tournaments:frame_next
    """,
}


class Post(NamedTuple):
    """What is posted, and where."""

    route: str
    args: tuple[object, ...] = ()
    data: dict[str, Any] = {}
    form: str = ""
    """The form of the page, which has all else that is to be posted; empty for none."""

    def posted(self, client: Client, at: str) -> dict[str, Any]:
        """Return what is posted, with what the form shows at first."""
        form = client.get(at).context[self.form] if self.form else ()
        shown = {field.name: field.value() for field in form}
        return {k: v for k, v in shown.items() if v not in (None, False)} | self.data


def directed(user: User) -> Any:
    """Return a club that the user directs."""
    club = ClubFactory.create()
    club.memberships.create(user=user, role=Role.DIRECTOR)
    return club


def of_a_club(user: User) -> Iterator[Post]:
    club = directed(user)
    other = member(club, Role.SCORER)
    slug = club.slug
    yield Post("tournaments:you", (), {"public_name": "Di Rector"})
    yield Post("tournaments:clubs", (), {"name": "Anchor"})
    yield Post("tournaments:club_edit", (slug,), {"name": "Lantern"})
    for act in ("restore", "archive", "delete"):
        yield Post("tournaments:club_edit", (slug,), {"act": act})
    for verb in ("follow", "unfollow"):
        yield Post("tournaments:club_follow", (slug, verb))
    yield Post("tournaments:club_cards_renew", (slug,))
    yield Post("tournaments:people", (slug,), {"email": "bo@example.org", "role": "2"})
    membership = club.memberships.get(user=other)
    yield Post("tournaments:person_remove", (slug, membership.pk))
    club.memberships.create(user=UserFactory.create(), role=Role.DIRECTOR)
    yield Post("tournaments:club_leave", (slug,))
    elsewhere = ClubFactory.create()
    made = {"made_by": other, "made_at": timezone.now(), "role": Role.SCORER}
    own = Invitation.objects.create(club=elsewhere, email=user.email, **made)
    yield Post("tournaments:invitation", (own.address,))
    season = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-11-30"}
    season |= COUNTS
    yield Post("tournaments:seasons", (slug,), season, "form")
    closed_season: Season = club.seasons.create(
        name="Spring", slug="spring", starts_on="2026-03-01", ends_on="2026-05-31"
    )
    yield Post(
        "tournaments:season_edit",
        (slug, closed_season.slug),
        {**COUNTS, "best_of": "3"},
        "form",
    )
    for verb in ("close", "remove"):
        yield Post("tournaments:season_action", (slug, closed_season.slug, verb))
    close_season(season_id=closed_season.pk, now=NOW)
    yield Post("tournaments:season_action", (slug, closed_season.slug, "reopen"))
    past = bring(club, PLACES)
    yield Post("tournaments:import_action", (slug, past.pk, "undo"), {"sure": "1"})
    undo_import(import_id=past.pk, now=NOW)
    yield Post("tournaments:import_action", (slug, past.pk, "redo"))
    for what in ("no_logo", "no_colour"):
        yield Post("tournaments:club_edit", (slug,), {"act": what})
    invitation = club.invitations.create(email="ann@example.org", **made)
    yield Post("tournaments:invitation_withdraw", (slug, invitation.pk))
    part = invite_club(
        circuit_id=new_circuit(elsewhere, slug="far").pk, club=club, user=None, now=NOW
    )
    for verb in ("accept", "leave"):
        yield Post("tournaments:club_circuit_action", (slug, part.pk, verb))
    hook = new_webhook(club, "https://8.8.8.8/hook")
    webhook_fields = {"url": hook.url, "events": [hook.events[0]], "style": hook.style}
    yield Post("tournaments:webhook", (slug, hook.pk), webhook_fields)
    for verb in ("on", "off", "try", "remove"):
        yield Post("tournaments:webhook_action", (slug, hook.pk, verb))
    yield Post("tournaments:origins", (slug,), {"origin": "https://club.example"})
    origin = club.api_origins.create(origin="https://old.example", made_at=NOW)
    yield Post("tournaments:origin_remove", (slug, origin.pk))
    token = user.api_tokens.create(name="Robot", scopes=["read"], made_at=NOW)
    yield Post("tournaments:token_end", (token.pk,))
    yield Post("tournaments:tournament_new", (slug,), NIGHT, "form")


def of_players(user: User) -> Iterator[Post]:
    night = tournament_with(["Ann", "Bo", "Cy", "Dee"], club=directed(user))
    club, slug = night.club, night.club.slug
    ann, bo, cy, dee = (entry.player for entry in night.entries.by_number())
    yield Post("tournaments:player_claim", (slug, cy.pk))
    claim = club.claims.create(user=user, player=bo, made_at=NOW)
    yield Post("tournaments:claim_withdraw", (slug, claim.pk))
    for verb in ("confirm", "refuse"):
        yield Post("tournaments:claim_settle", (slug, claim.pk, verb))
    for sent in ({"act": "archive"}, {"act": "restore"}, {"name": "Anna"}):
        yield Post("tournaments:player_edit", (slug, ann.pk), sent)
    yield Post("tournaments:player_edit", (slug, dee.pk), {"act": "delete"})
    later = tournament_with(["Annie", "Bo", "Cy"], club=club)
    annie = later.entries.get(name="Annie").player
    yield Post("tournaments:player_merge", (slug, annie.pk, ann.pk))
    merge = club.merges.create(kept=ann, merged=annie, made_at=NOW)
    yield Post("tournaments:player_unmerge", (slug, merge.pk))
    own_claim = club.claims.create(user=user, player=ann, made_at=NOW, confirmed_at=NOW)
    assert own_claim.confirmed_at
    for public in ("1", "0"):
        yield Post("tournaments:player_visibility", (slug, ann.pk), {"public": public})
    yield Post("tournaments:player_erase", (slug, ann.pk), {"name": "Ann"})


def of_circuits(user: User) -> Iterator[Post]:
    club, other = directed(user), directed(user)
    yield Post(
        "tournaments:club_circuits", (club.slug,), {"name": "North", **COUNTS}, "form"
    )
    circuit = new_circuit(club, other)
    yield Post("tournaments:circuit_manage", (circuit.slug,), EAST, "form")
    guest = directed(user)
    invitation = {"act": "invite", "club": guest.slug}
    yield Post("tournaments:circuit_manage", (circuit.slug,), invitation)
    part = invite_club(circuit_id=circuit.pk, club=guest, user=None, now=NOW)
    yield Post("tournaments:circuit_invitation_withdraw", (circuit.slug, part.pk))
    nights = [
        counted_tournament("2026-11-05", ["Ann", "Bo", "Cy"], club=club),
        counted_tournament("2026-11-06", ["Anne", "Bob", "Eve"], club=other),
    ]
    for verb in ("add", "remove"):
        args = (circuit.slug, nights[0].address, verb)
        yield Post("tournaments:circuit_tournament", args)
    add_to_circuit(circuit, *nights)
    args = (circuit.slug, nights[0].address, "remove")
    yield Post("tournaments:circuit_tournament", args)
    kept, merged = (
        night.entries.get(name=name).player_id
        for night, name in zip(nights, ("Ann", "Anne"), strict=True)
    )
    pair = {"kept": kept, "merged": merged}
    yield Post("tournaments:circuit_people", (circuit.slug,), pair)
    same = circuit.same_people.create(kept_id=kept, merged_id=merged, made_at=NOW)
    yield Post("tournaments:circuit_split", (circuit.slug, same.pk))


EAST = {"act": "count", "name": "East", **COUNTS}


def of_a_night(user: User) -> Iterator[Post]:
    night = tournament_with(4, club=directed(user), quorum="one")
    play_round(running_round(night))
    club, place = night.club, (night.address, 1, 1)
    entry = night.entries.get(number=1)
    club.claims.create(user=user, player=entry.player, made_at=NOW, confirmed_at=NOW)
    yield Post("tournaments:me_action", (night.address, "leave"))
    yield Post("tournaments:me_action", (night.address, "forget"))
    yield Post("tournaments:table_action", (*place, "withdraw"))
    seat = night.rounds.get(number=1).places.get(entry=entry)
    match = night.rounds.get(number=1).tables.get().match
    assert match is not None
    words = result_words(read_match(match).replayed)
    for place_pk in (seat.pk, "nobody"):
        agreed = {"place": place_pk, "words": words}
        yield Post("tournaments:table_action", (*place, "agree"), agreed)
    device = Subscription.objects.create(
        tournament=night, entry=entry, endpoint="https://p.example/d", made_at=NOW
    )
    yield Post("tournaments:subscription_stop", (device.address,), {"page": "1"})
    penalty_fields = {"reason": "late", "points": "1", "entry": entry.pk}
    yield Post("tournaments:penalties", (night.address,), penalty_fields)
    yield Post("tournaments:announce", (night.address,), {"text": "Soup is ready"})
    yield Post("tournaments:tournament_delete", (night.address,))


def of_a_match(user: User) -> Iterator[Post]:
    yield Post("time_zone", (), {"time_zone": "Europe/Berlin"})
    match = entered_match([{"points": [20, 12, 5, 1]}] * 4, "tricky_bid", seats=4)
    at, hand = (match.address,), (match.address, 1)
    words = result_words(read_match(match).replayed)
    body = json.dumps({"seat": 0, "words": words})
    for route in ("match_confirm", "match_withdraw"):
        yield Post(f"scoring:{route}", at, {"body": body, "key": str(uuid4())})
    sure = {"confirm": "1", "reason": REASON}
    for route in ("hand_void", "hand_restore"):
        yield Post(f"scoring:{route}", hand, {**sure, "key": str(uuid4())})
    name = match.seats.get(index=0).name
    for whose in (name, "", "Nobody of them"):
        yield Post("scoring:match_take_seat", at, {"name": whose})
    yield Post("scoring:match_free_seat", at, {"seat": "0", "key": str(uuid4())})
    changed = {
        "seat": "0",
        "name": "Zoe",
        "from_hand": "1",
        "reason": SEAT_REASONS[0][0],
        "key": str(uuid4()),
    }
    yield Post("scoring:match_seats", at, changed)
    other = {f"points_{seat}": points for seat, points in enumerate((19, 12, 5, 1))}
    corrected = {**sure, **other, "key": str(uuid4())}
    yield Post("scoring:hand_correct", hand, corrected)
    chosen = json.dumps({"points": [18, 12, 5, 1]})
    choice = {"kind": "replace", "body": chosen, "reason": REASON}
    yield Post("scoring:hand_choose", hand, {**choice, "key": str(uuid4())})


PARTS = (of_a_club, of_players, of_circuits, of_a_night, of_a_match)
"""What yields something for every page that takes it and is no page of the desk."""


def known_of(client: Client) -> object:
    """Return all that an action may change: what is stored, also on the phone."""
    zone = client.cookies.get(settings.TIME_ZONE_COOKIE_NAME)
    return stored(), dict(client.session), zone and zone.value


def can_be_posted(view: Callable[..., object]) -> bool:
    source = inspect.getsource(inspect.unwrap(view))
    return "require_safe" not in source and "require_GET" not in source


def test_covers_every_view_that_accepts_posts() -> None:
    routes = {
        pattern.name
        for pattern in patterns()
        if inspect.unwrap(pattern.view).__module__.partition(".")[0]
        in ("scoring", "tournaments", "tricky_site")
        and can_be_posted(pattern.view)
    }
    user = UserFactory.create()
    known = {post.route for part in PARTS for post in part(user)}
    known |= {f"tournaments:{name}" for name in DESK}
    known |= {f"tournaments:{case.name}" for case in cases(night("closed"))}
    known |= {name for names in SHOWN_BY_THE_PAGE.values() for name in names.split()}
    assert routes - known - {"tournaments:auto_step_action"} == set()


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_every_action_reports_its_change_or_none(
    part: Callable[[User], Iterator[Post]],
) -> None:
    user = UserFactory.create()
    client = Client()
    client.force_login(user)
    silent, false_claims = [], []
    for post in part(user):
        before, at = known_of(client), reverse(post.route, args=post.args)
        data = post.posted(client, at)
        with transaction.atomic():
            for time in ("once", "twice"):
                client.cookies.pop("messages", None)
                answer = client.post(at, data, follow=True)
                assert answer.status_code < 500, post
                after = known_of(client)
                shown_messages = list((answer.context or {}).get("messages", ()))
                levels = {message.level for message in shown_messages}
                if answer.redirect_chain and not shown_messages:
                    silent.append((post.route, post.data, time))
                if time == "once" and not answer.redirect_chain and not shown_messages:
                    form = (answer.context or {}).get("form")
                    silent.append((post.route, post.data, getattr(form, "errors", "")))
                if SUCCESS in levels and after == before:
                    false_claims.append(
                        (post.route, post.args, time, str(shown_messages[0]))
                    )
                before = after
            transaction.set_rollback(True)
    assert silent == []
    assert false_claims == []
