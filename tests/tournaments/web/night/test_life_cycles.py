"""Life cycles of tournaments, clubs, players and team members."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import Match, Player, Seat
from tests.factories.history import counted_tournament
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, at_club, submit, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.history.personal_data import anonymise_person, rename_person
from tournaments.models import (
    Club,
    Entry,
    Invitation,
    Membership,
    Role,
    Tournament,
    User,
)
from tournaments.people.clubs import set_member_role
from tournaments.tasks import (
    resend_lost_tasks_and_delete_outdated_rows,
    send_invitation,
)

pytestmark = pytest.mark.django_db


# Visibility


@pytest.mark.parametrize(
    ("listing", "is_on_club_page", "link_status", "is_found_by_code"),
    [
        ("draft", False, 404, False),
        ("listed", True, 200, True),
        ("unlisted", False, 200, True),
        ("archived", False, 200, True),
    ],
)
def test_visitors_find_public_tournaments_only(
    *, listing: str, is_on_club_page: bool, link_status: int, is_found_by_code: bool
) -> None:
    tournament = tournament_with([], listing=listing, name="Quiet night")
    client, club_page = Client(), tournament.club.get_absolute_url()
    assert ("Quiet night" in text(client, club_page)) == is_on_club_page
    archive_page = text(client, f"{club_page}?archive=1")
    assert ("Quiet night" in archive_page) == (listing == "archived")
    for name in ("tournament", "join", "projector", "tournament_preview"):
        assert client.get(at(name, tournament)).status_code == link_status
    assert client.get(at("me", tournament)).status_code == (
        link_status if listing == "draft" else 302
    )
    find_url = reverse("tournaments:find_tournament")
    response = client.post(find_url, {"code": tournament.code})
    assert (response.status_code == 302) == is_found_by_code
    search_url = at_club("search", tournament.club)
    is_found = "Quiet night" in client.get(search_url, {"q": "quiet"}).content.decode()
    assert is_found == (listing in ("listed", "archived"))
    viewer = signed_in(tournament.club, Role.VIEWER)
    assert viewer.get(at("tournament", tournament)).status_code == 200
    assert ("Quiet night" in text(viewer, club_page)) == (listing != "archived")


def test_draft_must_be_listed_before_publishing_and_stays_listed() -> None:
    tournament = tournament_with(4, listing="draft")
    drawing.draw(tournament_id=tournament.pk)
    client = signed_in(tournament.club)
    rejected_page = submit(client, at("round_action", tournament, 1, "publish"))
    assert "Players can’t see a draft" in rejected_page
    assert "Only the club’s team can see it." in text(client, at("desk", tournament))
    submit(client, at("listing", tournament), listing="unlisted")
    assert "A draft" not in text(client, at("desk", tournament))
    rounds.publish(round_id=tournament.rounds.get(number=1).pk)
    message = submit(client, at("listing", tournament), listing="draft")
    assert "so this can’t be a draft" in message
    tournament.refresh_from_db()
    assert tournament.listing == "unlisted"


@pytest.mark.parametrize("listing", ["draft", "unlisted"])
def test_player_pages_hide_unlisted_tournaments(
    listing: str,
) -> None:
    earlier = counted_tournament("2026-05-12", ["Ada", "Bo", "Cy", "Di"])
    club = earlier.club
    tournament_with(["Ada", "Zed"], club=club, listing=listing, name="Quiet night")
    ada = Player.objects.get(name="Ada")
    url = at_club("player", club, ada.pk)
    assert "Quiet night" not in text(Client(), url)
    assert "Quiet night" in text(signed_in(club, Role.VIEWER), url)
    results = Client().get(at_club("search", club), {"q": "zed"}).content.decode()
    assert "/players/" not in results.partition("<main")[2]


# Registration


def test_registration_opens_and_closes_on_time() -> None:
    hour = timedelta(hours=1)
    tournament = tournament_with([])
    now = timezone.now()
    cases = [
        (now + hour, None, "Registration opens on", "opens "),
        (now - hour, now + hour, "Your name", "open until"),
        (None, now - hour, "Registration is closed", "the director can still"),
    ]
    for opens, closes, form_text, page_text in cases:
        # Bypasses the models: a cached page must still follow the clock.
        Tournament.objects.update(
            registration_opens_at=opens, registration_closes_at=closes
        )
        assert form_text in text(Client(), at("join", tournament))
        page = text(Client(), at("tournament", tournament))
        assert page_text in page
        assert ("I’m coming" in page) == (page_text == "open until")
        Client().post(at("join", tournament), {"name": f"Ada {form_text[:3]}"})
    assert tournament.entries.count() == 1
    invalid_dates = {
        "registration_opens_at": "2026-06-01T20:00",
        "registration_closes_at": "2026-06-01T19:00",
    }
    message = submit(
        signed_in(tournament.club), at("settings", tournament), **invalid_dates
    )
    assert "Registration must close after it opens." in message


# Invitation page


def test_coming_tournament_invites_until_it_begins() -> None:
    tournament = tournament_with(
        ["Ada", "Çelik", "Bo"],
        venue="Café Morgen",
        invitation="Bring nothing but time.",
        capacity=4,
        starts_at=NOW,
    )
    page = text(Client(), at("tournament", tournament))
    for expected in (
        *("Café Morgen", "Bring nothing but time.", "3 coming", "1 place left"),
        *("Ada, Bo, Çelik", f'href="{at("join", tournament)}"'),
        *(at("calendar", tournament), "4 rounds of 45 minutes"),
    ):
        assert expected in page, expected
    assert "<table" not in page
    for name in ("Di", "Ed"):
        Client().post(at("join", tournament), {"name": name})
    full_page = text(Client(), at("tournament", tournament))
    assert "1 more is on the waiting list" in full_page
    running_round(tournament)
    started_page = text(Client(), at("tournament", tournament))
    assert "<table" in started_page
    assert "I’m coming" not in started_page


# Deletion


def test_deleting_an_unplayed_tournament_deletes_its_new_players() -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy", "Di"])
    counted_tournament("2026-05-12", ["Ada", "Eve", "Fay", "Gus"], club=tournament.club)
    running_round(tournament)
    client = signed_in(tournament.club)
    question = text(client, at("tournament_delete", tournament))
    assert "This deletes 4 registrations" in question
    response = client.post(at("tournament_delete", tournament), follow=True)
    assert "“Thursday” was deleted." in response.content.decode()
    assert not Tournament.objects.filter(pk=tournament.pk).exists()
    names = set(Player.objects.values_list("name", flat=True))
    assert names == {"Ada", "Eve", "Fay", "Gus"}
    assert Match.objects.filter(table=None).count() == 0


def test_played_tournament_is_archived_instead_of_deleted() -> None:
    tournament = tournament_with(4)
    play_round(running_round(tournament))
    client = signed_in(tournament.club)
    assert "This tournament can’t be deleted" in text(
        client, at("tournament_delete", tournament)
    )
    rejected_page = client.post(at("tournament_delete", tournament)).content.decode()
    assert "This tournament has results" in rejected_page
    client.post(at("listing", tournament), {"listing": "archived"})
    tournament.refresh_from_db()
    assert tournament.listing == "archived"


def test_mistaken_entry_can_be_removed_until_seated() -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy", "Di", "Oops"])
    scorer = signed_in(tournament.club, Role.SCORER)
    url = at("entry_edit", tournament, 5)
    question = scorer.post(url, {"remove": "1"}).content.decode()
    assert "Remove Oops from the list?" in question
    assert f'href="{at("entries", tournament)}"' in question
    assert Player.objects.filter(name="Oops").exists()
    scorer.post(url, {"remove": "1", "sure": "1"})
    assert not Player.objects.filter(name="Oops").exists()
    running_round(tournament)
    rejected_page = scorer.post(at("entry_edit", tournament, 1), {"remove": "1"})
    assert "already took part" in rejected_page.content.decode()
    assert tournament.entries.count() == 4


# Names


def test_corrected_name_changes_everywhere_and_is_noted() -> None:
    first = counted_tournament("2026-05-12", ["Feur", "Bo", "Cy", "Di"])
    second = tournament_with(["Feur", "Bo"], club=first.club)
    scorer = signed_in(first.club, Role.SCORER)
    url = at("entry_edit", second, 1)
    assert "changes the name in 1 other tournament" in text(scorer, url)
    scorer.post(url, {"name": " Fleur "})
    assert set(Entry.objects.filter(number=1).values_list("name", flat=True)) == {
        "Fleur"
    }
    assert not Seat.objects.filter(name="Feur").exists()
    assert "Feur" not in text(Client(), at("tournament", first))
    match = Match.objects.filter(table__round__tournament=first).first()
    assert match is not None
    assert "Fleur" in text(Client(), match.get_absolute_url())
    details = first.club.revisions.get(kind="renamed").details
    assert (details["renamed"], details["called"]) == ("Feur", "Fleur")
    assert details["by"]
    message = submit(scorer, at("entry_edit", second, 2), name="fleur")
    assert "This club already has a player called fleur" in message


def test_erasing_a_player_erases_former_names() -> None:
    tournament = counted_tournament("2026-05-12", ["Feur", "Bo", "Cy", "Di"])
    feur = Player.objects.get(name="Feur")
    club = tournament.club
    for name in ("Fleur", "Flora"):
        rename_person(club=club, player_id=feur.pk, name=name, user=None, now=NOW)
    anonymise_person(club=club, player_id=feur.pk, typed_name="flora")
    details = [str(revision.details) for revision in club.revisions.all()]
    assert not any(name in details for name in ("Feur", "Fleur", "Flora"))
    assert not club.revisions.filter(kind="renamed").exists()


def test_empty_club_is_deleted_and_used_club_archived() -> None:
    empty: Club = ClubFactory.create()
    used = tournament_with([]).club
    response = signed_in(empty).post(at_club("club_edit", empty), {"act": "ask"})
    assert "You can’t undo this" in response.content.decode()
    assert Club.objects.filter(pk=empty.pk).exists()
    signed_in(empty).post(at_club("club_edit", empty), {"act": "delete"})
    assert not Club.objects.filter(pk=empty.pk).exists()
    client = signed_in(used)
    rejected_page = client.post(at_club("club_edit", used), {"act": "delete"})
    assert "This club still has tournaments" in rejected_page.content.decode()
    client.post(at_club("club_edit", used), {"act": "archive"})
    new_page = client.get(at_club("tournament_new", used), follow=True).content.decode()
    assert "This club is archived" in new_page
    client.post(at_club("club_edit", used), {"act": "restore"})
    used.refresh_from_db()
    assert used.archived_at is None


def test_unplayed_player_is_deleted_and_others_archived() -> None:
    tournament = counted_tournament("2026-05-12", ["Ada", "Bo", "Cy", "Di"])
    tournament_with(["Ghost"], club=tournament.club)
    ghost, ada = (Player.objects.get(name=name) for name in ("Ghost", "Ada"))
    client = signed_in(tournament.club)
    club = tournament.club
    client.post(at_club("player_edit", club, ghost.pk), {"act": "delete"})
    assert not Player.objects.filter(pk=ghost.pk).exists()
    rejected_page = client.post(at_club("player_edit", club, ada.pk), {"act": "delete"})
    assert "This player has results" in rejected_page.content.decode()
    client.post(at_club("player_edit", club, ada.pk), {"act": "archive"})
    page = text(client, at_club("players", club))
    assert "Archived players" in page
    assert f'<option value="{ada.pk}">' not in page
    client.post(at_club("player_edit", club, ada.pk), {"name": "Adah"})
    assert Player.objects.get(pk=ada.pk).name == "Adah"


# Team


def invite(
    club: Club, *, email: str = "eva@example.org", role: Role = Role.VIEWER
) -> tuple[Client, str]:
    """Invite someone as a director; return the client and the page that follows."""
    client = signed_in(club)
    return client, submit(client, at_club("people", club), email=email, role=role)


def account_client(user: User | None = None) -> Client:
    """Return a browser in which an account is signed in."""
    client = Client()
    client.force_login(user or UserFactory.create())
    return client


@pytest.mark.django_db(transaction=True)
def test_invited_director_accepts_by_email_with_any_account() -> None:
    club: Club = ClubFactory.create(name="Demo Club")
    invite(club, email="Eva@Example.org", role=Role.DIRECTOR)
    (email,) = mail.outbox
    invitation = Invitation.objects.get()
    assert email.to == ["eva@example.org"]
    assert "You’re invited to join the team at Demo Club as director" in email.body
    assert invitation.link in email.body
    assert "Create account" in text(Client(), invitation.link)
    eva = UserFactory.create()
    account_client(eva).post(invitation.link)
    assert club.get_role(eva) == Role.DIRECTOR
    assert "no longer works" in submit(account_client(), invitation.link)
    assert Membership.objects.filter(club=club).count() == 2


@pytest.mark.django_db(transaction=True)
def test_existing_account_sees_the_invitation_or_gets_the_role() -> None:
    club: Club = ClubFactory.create()
    ana, helper = UserFactory.create(), member(club, Role.VIEWER)
    invite(club, email=helper.email, role=Role.SCORER)
    assert club.get_role(helper) == Role.SCORER
    (email,) = mail.outbox
    assert "Your account already has this role" in email.body
    assert club.get_absolute_url() in email.body
    invite(club, email=ana.email)
    link = Invitation.objects.get(email=ana.email).get_absolute_url()
    clubs_url = reverse("tournaments:clubs")
    assert link not in text(account_client(ana), clubs_url)
    EmailAddress.objects.create(user=ana, email=ana.email, verified=True)
    assert link in text(account_client(ana), clubs_url)


@pytest.mark.django_db(transaction=True)
def test_invitation_does_not_reveal_existing_accounts() -> None:
    club: Club = ClubFactory.create()
    user = UserFactory.create(email="ana@example.org")
    client = signed_in(club)
    pages = {}
    for email in ("ana@example.org", "abe@example.org"):
        form_data = {"email": email, "role": Role.SCORER}
        page = client.post(at_club("people", club), form_data, follow=True)
        invitation = Invitation.objects.get(email=email)
        content = (
            page.content.decode().replace(invitation.address, "").replace(email, "")
        )
        match = re.search(
            r"(?s)<main.*</main>", re.sub(r"[A-Za-z0-9]{64}", "", content)
        )
        assert match is not None
        pages[email] = re.sub(r"\d+/withdraw", "", match[0])
        assert invitation.link.endswith(invitation.get_absolute_url())
        client.post(at_club("invitation_withdraw", club, invitation.pk), follow=True)
    assert pages["ana@example.org"] == pages["abe@example.org"]
    assert club.get_role(user) is None
    account_email, unknown_email = (message.body for message in mail.outbox)
    assert "Sign in, or create an account" in account_email
    assert "Sign in, or create an account" in unknown_email


@pytest.mark.django_db(transaction=True)
def test_invitation_is_valid_for_its_recipient_until_revoked_or_expired() -> None:
    club: Club = ClubFactory.create()
    invite(club, role=Role.VIEWER)
    client, page = invite(club, role=Role.SCORER)
    assert "was already invited" in page
    invitation = Invitation.objects.get()
    assert [invitation.link in email.body for email in mail.outbox] == [True, True]
    # A director who follows the link does not use it up.
    assert "Pass this link on" in submit(client, invitation.link)
    message = submit(account_client(), invitation.link)
    assert f"You’re now on the team at {club.name}: scorer." in message
    assert sorted(club.memberships.values_list("role", flat=True)) == [2, 3, 3]
    Invitation.objects.update(answered_at=None)
    client.post(at_club("invitation_withdraw", club, invitation.pk))
    assert "no longer valid" in text(Client(), invitation.get_absolute_url())
    Invitation.objects.update(
        answered_at=None, made_at=timezone.now() - timedelta(days=31)
    )
    assert "no longer valid" in text(Client(), invitation.get_absolute_url())


def test_pages_do_not_mention_email_if_none_is_sent(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    club: Club = ClubFactory.create()
    scorer = member(club, Role.SCORER)
    _client, page = invite(club)
    assert "Invitation created for eva@example.org. Send them the link below." in page
    assert "This server doesn’t send e-mail yet" in page
    assert Invitation.objects.get().link in page
    client, page = invite(club, email=scorer.email)
    assert f"{scorer.email} now has this role." in page
    team_page = text(client, at_club("people", club))
    assert "e-mail sent" not in team_page
    assert "get an e-mail" not in team_page
    reset_page = text(Client(), reverse("account_reset_password_done"))
    assert "Ask the person who runs this server for the link" in reset_page
    assert "Check your e-mail" not in reset_page


@pytest.mark.parametrize(("withdrawn", "email_count"), [(False, 1), (True, 0)])
@pytest.mark.django_db(transaction=True)
def test_sweep_resends_a_rejected_email_once(
    settings: Any, *, withdrawn: bool, email_count: int
) -> None:
    club: Club = ClubFactory.create()
    settings.EMAIL_BACKEND = "tests.tournaments.web.night.test_life_cycles.Down"
    client, _page = invite(club)
    assert "e-mail not sent yet" in text(client, at_club("people", club))
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    Invitation.objects.update(made_at=timezone.now() - timedelta(minutes=2))
    invitation = Invitation.objects.get()
    if withdrawn:
        client.post(at_club("invitation_withdraw", club, invitation.pk))
    resend_lost_tasks_and_delete_outdated_rows()
    resend_lost_tasks_and_delete_outdated_rows()
    assert len(mail.outbox) == email_count
    assert send_invitation(invitation.pk) is False


class Down:
    """A mail server that cannot be reached."""

    def __init__(self, *_args: object, **_options: object) -> None:
        raise OSError("Connection refused")


@pytest.mark.django_db(transaction=True)
def test_last_director_cannot_be_removed_or_demoted() -> None:
    club: Club = ClubFactory.create()
    user = member(club, Role.DIRECTOR)
    client, membership = account_client(user), Membership.objects.get(club=club)
    for url, form_data in (
        (at_club("person_remove", club, membership.pk), {}),
        (at_club("people", club), {"email": user.email, "role": Role.VIEWER}),
    ):
        assert "is the last director" in submit(client, url, **form_data)
    assert club.get_role(user) == Role.DIRECTOR
    assert mail.outbox == []
    with pytest.raises(RefusedError):
        set_member_role(club=club, user=user, role=Role.SCORER)
    member(club, Role.DIRECTOR)
    set_member_role(club=club, user=user, role=Role.SCORER)
    assert club.get_role(user) == Role.SCORER
