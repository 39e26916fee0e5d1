"""Pages of a club's players: history, claims, merges."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.models import Player
from scoring.web.redirects import post_only
from scoring.web.views.pictures import chart_download
from tournaments.changes import RefusedError
from tournaments.event.rights import attach_phone
from tournaments.event.unplayed_players import delete_unplayed_player
from tournaments.history import personal_data, play_stats
from tournaments.history import player_stats as careers
from tournaments.history.leaderboard import BoardQuery, leaderboard, season_results
from tournaments.models import Claim, Club, Entry, Merge, Role, User
from tournaments.names import localized_sort_key
from tournaments.people import merges, profiles
from tournaments.people.identities import (
    direct_merge_targets,
    find_played_tournaments,
    get_person_or_404,
    people_in_club,
    players_in_club,
    same_person_ids,
)
from tournaments.people.similar_names import SimilarNameError
from tournaments.web.access import in_club, requires_account
from tournaments.web.actions import run_action, show_rename_or_unchanged_message
from tournaments.web.charts import rating_chart, table_ranks_chart
from tournaments.web.desk.forms import CorrectPlayerNameForm
from tournaments.web.players.forms import ErasePlayerForm, MergePlayersForm
from tournaments.web.sharing.feeds import webcal_url
from tournaments.web.sharing.pictures import player_link_preview

MOST_TOURNAMENTS = 30
"""Tournaments on a player's page unless all are requested."""


@in_club(None)
def players_page(request: HttpRequest, club: Club) -> HttpResponse:
    role = club.get_role(request.user)
    directs = role == Role.DIRECTOR
    archived = profiles.archived_player_ids(club)
    everybody = people_in_club(club, role)
    people = [person for person in everybody if person.player.pk not in archived]
    names_by_player = {person.player.pk: person.player.name for person in people}
    form = MergePlayersForm(
        (request.POST or None) if directs else None, names_by_player=names_by_player
    )
    if directs and request.method == "POST" and form.is_valid():
        return ask_to_merge_players(
            request, club, form.cleaned_data["merged"], form.cleaned_data["kept"]
        )
    context = {
        "club": club,
        "people": people,
        "archived": [person for person in everybody if person.player.pk in archived],
        "hidden": profiles.invisible_player_ids(club, request.user),
        "form": form,
        "role": role,
        "directs": directs,
        "merges": club.merges.active().select_related("kept", "merged"),
        "claims": club.claims.waiting().select_related("user", "player"),
        "confirmed_claims": club.claims.confirmed().select_related("user", "player"),
    }
    return render(request, "tournaments/players/players.html", context)


@in_club(Role.DIRECTOR)
def merge_players_page(
    request: HttpRequest, club: Club, merged: int, kept: int
) -> HttpResponse:
    """Ask whether two players are one person, and merge them once it is confirmed."""
    if request.method != "POST":
        return ask_to_merge_players(request, club, merged, kept)
    kept_player = get_object_or_404(players_in_club(club), pk=kept)
    merged_player = get_object_or_404(players_in_club(club), pk=merged)
    user = request.user
    assert isinstance(user, User)
    message = _("%(merged)s is now %(kept)s.")
    run_action(
        request,
        lambda: merges.merge_players(
            club_id=club.pk,
            kept=kept_player,
            merged=merged_player,
            user=user,
            now=timezone.now(),
        ),
        success_message=message
        % {"merged": merged_player.name, "kept": kept_player.name},
    )
    return redirect("tournaments:players", club.slug)


def ask_to_merge_players(
    request: HttpRequest, club: Club, merged: int, kept: int
) -> HttpResponse:
    """Return a page with the tournaments of two players and the question if they are one person.

    Players that cannot be are refused at once.
    """
    kept_player = get_object_or_404(players_in_club(club), pk=kept)
    merged_player = get_object_or_404(players_in_club(club), pk=merged)
    try:
        merges.check_can_merge(club, kept_player, merged_player)
    except RefusedError as refused:
        messages.error(request, refused.message)
        return redirect("tournaments:players", club.slug)
    merged_into = direct_merge_targets(club)
    parts = []
    for player in (kept_player, merged_player):
        same = same_person_ids(player.pk, merged_into)
        played = find_played_tournaments(club, same, role=Role.DIRECTOR)
        parts.append((player, played))
    context = {
        "club": club,
        "kept": kept_player,
        "merged": merged_player,
        "parts": parts,
    }
    return render(request, "tournaments/players/player_merge.html", context)


