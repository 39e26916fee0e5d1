"""API keys of an account, and the websites that may call the API for a club."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.games.text_fields import NameField
from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.models import ApiToken, Club, Role, Scope, User
from tournaments.names import reading_key
from tournaments.people.origins import allow_origin
from tournaments.people.programs import end_token, make_token
from tournaments.web.access import in_club, signed_in
from tournaments.web.actions import show_change
from tournaments.web.one_time_forms import forget_form, is_first_time

MADE_BEFORE = gettext_lazy(
    "It was made before, and its secret was shown once. Where you did not keep that, end it "
    "and make another."
)


@signed_in
def tokens(request: HttpRequest) -> HttpResponse:
    """Show an account's tokens, and make one: its secret stands on that page alone."""
    user, now = request.user, timezone.now()
    assert isinstance(user, User)
    form = TokenForm(request.POST or None, user=user)
    secret = ""
    if form.is_valid() and not is_first_time(request):
        messages.info(request, MADE_BEFORE)
        return redirect("tournaments:tokens")
    if form.is_valid():
        try:
            _token, secret = make_token(
                user=user,
                name=form.cleaned_data["name"],
                scopes=form.cleaned_data["scopes"],
                club=form.cleaned_data["club"],
                expires_at=form.expires_at(now),
                now=now,
            )
        except RefusedError as refused:
            forget_form(request)
            form.add_error(refused.field, refused.message)
        else:
            form = TokenForm(user=user)
    listed = ApiToken.objects.filter(user=user).select_related("club").latest_first()
    context = {
        "form": form,
        "key": uuid4(),
        "secret": secret,
        "tokens": listed.standing(now),
        "over": listed.exclude(pk__in=listed.standing(now).values("pk"))[:20],
    }
    answer = render(request, "tournaments/account/tokens.html", context)
    answer["Cache-Control"] = "no-store"
    return answer


@posted
@signed_in
def token_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End a token of one's own: from now on it opens nothing."""
    token = get_object_or_404(ApiToken, user=request.user, pk=pk)
    words = _("“%(name)s” opens nothing any more.") % {"name": token.name}
    with show_change(request, words, token):
        end_token(token=token, now=timezone.now())
    return redirect("tournaments:tokens")


@in_club(Role.DIRECTOR)
def origins(request: HttpRequest, club: Club) -> HttpResponse:
    """Show which web sites may frame a club and ask for it, and allow one more."""
    form = OriginForm(request.POST or None)
    if form.is_valid():
        allowed = club.api_origins.order_by("pk")
        try:
            with show_change(
                request,
                _("The site is added."),
                lambda: list(allowed.values_list("pk", flat=True)),
            ):
                allow_origin(
                    club=club, origin=form.cleaned_data["origin"], now=timezone.now()
                )
        except RefusedError as refused:
            form.add_error(refused.field, refused.message)
        else:
            return redirect("tournaments:origins", club.slug)
    context = {
        "club": club,
        "form": form,
        "origins": club.api_origins.order_by("origin"),
    }
    return render(request, "tournaments/account/origins.html", context)


@posted
@in_club(Role.DIRECTOR)
def origin_remove(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Let a site frame a club and ask for it no more."""
    get_object_or_404(club.api_origins, pk=pk).delete()
    messages.success(request, _("The site is removed."))
    return redirect("tournaments:origins", club.slug)


DAYS = [
    ("30", gettext_lazy("30 days")),
    ("365", gettext_lazy("a year")),
    ("", gettext_lazy("until you end it")),
]


class TokenForm(forms.Form):
    """What a program may do, where, and for how long."""

    name = NameField(label=gettext_lazy("What is it for?"), max_length=60)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Besides reading, it may"),
        choices=[(scope.value, scope.label) for scope in Scope if scope != Scope.READ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    club = forms.ModelChoiceField(
        Club.objects.none(),
        label=gettext_lazy("In"),
        required=False,
        empty_label=gettext_lazy("all your clubs"),
    )
    days = forms.ChoiceField(
        label=gettext_lazy("It holds for"),
        choices=DAYS,
        initial="365",
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        """Offer the clubs of an account."""
        super().__init__(*args, **options)
        club = self.fields["club"]
        assert isinstance(club, forms.ModelChoiceField)
        club.queryset = Club.objects.all().of(user)
        by_name = sorted(club.queryset, key=lambda each: reading_key(each.name))
        club.choices = [("", club.empty_label), *((each.pk, each) for each in by_name)]

    def expires_at(self, now: datetime) -> datetime | None:
        """Return when it ends by itself; None for never."""
        days: str = self.cleaned_data["days"]
        return now + timedelta(days=int(days)) if days else None


class OriginForm(forms.Form):
    """A web site whose pages may show a club and ask for it."""

    origin = forms.CharField(
        label=gettext_lazy("Address of the site"),
        max_length=200,
        widget=forms.URLInput(attrs={"placeholder": "https://example.org"}),
    )
