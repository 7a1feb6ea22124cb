from django.urls import path

from reviews.views import pages, review_lists

app_name, REPLY = "reviews", "hotels/<str:hotel_id>/replies/<str:language>/<str:name>"
urlpatterns = [
    path("hotels/<str:hotel_id>/reviews/", review_lists.ReviewsPage.as_view(), name="reviews"),
    path("hotels/<str:hotel_id>/reviews/add/", pages.AddReviewPage.as_view(), name="add_review"),
    path("hotels/<str:hotel_id>/replies/", pages.StandardRepliesPage.as_view(), name="standard_replies"),
    path("hotels/<str:hotel_id>/replies/add/", pages.AddStandardReplyPage.as_view(), name="add_standard_reply"),
    path(f"{REPLY}/", pages.StandardReplyPage.as_view(), name="standard_reply"),
    path(f"{REPLY}/delete/", pages.DeleteStandardReplyPage.as_view(), name="delete_standard_reply"),
    path("reviews/unanswered/", review_lists.UnansweredPage.as_view(), name="unanswered"),
    path("reviews/<str:review_id>/", pages.ReviewPage.as_view(), name="review"),
    path("reviews/<str:review_id>/edit/", pages.EditReviewPage.as_view(), name="edit_review"),
    path("reviews/<str:review_id>/reply/", pages.ReplyPage.as_view(), name="reply"),
    path("reviews/<str:review_id>/reply/delete/", pages.DeleteReplyPage.as_view(), name="delete_reply"),
    path("reviews/<str:review_id>/delete/", pages.DeleteReviewPage.as_view(), name="delete_review"),
]
