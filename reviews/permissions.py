"""What Django's permissions and audit log know reviews by. It has no table: reviews are in DynamoDB."""

from django.db import models


class Review(models.Model):
    """Gives the permissions ``reviews.add_review``, ``change_review`` and ``delete_review``, and log entries a name."""

    review_id = models.CharField(primary_key=True, max_length=64)
    words = models.TextField()

    class Meta:
        app_label = "reviews"
        managed = False
        default_permissions = ("add", "change", "delete")

    def __str__(self) -> str:
        return self.words
