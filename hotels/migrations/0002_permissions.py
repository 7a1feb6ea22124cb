from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("hotels", "0001_initial"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="hotelpermissions",
            options={
                "default_permissions": (),
                "managed": False,
                "permissions": [
                    ("view_hotel", "Can view hotel"),
                    ("add_hotel", "Can add hotel"),
                    ("change_hotel", "Can change hotel"),
                ],
            },
        ),
    ]