@post_only
@in_club(Role.DIRECTOR)
def unmerge_players(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    merge = get_object_or_404(Merge, club=club, pk=pk)
    message = _("%(merged)s and %(kept)s are separate again.")
    run_action(
        request,
        lambda: merges.unmerge_players(merge_id=merge.pk, now=timezone.now()),
        success_message=message
        % {"merged": merge.merged.name, "kept": merge.kept.name},
        changes=merge,
    )
    return redirect("tournaments:players", club.slug)


def remember_registration(request: HttpRequest, entry: Entry) -> None:
    """Store the entry on the phone, and the player if this phone introduced the name.

    Anyone can register under a name that the club knows; only the phone that introduced a
    name proves that it is its player's.
    """
    attach_phone(request, entry)
    if entry.player.entries.count() == 1 and not entry.player.seats.exists():
        introduced = request.session.get("brought", [])
        request.session["brought"] = [*introduced, entry.player_id]


@require_safe
@in_club(None)
def player_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Show a player's form, opponents or records, as the query's `tab` says.

    A hidden page is visible only to its player and the club's members.
    """
    person, same = get_person_or_404(club, pk)
    if not profiles.can_see_page(club, person.pk, request.user):
        return render(request, "tournaments/players/player_hidden.html", {"club": club})
    entries = Entry.objects.filter(tournament__club=club, player__in=same)
    results = careers.results_in_order(club, person.pk)
    games = careers.overall_and_game_stats(club, person.pk)
    today = club.local_day(timezone.now())
    season = club.seasons.covering(today).first() or club.seasons.latest_first().first()
    rank = None
    if season is not None:
        lines = leaderboard(BoardQuery(club=club, season=season), today)
        rank = next((line.rank for line in lines if line.player == person.pk), None)
    tab = request.GET.get("tab", "")
    context: dict[str, Any] = {
        "club": club,
        "player": person,
        "tab": tab if tab in {"head-to-head", "records"} else "form",
        "names": sorted(
            set(entries.values_list("name", flat=True).distinct()) - {person.name},
            key=localized_sort_key,
        ),
        "role": club.get_role(request.user),
        "hidden": profiles.invisible_player_ids(club, request.user),
        "public": person.pk not in profiles.private_player_ids(club),
        "decides": profiles.can_change_visibility(club, person.pk, request.user),
        "subscribe": webcal_url(
            request, reverse("tournaments:player_calendar", args=[club.slug, person.pk])
        ),
        "season": season,
        "season_rank": rank,
        "since": results[0].held_on if results else None,
        "titles": careers.season_titles(club, same),
        "games": games,
    }
    match context["tab"]:
        case "head-to-head":
            context["opponents"] = careers.most_frequent_opponents(club, person.pk)
        case "records":
            bids = careers.count_bids_by_size(club, same)
            context |= {
                "best_hands": careers.best_hand_of_each_game(club, same),
                "best_bids": careers.highest_made_bid_by_game(bids),
                "bid_sizes": careers.group_bids_into_bands(bids),
                "partnerships": careers.contract_totals_by_role(club, same),
                "bidding": play_stats.bidding_stats(club, same),
                "trick_play": play_stats.trick_play_stats(club, same),
                "places_chart": table_ranks_chart(
                    careers.table_rank_counts(club, person.pk)
                ),
            }
        case _:
            most = None if "whole" in request.GET else MOST_TOURNAMENTS
            tournaments = find_played_tournaments(
                club, same, most=most and most + 1, role=context["role"]
            )
            claims = club.claims.active().filter(player__in=same).select_related("user")
            context |= {
                "played": tournaments[:most],
                "further": most is not None and len(tournaments) > most,
                "own": [claim for claim in claims if claim.user == request.user],
                "claimed": any(claim.confirmed_at for claim in claims),
                "season_results": season
                and season_results(club, season, person.pk, today),
                "form": careers.recent_table_placings(club, person.pk),
                "run": careers.longest_run_of_tables_won(club, person.pk),
                "rating_chart": rating_chart(
                    person.name,
                    careers.last_rated_result_per_tournament(results),
                    is_leader=rank == 1,
                ),
            }
    if context["public"]:
        context["about"] = player_link_preview(club, person, games)
    return render(request, "tournaments/players/player.html", context)


@require_safe
@in_club(None)
def download_player_chart(
    request: HttpRequest, club: Club, pk: int, chart_name: str
) -> HttpResponse:
    """Download a chart of a player's page; `chart_name` is `rating` or `places`."""
    person, _same = get_person_or_404(club, pk)
    if not profiles.can_see_page(club, person.pk, request.user):
        raise Http404
    if chart_name == "rating":
        course = careers.last_rated_result_per_tournament(
            careers.results_in_order(club, person.pk)
        )
        return chart_download(rating_chart(person.name, course))
    if chart_name == "places":
        return chart_download(
            table_ranks_chart(careers.table_rank_counts(club, person.pk))
        )
    raise Http404


def _get_controlled_player(request: HttpRequest, club: Club, pk: int) -> Player:
    """Return a player whose page and data the account may change. Raises PermissionDenied."""
    person, _same = get_person_or_404(club, pk)
    if not profiles.can_change_visibility(club, person.pk, request.user):
        raise PermissionDenied
    return person


@post_only
@requires_account
@in_club(None)
def set_player_visibility(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    person = _get_controlled_player(request, club, pk)
    is_public = request.POST.get("public") == "1"
    run_action(
        request,
        lambda: profiles.set_page_visibility(
            club=club, player_id=person.pk, public=is_public
        ),
        success_message=_("This page is now public.")
        if is_public
        else _("This page is now private."),
        changes=lambda: person.pk in profiles.private_player_ids(club),
    )
    return redirect("tournaments:player", club.slug, person.pk)


@require_safe
@requires_account
@in_club(None)
def download_player_data(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Download all data stored about a person, as JSON."""
    person = _get_controlled_player(request, club, pk)
    answer = HttpResponse(
        personal_data.export_as_json(personal_data.export_person(club, person.pk)),
        content_type="application/json",
    )
    answer["Content-Disposition"] = f'attachment; filename="player-{person.pk}.json"'
    return answer


@requires_account
@in_club(None)
def erase_player_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    person = _get_controlled_player(request, club, pk)
    form = ErasePlayerForm(request.POST or None)
    if form.is_valid():
        try:
            personal_data.anonymise_person(
                club=club, player_id=person.pk, typed_name=form.cleaned_data["name"]
            )
        except RefusedError as refused:
            form.add_error("name", refused.message)
        else:
            messages.success(request, _("Name erased."))
            return redirect("tournaments:player", club.slug, person.pk)
    context = {"club": club, "player": person, "form": form}
    return render(request, "tournaments/players/player_erase.html", context)


@in_club(Role.DIRECTOR)
def edit_player_page(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    assert isinstance(request.user, User)
    person, _same = get_person_or_404(club, pk)
    act = request.POST.get("act", "")
    form = CorrectPlayerNameForm(
        (request.POST or None) if not act else None, initial={"name": person.name}
    )
    now = timezone.now()
    try:
        if act == "delete":
            delete_unplayed_player(club=club, player_id=person.pk)
            message = _("%(name)s was deleted.")
            messages.success(request, message % {"name": person.name})
            return redirect("tournaments:players", club.slug)
        if act in ("archive", "restore"):
            is_archived = act == "archive"
            message = (
                _("%(name)s is archived.")
                if is_archived
                else _("%(name)s is no longer archived.")
            )
            run_action(
                request,
                lambda: profiles.archive_or_restore_player(
                    club=club, player_id=person.pk, now=now if is_archived else None
                ),
                success_message=message % {"name": person.name},
                changes=lambda: person.pk in profiles.archived_player_ids(club),
            )
            return redirect("tournaments:players", club.slug)
        if form.is_valid():
            personal_data.rename_person(
                club=club,
                player_id=person.pk,
                name=form.cleaned_data["name"],
                user=request.user,
                now=now,
                is_different_person=form.is_confirmed_as_another_person,
            )
            show_rename_or_unchanged_message(
                request, person.name, form.cleaned_data["name"]
            )
            return redirect("tournaments:player", club.slug, person.pk)
    except SimilarNameError as doubtful:
        form.add_similar_name_question(doubtful)
    except RefusedError as refused:
        form = CorrectPlayerNameForm(
            request.POST if not act else None, initial=form.initial
        )
        if act:
            messages.error(request, refused.message)
        else:
            form.add_error("name", refused.message)
    context = {
        "club": club,
        "player": person,
        "form": form,
        "is_archived": person.pk in profiles.archived_player_ids(club),
        "has_played": person.seats.exists(),
    }
    return render(request, "tournaments/players/player_edit.html", context)


@post_only
@requires_account
@in_club(None)
def claim_player(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Claim to be a player; a phone that introduced the player needs no confirmation."""
    assert isinstance(request.user, User)
    person = get_object_or_404(players_in_club(club), pk=pk)
    proven = person.pk in request.session.get("brought", [])
    user, now = request.user, timezone.now()
    claims = club.claims.active().filter(user=user, player=person)

    def claim() -> str:
        new_claim = merges.claim_player(
            club=club, user=user, player=person, proven=proven, now=now
        )
        if new_claim.confirmed_at:
            return _("You’re linked to %(name)s.") % {"name": person.name}
        return _("Claim sent. A director needs to confirm it.")

    run_action(
        request, claim, changes=lambda: list(claims.values_list("pk", "confirmed_at"))
    )
    return redirect("tournaments:player", club.slug, pk)


@post_only
@requires_account
@in_club(None)
def withdraw_player_claim(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    claim = get_object_or_404(Claim, club=club, pk=pk, user=request.user)
    run_action(
        request,
        lambda: merges.withdraw_claim(claim_id=claim.pk, now=timezone.now()),
        success_message=_("You’re no longer linked to %(name)s.")
        % {"name": claim.player.name},
        changes=claim,
    )
    return redirect("tournaments:player", club.slug, claim.player_id)


@post_only
@in_club(Role.DIRECTOR)
def confirm_or_refuse_claim(
    request: HttpRequest, club: Club, pk: int, verb: str
) -> HttpResponse:
    """Confirm or refuse a claim; refusing a confirmed claim revokes it."""
    claim = get_object_or_404(Claim, club=club, pk=pk)
    acts = {
        "confirm": (merges.confirm_claim, _("Claim confirmed: %(name)s.")),
        "refuse": (merges.withdraw_claim, _("Claim removed: %(name)s.")),
    }
    if verb not in acts:
        raise Http404
    act, message = acts[verb]
    run_action(
        request,
        lambda: act(claim_id=claim.pk, now=timezone.now()),
        success_message=message % {"name": claim.player.name},
        changes=claim,
    )
    return redirect("tournaments:players", club.slug)
