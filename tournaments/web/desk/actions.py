"""Actions of the desk: their roles, confirmation pages and messages."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.matchlog.commands import CommandAuthor
from scoring.web.redirects import post_only
from tournaments.event import autopilot
from tournaments.event.rights import director_author
from tournaments.event.separations import SeparatedPairsError
from tournaments.models import Role, Tournament, User
from tournaments.web.access import in_tournament
from tournaments.web.actions import confirmation_page, read_watched_values, run_action

Run = Callable[..., str]
DESK, PLAYERS = "tournaments:desk", "tournaments:entries"


class ConfirmationRequiredError(Exception):
    """Raised by an action that needs a confirmation, with the question and its details."""

    def __init__(
        self, question: str, details: Sequence[str], confirm_label: str
    ) -> None:
        """Take the question, lines about what is open or would be lost, and the button's label."""
        super().__init__(question)
        self.question, self.details, self.confirm_label = (
            question,
            details,
            confirm_label,
        )

    def render_confirmation(
        self, request: HttpRequest, tournament: Tournament, back_view: str = DESK
    ) -> HttpResponse:
        """Return the confirmation page; *Cancel* leads to the view `back_view`."""
        return confirmation_page(
            request,
            self.question,
            self.details,
            title=tournament.name,
            back_url=reverse(back_view, args=[tournament.address]),
            back_label=_("Players") if back_view == PLAYERS else _("Desk"),
            confirm_label=self.confirm_label,
        )


def require_confirmation(
    request: HttpRequest,
    question: str,
    details: Sequence[str] = (),
    *,
    confirm_label: str,
) -> None:
    """Raise ConfirmationRequiredError unless the question was answered by the button."""
    if "sure" not in request.POST:
        raise ConfirmationRequiredError(question, details, confirm_label)


@contextmanager
def confirm_separated_pairs(request: HttpRequest) -> Iterator[bool]:
    """Give the block whether players that are kept apart may share a table, and ask if they would."""
    try:
        yield "sure" in request.POST
    except SeparatedPairsError as refused:
        require_confirmation(
            request,
            _("Seat them at one table?"),
            refused.sentences,
            confirm_label=_("Seat anyway"),
        )
        raise


def desk_action(
    required_role: Role,
    *,
    changes: Callable[..., object] | None = lambda tournament, **_parts: (
        read_watched_values(tournament)
    ),
    back_view: str = DESK,
    seats_round: Callable[..., bool] = lambda **_parts: False,
) -> Callable[[Run], Callable[..., HttpResponse]]:
    """Make a POST view of a function that performs an action and returns its message.

    `changes` reads the values that the action is meant to change, from the tournament and the
    parts of the URL; if they are the same afterwards, the message is that nothing has changed.
    A RefusedError is shown as a message, a ConfirmationRequiredError as a confirmation page.
    The view then redirects to `back_view`. If `seats_round` holds for the parts of the URL,
    the desk animates the tables of the seated round once.
    """

    def decorate(run: Run) -> Callable[..., HttpResponse]:
        @post_only
        @in_tournament(required_role)
        @wraps(run)
        def view(
            request: HttpRequest, tournament: Tournament, /, **parts: Any
        ) -> HttpResponse:
            try:
                is_done = run_action(
                    request,
                    partial(run, request, tournament, **parts),
                    changes=changes and partial(changes, tournament, **parts),
                )
            except ConfirmationRequiredError as unconfirmed:
                return unconfirmed.render_confirmation(request, tournament, back_view)
            address = reverse(back_view, args=[tournament.address])
            is_seated = is_done and seats_round(**parts)
            return redirect(f"{address}?seated" if is_seated else address)

        return view

    return decorate


def signed_in_user(request: HttpRequest) -> User:
    """Return the account of a request; the view has checked its role already."""
    assert isinstance(request.user, User)
    return request.user


def get_desk_command_author(request: HttpRequest) -> CommandAuthor:
    return director_author(signed_in_user(request))


def hold_next_autopilot_step(request: HttpRequest, tournament_id: int) -> None:
    """Hold the autopilot's next step, so that it does not close or finish again at once."""
    user = signed_in_user(request)
    autopilot.hold_next_step(tournament_id=tournament_id, user=user, now=timezone.now())
