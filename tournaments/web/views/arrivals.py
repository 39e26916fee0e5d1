"""Bringing in a whole club from another host."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.changes import RefusedError
from tournaments.files.archive.arrivals import keep_arrival
from tournaments.models import Arrival, User
from tournaments.web.forms.arrivals import ArrivalForm
from tournaments.web.views.access import signed_in


@signed_in
def bring_club(request: HttpRequest) -> HttpResponse:
    """Take the archive of a club, which the account directs from then on."""
    user = request.user
    assert isinstance(user, User)
    form = ArrivalForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            kept = keep_arrival(
                user=user,
                key=form.cleaned_data["key"],
                name=file.name or "",
                content=file.read(),
                slug=form.cleaned_data["slug"],
                now=timezone.now(),
            )
        except RefusedError as refused:
            form.add_error(refused.field, refused.message)
        else:
            return redirect("tournaments:arrival", kept.key)
    return render(request, "tournaments/bring_club.html", {"form": form})


@require_safe
@signed_in
def arrival(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what became of an archive: lead to the club, say why not, or wait for it."""
    kept = get_object_or_404(
        Arrival.objects.select_related("club").defer("content"),
        user=request.user,
        key=key,
    )
    if kept.club is not None:
        if kept.fault:
            messages.warning(request, kept.fault)
        return redirect(kept.club)
    waiting = Arrival.objects.waiting(timezone.now()).filter(pk=kept.pk)
    context = {"arrival": kept, "is_given_up": not kept.fault and not waiting.exists()}
    return render(request, "tournaments/arrival.html", context)
