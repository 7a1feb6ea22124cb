from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0002_audit"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="auditedreview",
            options={
                "default_permissions": (),
                "managed": False,
                "permissions": [
                    ("view_review", "Can view review"),
                    ("add_review", "Can add review"),
                    ("change_review", "Can change review"),
                    ("delete_review", "Can delete review"),
                    ("reply_review", "Can reply to review"),
                ],
            },
        ),
    ]
