"""Every page that accepts a POST reports what changed, or that nothing did."""

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
from scoring.matchlog.confirmations import checksum_words_line
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
from tests.tournaments.history.test_imports import PLACES, import_list
from tests.tournaments.web.desk.test_repeated_actions import cases, night, stored_rows
from tournaments.circuits.founding import invite_club
from tournaments.history.imports.imports import undo_import
from tournaments.history.seasons import close_season
from tournaments.models import Invitation, Role, Season, Subscription, User

COUNTING_FIELDS = {"best_of": "0", "lasts_days": "0", "keep_percent": "0"}
NIGHT_FIELDS = {
    "name": "Friday",
    "game": "tricky_bid",
    "capacity": "0",
    "final_size": "4",
    "team_size": "0",
    "best_tables": "0",
}
REASON = "agreed at the table"

pytestmark = pytest.mark.django_db

DESK_ROUTES = {"settings", "announce", "penalties", "tournament_delete"}
"""Routes of the desk that create or delete something each time; `test_repeated_actions` tests the others."""
EXEMPT_ROUTES: Mapping[str, str] = {
    "what was made, or its next step, is the page that follows": """
        scoring:match_new scoring:match_rematch scoring:hand_new scoring:hand_new_by_tricks
        scoring:correct_trick scoring:hand_correct_by_tricks tournaments:league_match tournaments:players tournaments:find_tournament
        tournaments:club_import tournaments:upload tournaments:imports tournaments:join
        tournaments:tokens tournaments:webhooks tournaments:table_dispute
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
    """A POST: its route and its form data."""

    route: str
    args: tuple[object, ...] = ()
    data: dict[str, Any] = {}
    form: str = ""
    """Context name of the form whose initial values complete the data; empty for none."""

    def form_data(self, client: Client, url: str) -> dict[str, Any]:
        """Return the data, completed by the initial values of the form."""
        form = client.get(url).context[self.form] if self.form else ()
        initial = {field.name: field.value() for field in form}
        return {k: v for k, v in initial.items() if v not in (None, False)} | self.data


def directed_club(user: User) -> Any:
    """Return a club that the user directs."""
    club = ClubFactory.create()
    club.memberships.create(user=user, role=Role.DIRECTOR)
    return club


def club_posts(user: User) -> Iterator[Post]:
    club = directed_club(user)
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
    other_club = ClubFactory.create()
    invitation_fields = {
        "made_by": other,
        "made_at": timezone.now(),
        "role": Role.SCORER,
    }
    own_invitation = Invitation.objects.create(
        club=other_club, email=user.email, **invitation_fields
    )
    yield Post("tournaments:invitation", (own_invitation.address,))
    season = {"name": "Autumn", "starts_on": "2026-09-01", "ends_on": "2026-11-30"}
    season |= COUNTING_FIELDS
    yield Post("tournaments:seasons", (slug,), season, "form")
    closed_season: Season = club.seasons.create(
        name="Spring", slug="spring", starts_on="2026-03-01", ends_on="2026-05-31"
    )
    yield Post(
        "tournaments:season_edit",
        (slug, closed_season.slug),
        {**COUNTING_FIELDS, "best_of": "3"},
        "form",
    )
    for verb in ("close", "remove"):
        yield Post("tournaments:season_action", (slug, closed_season.slug, verb))
    close_season(season_id=closed_season.pk, now=NOW)
    yield Post("tournaments:season_action", (slug, closed_season.slug, "reopen"))
    past_import = import_list(club, PLACES)
    yield Post(
        "tournaments:import_action", (slug, past_import.pk, "undo"), {"sure": "1"}
    )
    undo_import(import_id=past_import.pk, now=NOW)
    yield Post("tournaments:import_action", (slug, past_import.pk, "redo"))
    for act in ("no_logo", "no_colour"):
        yield Post("tournaments:club_edit", (slug,), {"act": act})
    invitation = club.invitations.create(email="ann@example.org", **invitation_fields)
    yield Post("tournaments:invitation_withdraw", (slug, invitation.pk))
    part = invite_club(
        circuit_id=new_circuit(other_club, slug="far").pk, club=club, user=None, now=NOW
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
    yield Post("tournaments:tournament_new", (slug,), NIGHT_FIELDS, "form")


def player_posts(user: User) -> Iterator[Post]:
    night = tournament_with(["Ann", "Bo", "Cy", "Dee"], club=directed_club(user))
    club, slug = night.club, night.club.slug
    ann, bo, cy, dee = (entry.player for entry in night.entries.by_number())
    yield Post("tournaments:player_claim", (slug, cy.pk))
    claim = club.claims.create(user=user, player=bo, made_at=NOW)
    yield Post("tournaments:claim_withdraw", (slug, claim.pk))
    for verb in ("confirm", "refuse"):
        yield Post("tournaments:claim_settle", (slug, claim.pk, verb))
    for data in ({"act": "archive"}, {"act": "restore"}, {"name": "Anna"}):
        yield Post("tournaments:player_edit", (slug, ann.pk), data)
    yield Post("tournaments:player_edit", (slug, dee.pk), {"act": "delete"})
    later_night = tournament_with(["Annie", "Bo", "Cy"], club=club)
    annie = later_night.entries.get(name="Annie").player
    yield Post("tournaments:player_merge", (slug, annie.pk, ann.pk))
    merge = club.merges.create(kept=ann, merged=annie, made_at=NOW)
    yield Post("tournaments:player_unmerge", (slug, merge.pk))
    own_claim = club.claims.create(user=user, player=ann, made_at=NOW, confirmed_at=NOW)
    assert own_claim.confirmed_at
    for public in ("1", "0"):
        yield Post("tournaments:player_visibility", (slug, ann.pk), {"public": public})
    yield Post("tournaments:player_erase", (slug, ann.pk), {"name": "Ann"})


def circuit_posts(user: User) -> Iterator[Post]:
    club, other = directed_club(user), directed_club(user)
    yield Post(
        "tournaments:club_circuits",
        (club.slug,),
        {"name": "North", **COUNTING_FIELDS},
        "form",
    )
    circuit = new_circuit(club, other)
    yield Post("tournaments:circuit_manage", (circuit.slug,), CIRCUIT_FIELDS, "form")
    guest = directed_club(user)
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


CIRCUIT_FIELDS = {"act": "count", "name": "East", **COUNTING_FIELDS}


def night_posts(user: User) -> Iterator[Post]:
    night = tournament_with(4, club=directed_club(user), quorum="one")
    play_round(running_round(night))
    club, table_args = night.club, (night.address, 1, 1)
    entry = night.entries.get(number=1)
    club.claims.create(user=user, player=entry.player, made_at=NOW, confirmed_at=NOW)
    yield Post("tournaments:me_action", (night.address, "play"), {"round": "1"})
    yield Post("tournaments:me_action", (night.address, "leave"))
    yield Post("tournaments:me_action", (night.address, "forget"))
    yield Post("tournaments:table_action", (*table_args, "withdraw"))
    seat = night.rounds.get(number=1).places.get(entry=entry)
    match = night.rounds.get(number=1).tables.get().match
    assert match is not None
    words = checksum_words_line(read_match(match).replayed)
    for place_pk in (seat.pk, "nobody"):
        confirmation = {"place": place_pk, "words": words}
        yield Post("tournaments:table_action", (*table_args, "agree"), confirmation)
    device = Subscription.objects.create(
        tournament=night, entry=entry, endpoint="https://p.example/d", made_at=NOW
    )
    yield Post("tournaments:subscription_stop", (device.address,), {"page": "1"})
    penalty_fields = {"reason": "late", "points": "1", "entry": entry.pk}
    yield Post("tournaments:penalties", (night.address,), penalty_fields)
    yield Post("tournaments:announce", (night.address,), {"text": "Soup is ready"})
    yield Post("tournaments:tournament_delete", (night.address,))


def match_posts(user: User) -> Iterator[Post]:
    yield Post("time_zone", (), {"time_zone": "Europe/Berlin"})
    match = entered_match([{"points": [20, 12, 5, 1]}] * 4, "tricky_bid", seats=4)
    match_args, hand_args = (match.address,), (match.address, 1)
    words = checksum_words_line(read_match(match).replayed)
    body = json.dumps({"seat": 0, "words": words})
    for route in ("match_confirm", "match_withdraw"):
        yield Post(f"scoring:{route}", match_args, {"body": body, "key": str(uuid4())})
    confirmation = {"confirm": "1", "reason": REASON}
    for route in ("hand_void", "hand_restore"):
        yield Post(f"scoring:{route}", hand_args, {**confirmation, "key": str(uuid4())})
    name = match.seats.get(index=0).name
    for seat_name in (name, "", "Nobody of them"):
        yield Post("scoring:match_take_seat", match_args, {"name": seat_name})
    yield Post(
        "scoring:match_detach_phone", match_args, {"seat": "0", "key": str(uuid4())}
    )
    seat_change = {
        "seat": "0",
        "name": "Zoe",
        "from_hand": "1",
        "reason": SEAT_REASONS[0][0],
        "key": str(uuid4()),
    }
    yield Post("scoring:match_seats", match_args, seat_change)
    corrected_points = {
        f"points_{seat}": points for seat, points in enumerate((19, 12, 5, 1))
    }
    correction = {**confirmation, **corrected_points, "key": str(uuid4())}
    yield Post("scoring:hand_correct", hand_args, correction)
    chosen_body = json.dumps({"points": [18, 12, 5, 1]})
    choice = {"kind": "replace", "body": chosen_body, "reason": REASON}
    yield Post("scoring:hand_choose", hand_args, {**choice, "key": str(uuid4())})
    note = {"note": "Tom misdealt", "key": str(uuid4())}
    yield Post("scoring:hand_note", hand_args, note)


POST_GENERATORS = (club_posts, player_posts, circuit_posts, night_posts, match_posts)
"""Generators of posts for every page outside the desk."""


def read_state(client: Client) -> object:
    """Return everything that an action may change, in the database and on the phone."""
    zone = client.cookies.get(settings.TIME_ZONE_COOKIE_NAME)
    return stored_rows(), dict(client.session), zone and zone.value


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
    tested = {
        post.route
        for generate_posts in POST_GENERATORS
        for post in generate_posts(user)
    }
    tested |= {f"tournaments:{name}" for name in DESK_ROUTES}
    tested |= {f"tournaments:{case.name}" for case in cases(night("closed"))}
    tested |= {name for names in EXEMPT_ROUTES.values() for name in names.split()}
    assert routes - tested - {"tournaments:auto_step_action"} == set()


@pytest.mark.parametrize(
    "generate_posts", POST_GENERATORS, ids=lambda generate: generate.__name__
)
def test_every_action_reports_its_change_or_none(
    generate_posts: Callable[[User], Iterator[Post]],
) -> None:
    user = UserFactory.create()
    client = Client()
    client.force_login(user)
    silent, false_claims = [], []
    for post in generate_posts(user):
        before, url = read_state(client), reverse(post.route, args=post.args)
        data = post.form_data(client, url)
        with transaction.atomic():
            for time in ("once", "twice"):
                client.cookies.pop("messages", None)
                response = client.post(url, data, follow=True)
                assert response.status_code < 500, post
                after = read_state(client)
                shown_messages = list((response.context or {}).get("messages", ()))
                levels = {message.level for message in shown_messages}
                if response.redirect_chain and not shown_messages:
                    silent.append((post.route, post.data, time))
                if (
                    time == "once"
                    and not response.redirect_chain
                    and not shown_messages
                ):
                    form = (response.context or {}).get("form")
                    silent.append((post.route, post.data, getattr(form, "errors", "")))
                if SUCCESS in levels and after == before:
                    false_claims.append(
                        (post.route, post.args, time, str(shown_messages[0]))
                    )
                before = after
            transaction.set_rollback(True)
    assert silent == []
    assert false_claims == []
