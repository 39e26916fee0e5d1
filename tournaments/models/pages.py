"""The state of a tournament that its page shows, in one query."""

from django.db import connection

from tournaments.models.rounds import PUBLISHED_STATES

# Phones poll this all evening, and nothing else: it is SQL because building the same
# query with the ORM takes twice as long as the rest of the response.
STATE = """
SELECT t.*, c.name, c.slug, c.history_version, c.colour, c.language, c.time_zone,
    c.logo_version,
    (SELECT max(s.id) FROM tournaments_standings s WHERE s.tournament_id = t.id),
    (SELECT max(s.id) FROM tournaments_standings s
        WHERE s.tournament_id = t.id AND s.outlook IS NOT NULL),
    (SELECT sum(power(2, r.number)) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state IN (%s, %s, %s)),
    (SELECT sum(power(2, r.number)) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'closed'),
    (SELECT max(r.ends_at) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'running'),
    (SELECT max(r.paused_at) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'running'),
    (SELECT count(r.id) + count(r.last_hand_at) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'running'),
    (SELECT count(a.id) + count(a.withdrawn_at) FROM tournaments_announcement a
        WHERE a.tournament_id = t.id)
FROM tournaments_tournament t JOIN tournaments_club c ON c.id = t.club_id
WHERE t.address = %s
"""
"""All fields of the tournament, so that none can be forgotten; the fields that identify its club;
the latest standings, and the latest with an outlook, which is stored a little later; the rounds
that are shown, and those that are over, a bit for each; the clock of the running round; and a
count of announcements that grows whether one is made or withdrawn.
"""


def tournament_page_state(address: str) -> tuple[object, ...] | None:
    """Return a value that changes whenever the tournament's page does; None without a tournament."""
    with connection.cursor() as cursor:
        cursor.execute(STATE, [*PUBLISHED_STATES, address])
        row: tuple[object, ...] | None = cursor.fetchone()
    return row
