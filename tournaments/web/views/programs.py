"""Programs: the tokens by which they speak for an account, the sites that may ask for a club."""

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.models import ApiToken, Club, Role, User
from tournaments.people.origins import allow_origin
from tournaments.people.programs import end_token, make_token
from tournaments.web.actions import show_change
from tournaments.web.first_time import forget_form, is_first_time
from tournaments.web.forms.programs import OriginForm, TokenForm
from tournaments.web.views.access import in_club, signed_in

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
    answer = render(request, "tournaments/tokens.html", context)
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
    return render(request, "tournaments/origins.html", context)


@posted
@in_club(Role.DIRECTOR)
def origin_remove(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Let a site frame a club and ask for it no more."""
    removed = club.api_origins.filter(pk=pk)
    with show_change(request, _("The site is removed."), removed.exists):
        removed.delete()
    return redirect("tournaments:origins", club.slug)
