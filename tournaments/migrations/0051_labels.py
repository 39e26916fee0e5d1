import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tournaments.models.validators


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0050_mark_demo_club"),
    ]

    operations = [
        migrations.AlterField(
            model_name="apitoken",
            name="ended_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="revoked at"
            ),
        ),
        migrations.AlterField(
            model_name="autostep",
            name="kind",
            field=models.CharField(
                choices=[
                    ("seat", "draw the round"),
                    ("start", "start the round"),
                    ("last_hand", "call the last hand"),
                    ("close", "close the round"),
                    ("cut", "draw the final"),
                    ("finish", "finish the tournament"),
                ],
                max_length=10,
                verbose_name="step",
            ),
        ),
        migrations.AlterField(
            model_name="autostep",
            name="state",
            field=models.CharField(
                choices=[
                    ("announced", "announced"),
                    ("held", "on hold"),
                    ("done", "done"),
                    ("undone", "undone"),
                    ("dropped", "no longer needed"),
                ],
                default="announced",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="circuit",
            name="best_of",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="best tournaments that count (0 for all)"
            ),
        ),
        migrations.AlterField(
            model_name="circuit",
            name="counts",
            field=models.CharField(
                choices=[
                    ("place", "100 for 1st, 0 for last, evenly spaced"),
                    ("points", "tournament points"),
                ],
                default="place",
                max_length=10,
                verbose_name="points for a tournament",
            ),
        ),
        migrations.AlterField(
            model_name="circuit",
            name="lasts_days",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="days until a result expires (0 for never)"
            ),
        ),
        migrations.AlterField(
            model_name="circuit",
            name="least_attendance",
            field=models.PositiveSmallIntegerField(
                default=1, verbose_name="tournaments needed to be ranked"
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("delivered", "delivered"),
                    ("failed", "failed"),
                ],
                default="waiting",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="apart",
            field=models.ManyToManyField(
                to="tournaments.entry", verbose_name="never seated with"
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="final_place",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="final rank"
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="lot",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="tie-break draw"
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="on_phone",
            field=models.BooleanField(default=False, verbose_name="brought a phone"),
        ),
        migrations.AlterField(
            model_name="entry",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "on the waiting list"),
                    ("expected", "registered"),
                    ("present", "here"),
                    ("dropped", "left"),
                    ("no_show", "didn’t come"),
                ],
                default="expected",
                max_length=10,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="waits_here",
            field=models.BooleanField(
                default=False, verbose_name="here, waiting for a place"
            ),
        ),
        migrations.AlterField(
            model_name="hookevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("match.finished", "a match finishes"),
                    ("result.confirmed", "a result is confirmed"),
                    ("round.seated", "a round’s seating is published"),
                    ("standings.changed", "the standings change"),
                    ("tournament.finished", "a tournament finishes"),
                    ("director.called", "a player calls the director"),
                    ("ping", "a test"),
                ],
                max_length=30,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="invitation",
            name="sent_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="e-mail sent at"
            ),
        ),
        migrations.AlterField(
            model_name="place",
            name="again",
            field=models.BooleanField(
                default=False, verbose_name="may also sit elsewhere"
            ),
        ),
        migrations.AlterField(
            model_name="place",
            name="late",
            field=models.BooleanField(default=False, verbose_name="running late"),
        ),
        migrations.AlterField(
            model_name="placing",
            name="place",
            field=models.PositiveIntegerField(verbose_name="place at the table"),
        ),
        migrations.AlterField(
            model_name="profile",
            name="is_public",
            field=models.BooleanField(
                default=True, verbose_name="everyone can see the page"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="earned_points",
            field=models.CharField(
                blank=True,
                max_length=60,
                validators=[tournaments.models.validators.check_exact],
                verbose_name="tournament points",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="game_rated",
            field=models.PositiveIntegerField(
                default=0, verbose_name="rated tables in the game"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="places",
            field=models.PositiveIntegerField(
                default=0, verbose_name="total of places"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="rated",
            field=models.PositiveIntegerField(default=0, verbose_name="rated tables"),
        ),
        migrations.AlterField(
            model_name="revision",
            name="kind",
            field=models.CharField(
                choices=[
                    ("corrected", "results were corrected"),
                    ("reopened", "reopened"),
                    ("identities", "players were merged or separated"),
                    ("ratings", "ratings start the season differently"),
                    ("renamed", "a player’s name was corrected"),
                    ("undone", "an import was undone"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="override",
            field=models.CharField(
                blank=True, max_length=200, verbose_name="reason for closing early"
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="present",
            field=models.JSONField(
                blank=True,
                default=list,
                validators=[tournaments.models.validators.check_entries],
                verbose_name="present at the draw",
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="quality",
            field=models.JSONField(
                blank=True,
                default=dict,
                validators=[tournaments.models.validators.check_quality],
                verbose_name="draw quality",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="best_of",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="best tournaments that count (0 for all)"
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="counts",
            field=models.CharField(
                choices=[
                    ("place", "100 for 1st, 0 for last, evenly spaced"),
                    ("points", "tournament points"),
                ],
                default="place",
                max_length=10,
                verbose_name="points for a tournament",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="keep_percent",
            field=models.PositiveSmallIntegerField(
                default=100,
                validators=[
                    django.core.validators.MinValueValidator(0),
                    django.core.validators.MaxValueValidator(100),
                ],
                verbose_name="percent of ratings carried over",
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="lasts_days",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="days until a result expires (0 for never)"
            ),
        ),
        migrations.AlterField(
            model_name="season",
            name="least_attendance",
            field=models.PositiveSmallIntegerField(
                default=1, verbose_name="tournaments needed to be ranked"
            ),
        ),
        migrations.AlterField(
            model_name="securityevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("signed_in", "Signed in"),
                    ("sign_in_failed", "Sign-in failed"),
                    ("signed_out", "Signed out"),
                    ("session_ended", "Signed out from another device"),
                    ("session_idle", "Signed out after inactivity"),
                    ("session_old", "Signed out: session expired"),
                    ("password_changed", "Password changed"),
                    ("passkey_added", "Passkey added"),
                    ("passkey_removed", "Passkey removed"),
                    ("app_added", "App codes turned on"),
                    ("app_removed", "App codes turned off"),
                    (
                        "factors_forgotten",
                        "Passkeys and codes removed by the server’s operator",
                    ),
                    ("codes_made", "Recovery codes created"),
                    ("address_changed", "E-mail addresses changed"),
                    ("role_given", "Role added"),
                    ("role_taken", "Role removed"),
                    ("token_made", "API key created"),
                    ("token_ended", "API key revoked"),
                    ("account_closed", "Account deleted"),
                ],
                max_length=20,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="standings",
            name="is_first_open",
            field=models.BooleanField(default=False, verbose_name="first rank is open"),
        ),
        migrations.AlterField(
            model_name="standingsrow",
            name="because",
            field=models.JSONField(
                blank=True,
                default=dict,
                validators=[tournaments.models.validators.check_reason],
                verbose_name="reason as data",
            ),
        ),
        migrations.AlterField(
            model_name="subscription",
            name="site",
            field=models.CharField(max_length=200, verbose_name="server address"),
        ),
        migrations.AlterField(
            model_name="table",
            name="coming_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="director on the way since"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="seen_version",
            field=models.PositiveIntegerField(
                blank=True, null=True, verbose_name="version last seen by the director"
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="voided_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                to=settings.AUTH_USER_MODEL,
                verbose_name="voided by",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="advance",
            field=models.PositiveSmallIntegerField(
                default=2, verbose_name="advance from each table"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="asked_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="standings requested at"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="autopilot",
            field=models.CharField(
                choices=[
                    ("off", "you do every step"),
                    ("help", "Tricky calls the last hand and closes confirmed rounds"),
                    (
                        "run",
                        "Tricky draws, starts and closes rounds and finishes the night. You settle disputes",
                    ),
                ],
                default="off",
                max_length=4,
                verbose_name="automation",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="best_tables",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="best tables that count (0 for all)"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="brought_in_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="tournaments",
                to="tournaments.import",
                verbose_name="imported by",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="bye",
            field=models.CharField(
                default="average",
                max_length=20,
                validators=[tournaments.models.validators.check_bye],
                verbose_name="sitting out counts",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="capacity",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="places (0 for no limit)"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="counts_late",
            field=models.BooleanField(
                default=False, verbose_name="then count unfinished tables as they stand"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="final_size",
            field=models.PositiveSmallIntegerField(
                default=0, verbose_name="players in the final (0 for no final)"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="format",
            field=models.CharField(
                choices=[
                    (
                        "planned",
                        "planned night: everyone meets as many others as possible",
                    ),
                    ("swiss", "Swiss: players with similar scores meet"),
                    ("round_robin", "round robin: everyone meets everyone"),
                    ("heats", "heats: rounds for everyone who’s there, then a final"),
                    ("knockout", "knockout: the best at each table advance"),
                    ("league", "league: any match between members counts"),
                    ("past", "past results: imported from elsewhere"),
                ],
                default="planned",
                max_length=15,
                verbose_name="format",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="game_choice",
            field=models.CharField(
                choices=[
                    ("tournament", "one game for all"),
                    ("round", "a game for each round"),
                    ("table", "each table chooses"),
                ],
                default="tournament",
                max_length=10,
                verbose_name="choice of game",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="grace",
            field=models.PositiveSmallIntegerField(
                default=10, verbose_name="extra minutes to finish after the clock"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="invitation",
            field=models.CharField(
                blank=True, max_length=200, verbose_name="note on the invitation"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="listing",
            field=models.CharField(
                choices=[
                    ("draft", "only the team, as a draft"),
                    ("listed", "everyone, on the club’s page"),
                    ("unlisted", "anyone with the link or the code"),
                    ("archived", "archived, results stay"),
                ],
                default="listed",
                max_length=10,
                verbose_name="visible to",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="minutes",
            field=models.PositiveSmallIntegerField(
                default=45, verbose_name="minutes per round"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="options",
            field=models.JSONField(
                blank=True,
                default=dict,
                validators=[tournaments.models.validators.check_options],
                verbose_name="game options",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="quorum",
            field=models.CharField(
                choices=[
                    ("none", "no one"),
                    ("one", "one player (may be the scorer)"),
                    ("all", "every player"),
                ],
                default="one",
                max_length=5,
                verbose_name="a result is confirmed by",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="screen",
            field=models.CharField(
                choices=[
                    ("turns", "everything in rotation"),
                    ("seats", "the seating"),
                    ("standings", "the standings"),
                    ("clock", "the clock"),
                    ("join", "the code to join"),
                ],
                default="turns",
                max_length=10,
                verbose_name="the projector shows",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="table_size",
            field=models.PositiveSmallIntegerField(
                default=4,
                validators=[
                    django.core.validators.MinValueValidator(2),
                    django.core.validators.MaxValueValidator(8),
                ],
                verbose_name="players per table",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="taken_back",
            field=models.JSONField(
                blank=True, default=list, verbose_name="undone draws"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="waiting_since",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="standings pending since"
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="writing",
            field=models.CharField(
                choices=[
                    (
                        "card",
                        "anyone who scans the table card, and the players at the table",
                    ),
                    ("own", "players at the table, each from My night"),
                    ("open", "anyone with the link"),
                ],
                default="card",
                max_length=5,
                verbose_name="scores are entered by",
            ),
        ),
        migrations.AlterField(
            model_name="upload",
            name="fault",
            field=models.CharField(blank=True, max_length=300, verbose_name="problem"),
        ),
        migrations.AlterField(
            model_name="upload",
            name="fitting_sheets",
            field=models.JSONField(
                blank=True, default=list, verbose_name="matching sheets"
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="letter_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="e-mail sent at"
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="off_at",
            field=models.DateTimeField(
                blank=True, null=True, verbose_name="turned off at"
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="off_because",
            field=models.CharField(
                blank=True,
                choices=[
                    ("director", "turned off by a director"),
                    ("failing", "turned off after failing for three days"),
                    (
                        "loop",
                        "turned off after more events in an hour than a club can produce",
                    ),
                ],
                max_length=20,
                verbose_name="turned off because",
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="site",
            field=models.CharField(
                max_length=200, verbose_name="address of this server"
            ),
        ),
        migrations.AlterField(
            model_name="webhook",
            name="style",
            field=models.CharField(
                choices=[
                    ("standard", "JSON, for your own program"),
                    ("discord", "Discord, as a card"),
                    ("discord-text", "Discord, as plain text"),
                    ("slack", "Slack, as a card"),
                    ("slack-text", "Slack, as plain text"),
                    ("matrix", "Matrix (hookshot), as a card"),
                    ("matrix-text", "Matrix (hookshot), as plain text"),
                ],
                default="standard",
                max_length=20,
                verbose_name="format",
            ),
        ),
    ]
