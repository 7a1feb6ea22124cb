from django.urls import path

from hotels import views

app_name = "hotels"
urlpatterns = [
    path("hotels/", views.HotelsPage.as_view(), name="hotels"),
    path("hotels/add/", views.AddHotelPage.as_view(), name="add_hotel"),
    path("hotels/<str:hotel_id>/changed/", views.ChangedSince.as_view(), name="changed"),
    path("hotels/<str:hotel_id>/edit/", views.EditHotelPage.as_view(), name="edit_hotel"),
    path("hotels/switcher/", views.HotelSwitcher.as_view(), name="switcher"),
]
