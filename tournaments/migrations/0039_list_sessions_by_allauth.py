from ipaddress import ip_interface

from django.db import migrations


def list_sessions(apps, schema_editor):
    """Keep devices listed that are signed in: what they are called follows with their next request."""
    sessions = apps.get_model("usersessions", "UserSession").objects
    for sign_in in apps.get_model("tournaments", "SignIn").objects.filter(
        ended_at=None
    ):
        try:
            ip = str(ip_interface(sign_in.network).ip)
        except ValueError:
            ip = "0.0.0.0"  # noqa: S104 - unknown
        sessions.get_or_create(
            session_key=sign_in.session_key,
            defaults={
                "user_id": sign_in.user_id,
                "ip": ip,
                "user_agent": "",
                "created_at": sign_in.began_at,
                "last_seen_at": sign_in.used_at,
            },
        )


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0038_entries_that_waited"),
        ("usersessions", "0001_initial"),
    ]

    operations = [
        migrations.RunPython(list_sessions, migrations.RunPython.noop),
        migrations.DeleteModel("SignIn"),
    ]
