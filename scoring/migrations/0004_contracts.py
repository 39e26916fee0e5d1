"""Keep of each hand who played with the bidder, and a trump that is a number."""

from django.db import migrations, models

BATCH = 2000


def read_contracts(apps, schema_editor):
    """Take partner, solo and trump from the log for the hands that are there."""
    Hand = apps.get_model("scoring", "Hand")
    fields = ["partner", "solo", "trump_number"]
    batch = []
    hands = Hand.objects.exclude(bidder=None).select_related("entry")
    for hand in hands.iterator(chunk_size=BATCH):
        contract = (hand.entry.body or {}).get("contract") or {}
        hand.partner = contract.get("partner")
        hand.solo = bool(contract.get("solo"))
        hand.trump_number = contract.get("trump")
        batch.append(hand)
        if len(batch) == BATCH:
            Hand.objects.bulk_update(batch, fields)
            batch = []
    Hand.objects.bulk_update(batch, fields)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0003_match_meta_log_kept"),
    ]

    operations = [
        migrations.AddField(
            model_name="hand",
            name="partner",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="partner"
            ),
        ),
        migrations.AddField(
            model_name="hand",
            name="solo",
            field=models.BooleanField(default=False, verbose_name="solo"),
        ),
        migrations.AddField(
            model_name="hand",
            name="trump_number",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="trump number"
            ),
        ),
        migrations.RunPython(read_contracts, migrations.RunPython.noop),
    ]
