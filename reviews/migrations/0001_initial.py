from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ReviewPermissions",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
            options={
                "permissions": [
                    ("view_review", "Can view review"),
                    ("add_review", "Can add review"),
                    ("change_review", "Can change review"),
                    ("delete_review", "Can delete review"),
                    ("reply_review", "Can reply to review"),
                ],
                "managed": False,
                "default_permissions": (),
            },
        ),
    ]
