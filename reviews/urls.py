from django.urls import path

from reviews import views

app_name = "reviews"
urlpatterns = [
    path("hotels/<str:hotel_id>/reviews/", views.ReviewsPage.as_view(), name="reviews"),
    path("hotels/<str:hotel_id>/reviews/add/", views.AddReviewPage.as_view(), name="add_review"),
    path("reviews/unanswered/", views.UnansweredPage.as_view(), name="unanswered"),
    path("reviews/<str:review_id>/", views.ReviewPage.as_view(), name="review"),
    path("reviews/<str:review_id>/edit/", views.EditReviewPage.as_view(), name="edit_review"),
    path("reviews/<str:review_id>/reply/", views.ReplyPage.as_view(), name="reply"),
    path("reviews/<str:review_id>/reply/delete/", views.DeleteReplyPage.as_view(), name="delete_reply"),
    path("reviews/<str:review_id>/delete/", views.DeleteReviewPage.as_view(), name="delete_review"),
]
