"""Pages of an account: history, sign-ins, stored data, deletion, API keys."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any
from uuid import uuid4

from allauth.account.decorators import reauthentication_required
from allauth.mfa.recovery_codes import views as recovery_codes
from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from scoring.games.text_fields import NameField
from scoring.web.redirects import post_only
from tournaments.event.rights import own_phone_entries
from tournaments.history.personal_data import export_as_json
from tournaments.models import ApiToken, Club, Role, Scope, SecurityEvent, User
from tournaments.names import localized_sort_key
from tournaments.people.clubs import rename_account
from tournaments.people.factors import store_recovery_code_digests
from tournaments.people.origins import allow_origin
from tournaments.people.own_data import (
    check_can_close_account,
    close_and_anonymise_account,
    export_account,
    solely_directed_clubs,
)
from tournaments.people.programs import make_token, revoke_token
from tournaments.people.sign_ins import (
    active_sessions,
    browser_and_device_name,
    end_session,
    end_sessions,
)
from tournaments.web.access import (
    for_everybody,
    forbid_caching,
    in_club,
    requires_account,
)
from tournaments.web.account.sessions import get_visitor, sign_out_account_only
from tournaments.web.actions import (
    claim_form_key,
    release_form_key,
    show_changed_or_unchanged_message,
    show_refusals,
)
from tournaments.web.club.forms import CloseAccountForm, PublicNameForm
from tournaments.web.notifications.views import list_browser_subscriptions

EVENTS_PER_PAGE = 40
MOST_PEOPLE = 8
"""Players that a phone registered, and whose pages it links to."""
Kind = SecurityEvent.Kind
EVENT_ICONS: Mapping[str, str] = {
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
"""Icons of the events."""


@for_everybody
def personal_settings_page(request: HttpRequest) -> HttpResponse:
    """Show the visitor's player pages, account, settings and phone."""
    user = request.user
    people = {
        (entry.tournament.club_id, entry.player_id): (
            entry.tournament.club,
            entry.player,
        )
        for entry in own_phone_entries(request)
    }
    context: dict[str, Any] = {"subscriptions": list_browser_subscriptions(request)}
    if isinstance(user, User):
        name = PublicNameForm(
            request.POST or None, initial={"public_name": user.get_full_name()}
        )
        if name.is_valid():
            with show_changed_or_unchanged_message(request, _("Name saved."), user):
                rename_account(user=user, name=name.cleaned_data["public_name"])
            return redirect("tournaments:you")
        claims = user.claims.active().select_related("club", "player")
        context |= {"name": name, "claims": claims}
        for claim in claims:
            people.pop((claim.club_id, claim.player_id), None)
    elif request.method == "POST":
        return redirect_to_login(request.get_full_path())
    context["people"] = list(people.values())[:MOST_PEOPLE]
    return forbid_caching(render(request, "tournaments/account/you.html", context))


