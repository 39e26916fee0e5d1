"""Pages of an account: its history, its sign-ins, its stored data and its deletion."""

from collections.abc import Callable, Mapping
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.mfa.recovery_codes import views as recovery_codes
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.history.personal_data import as_file
from tournaments.models import SecurityEvent, User
from tournaments.people.factors import keep_digests
from tournaments.people.own_data import (
    check_closing,
    close_account,
    clubs_directed_alone,
    export_account,
)
from tournaments.people.sign_ins import active_sessions, end_session, end_sessions
from tournaments.people.user_agents import device_name
from tournaments.web.access import signed_in
from tournaments.web.account.events import visitor_of
from tournaments.web.account.sessions import sign_out
from tournaments.web.club.forms import CloseAccountForm

A_PAGE = 40
Kind = SecurityEvent.Kind
SIGNS: Mapping[str, str] = {
    Kind.SIGNED_IN: "check",
    Kind.SIGN_IN_FAILED: "triangle-alert",
    Kind.SIGNED_OUT: "log-out",
    Kind.SESSION_ENDED: "log-out",
    Kind.SESSION_IDLE: "clock",
    Kind.SESSION_OLD: "clock",
    Kind.PASSWORD_CHANGED: "lock",
    Kind.PASSKEY_ADDED: "key-round",
    Kind.PASSKEY_REMOVED: "key-round",
    Kind.APP_ADDED: "smartphone",
    Kind.APP_REMOVED: "smartphone",
    Kind.FACTORS_FORGOTTEN: "key-round",
    Kind.CODES_MADE: "list-ordered",
    Kind.ADDRESS_CHANGED: "mail",
    Kind.ROLE_GIVEN: "users",
    Kind.ROLE_TAKEN: "users",
    Kind.TOKEN_MADE: "layers",
    Kind.TOKEN_ENDED: "layers",
    Kind.ACCOUNT_CLOSED: "log-out",
}
"""What is drawn beside each kind of event."""


@require_safe
@signed_in
def account_history(request: HttpRequest) -> HttpResponse:
    """Show where an account is signed in, and what happened to it."""
    user = request.user
    assert isinstance(user, User)
    events = user.security_events.select_related("by").latest_first()
    page = Paginator(events, A_PAGE).get_page(request.GET.get("page"))
    context = {
        "sessions": [
            (session, device_name(session.user_agent))
            for session in active_sessions(user)
        ],
        "events": [(event, SIGNS[event.kind]) for event in page],
        "page": page,
    }
    return render(request, "tournaments/account/account_history.html", context)


@posted
@signed_in
@reauthentication_required  # type: ignore[untyped-decorator]  # has no types
def sign_in_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Sign one's account out on another device."""
    user = request.user
    assert isinstance(user, User)
    session = get_object_or_404(active_sessions(user), pk=pk)
    if session.is_current():
        # What this phone remembers stays, which a sign-out from elsewhere takes.
        return redirect("account_logout")
    end_session(session, visitor=visitor_of(request))
    messages.success(request, _("You are signed out there."))
    return redirect("tournaments:account_history")


@posted
@signed_in
@reauthentication_required  # type: ignore[untyped-decorator]  # has no types
def sign_ins_end(request: HttpRequest) -> HttpResponse:
    """Sign one's account out everywhere but here."""
    user = request.user
    assert isinstance(user, User)
    ended = end_sessions(
        user, but=request.session.session_key, visitor=visitor_of(request)
    )
    if not ended:
        messages.info(request, _("Nothing has changed: no other device is signed in."))
        return redirect("tournaments:account_history")
    words = ngettext(
        "You are signed out on one other device.",
        "You are signed out on %(count)s other devices.",
        ended,
    )
    messages.success(request, words % {"count": ended})
    return redirect("tournaments:account_history")


@require_safe
@signed_in
def account_export(request: HttpRequest) -> HttpResponse:
    """Give everything that is stored of one's account, in one file."""
    assert isinstance(request.user, User)
    stored = as_file(export_account(request.user))
    answer = HttpResponse(stored, content_type="application/json")
    answer["Content-Disposition"] = 'attachment; filename="account.json"'
    return answer


@signed_in
@reauthentication_required  # type: ignore[untyped-decorator]  # has no types
def account_close(request: HttpRequest) -> HttpResponse:
    """Ask whether one's account shall be closed, and close it once its address was typed."""
    user = request.user
    assert isinstance(user, User)
    form = CloseAccountForm(request.POST or None, email=user.email)
    if form.is_valid():
        visitor = visitor_of(request)
        try:
            check_closing(user)
            # What this phone remembers of itself stays on it, as after any sign-out.
            sign_out(request, user, Kind.SIGNED_OUT)
            close_account(user=user, visitor=visitor)
        except RefusedError as refused:
            form.add_error("email", refused.message)
        else:
            messages.success(request, _("The account is closed."))
            return redirect("scoring:home")
    archived = clubs_directed_alone(user).exclude(archived_at=None)
    context = {"form": form, "archived": archived}
    return render(request, "tournaments/account/account_close.html", context)


def shown_once(codes_page: Callable[..., Any]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a page that shows codes to keep as one that knows them no longer once it has shown them."""

    def page(request: HttpRequest) -> HttpResponse:
        answer: TemplateResponse | HttpResponse = codes_page(request)
        if isinstance(answer, TemplateResponse) and isinstance(request.user, User):
            context = answer.context_data or {}
            if context.get("can_view_codes", True):
                keep_digests(request.user, context["unused_codes"])
        return answer

    return page


codes_to_keep = shown_once(recovery_codes.view_recovery_codes)
codes_to_download = shown_once(recovery_codes.download_recovery_codes)
