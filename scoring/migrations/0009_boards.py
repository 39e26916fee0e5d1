from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0008_agreements"),
    ]

    operations = [
        # Choices are Django's alone: no table is made anew, its triggers stay.
        migrations.AlterField(
            model_name="logentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("enter", "entered"),
                    ("contract", "contract noted"),
                    ("replace", "corrected"),
                    ("void", "voided"),
                    ("restore", "restored"),
                    ("seats", "seat changed"),
                    ("propose", "entered on another phone"),
                    ("keep", "kept as it was"),
                    ("late", "came too late to change anything"),
                    ("pen", "took the pen"),
                    ("agree", "found the same"),
                    ("board", "played on the board"),
                ],
                max_length=10,
                verbose_name="kind",
            ),
        ),
    ]