@require_safe
@requires_account
def sessions_and_security_events_page(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    events = user.security_events.select_related("by").latest_first()
    page = Paginator(events, EVENTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "sessions": [
            (session, browser_and_device_name(session.user_agent))
            for session in active_sessions(user)
        ],
        "events": [(event, EVENT_ICONS[event.kind]) for event in page],
        "page": page,
    }
    return render(request, "tournaments/account/account_history.html", context)


@post_only
@requires_account
@reauthentication_required  # type: ignore[untyped-decorator]  # has no types
def sign_out_device(request: HttpRequest, pk: int) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    session = get_object_or_404(active_sessions(user), pk=pk)
    if session.is_current():
        # A normal sign-out leaves this phone its own data; ending the session deletes it.
        return redirect("account_logout")
    end_session(session, visitor=get_visitor(request))
    messages.success(request, _("Signed out of that device."))
    return redirect("tournaments:account_history")


@post_only
@requires_account
@reauthentication_required  # type: ignore[untyped-decorator]  # has no types
def sign_out_other_devices(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    ended_count = end_sessions(
        user, except_key=request.session.session_key, visitor=get_visitor(request)
    )
    if not ended_count:
        messages.info(request, _("No other device is signed in."))
        return redirect("tournaments:account_history")
    message = ngettext(
        "Signed out of one other device.",
        "Signed out of %(count)s other devices.",
        ended_count,
    )
    messages.success(request, message % {"count": ended_count})
    return redirect("tournaments:account_history")


@require_safe
@requires_account
def download_account_data(request: HttpRequest) -> HttpResponse:
    """Download all data stored about the account, as JSON."""
    assert isinstance(request.user, User)
    return HttpResponse(
        export_as_json(export_account(request.user)),
        content_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="account.json"'},
    )


@requires_account
@reauthentication_required  # type: ignore[untyped-decorator]  # has no types
def close_account_page(request: HttpRequest) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    form = CloseAccountForm(request.POST or None, email=user.email)
    if form.is_valid():
        visitor = get_visitor(request)
        with show_refusals(form, "email"):
            check_can_close_account(user)
            # The phone keeps its own data, as after any sign-out.
            sign_out_account_only(request, user, Kind.SIGNED_OUT)
            close_and_anonymise_account(user=user, visitor=visitor)
            messages.success(request, _("Account deleted."))
            return redirect("scoring:home")
    archived = solely_directed_clubs(user).exclude(archived_at=None)
    context = {"form": form, "archived": archived}
    return render(request, "tournaments/account/account_close.html", context)


def replace_shown_codes_with_digests(
    codes_page: Callable[..., Any],
) -> Callable[[HttpRequest], HttpResponse]:
    """Wrap a page of recovery codes: once shown, only their digests are stored."""

    def page(request: HttpRequest) -> HttpResponse:
        response: TemplateResponse | HttpResponse = codes_page(request)
        if isinstance(response, TemplateResponse) and isinstance(request.user, User):
            context = response.context_data or {}
            if context.get("can_view_codes", True):
                store_recovery_code_digests(request.user, context["unused_codes"])
        return response

    return page


recovery_codes_page = replace_shown_codes_with_digests(
    recovery_codes.view_recovery_codes
)
download_recovery_codes_page = replace_shown_codes_with_digests(
    recovery_codes.download_recovery_codes
)


KEY_ALREADY_CREATED = gettext_lazy(
    "This key was already created, and its secret was only shown once. If you didn’t "
    "save it, revoke the key and create another."
)


@requires_account
def list_or_create_api_keys(request: HttpRequest) -> HttpResponse:
    """List the account's API keys and create one; only this response shows its secret."""
    user, now = request.user, timezone.now()
    assert isinstance(user, User)
    form, secret = ApiKeyForm(request.POST or None, user=user), ""
    if form.is_valid() and not claim_form_key(request):
        messages.info(request, KEY_ALREADY_CREATED)
        return redirect("tournaments:tokens")
    if form.is_valid():
        with show_refusals(form):
            days: str = form.cleaned_data.pop("days")
            _token, secret = make_token(
                user=user,
                **form.cleaned_data,
                expires_at=now + timedelta(days=int(days)) if days else None,
                now=now,
            )
            form = ApiKeyForm(user=user)
        if form.errors:
            release_form_key(request)
    own_tokens = (
        ApiToken.objects.filter(user=user).select_related("club").latest_first()
    )
    context = {
        "form": form,
        "key": uuid4(),
        "secret": secret,
        "tokens": own_tokens.active(now),
        "ended_tokens": own_tokens.exclude(pk__in=own_tokens.active(now).values("pk"))[
            :20
        ],
    }
    return render(request, "tournaments/account/tokens.html", context)


@post_only
@requires_account
def revoke_api_key(request: HttpRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken, user=request.user, pk=pk)
    message = _("“%(name)s” was revoked.") % {"name": token.name}
    with show_changed_or_unchanged_message(request, message, token):
        revoke_token(token=token, now=timezone.now())
    return redirect("tournaments:tokens")


@in_club(Role.DIRECTOR)
def list_or_add_allowed_origins(request: HttpRequest, club: Club) -> HttpResponse:
    form = AllowedOriginForm(request.POST or None)
    if form.is_valid():
        origin, count = form.cleaned_data["origin"], club.api_origins.count
        with (
            show_refusals(form),
            show_changed_or_unchanged_message(request, _("Site added."), count),
        ):
            allow_origin(club=club, origin=origin, now=timezone.now())
            return redirect("tournaments:origins", club.slug)
    context = {
        "club": club,
        "form": form,
        "origins": club.api_origins.order_by("origin"),
    }
    return render(request, "tournaments/account/origins.html", context)


@post_only
@in_club(Role.DIRECTOR)
def remove_allowed_origin(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    get_object_or_404(club.api_origins, pk=pk).delete()
    messages.success(request, _("Site removed."))
    return redirect("tournaments:origins", club.slug)


DAYS = [
    ("30", gettext_lazy("in 30 days")),
    ("365", gettext_lazy("in a year")),
    ("", gettext_lazy("never")),
]


class ApiKeyForm(forms.Form):
    name = NameField(label=gettext_lazy("What’s this key for?"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Permissions (every key can read)"),
        choices=[(scope.value, scope.label) for scope in Scope if scope != Scope.READ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    club = forms.ModelChoiceField(
        Club.objects.none(),
        label=gettext_lazy("Club"),
        required=False,
        empty_label=gettext_lazy("all your clubs"),
    )
    days = forms.ChoiceField(
        label=gettext_lazy("Expires"),
        choices=DAYS,
        initial="365",
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        club = self.fields["club"]
        assert isinstance(club, forms.ModelChoiceField)
        club.queryset = Club.objects.all().with_member(user)
        by_name = sorted(
            club.queryset, key=lambda choice: localized_sort_key(choice.name)
        )
        club.choices = [
            ("", club.empty_label),
            *((choice.pk, choice) for choice in by_name),
        ]


class AllowedOriginForm(forms.Form):
    origin = forms.CharField(
        label=gettext_lazy("Site address"),
        max_length=200,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org"}),
    )
