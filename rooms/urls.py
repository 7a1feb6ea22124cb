from django.urls import path

from rooms.views import bulk, editing, housekeeping, lab, rooms

app_name = "rooms"
urlpatterns = [
    path("lab/", lab.LabPage.as_view(), name="lab"),
    path("attention/", housekeeping.AttentionOfHotelsPage.as_view(), name="attention_of_hotels"),
    path("repairs/", housekeeping.RepairsPage.as_view(), name="repairs_of_hotels"),
    path("hotels/<str:hotel_id>/repairs/", housekeeping.RepairsPage.as_view(), name="repairs"),
    path("hotels/<str:hotel_id>/rooms/", rooms.RoomsPage.as_view(), name="rooms"),
    path("hotels/<str:hotel_id>/rooms/add/", editing.AddRoomPage.as_view(), name="add_room"),
    path("hotels/<str:hotel_id>/rooms/change/", bulk.BulkChangePage.as_view(), name="bulk_change"),
    path("hotels/<str:hotel_id>/rooms/change/<str:change_id>/", bulk.BulkProgressPage.as_view(), name="bulk_progress"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/edit/", editing.EditRoomPage.as_view(), name="edit_room"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/note/", editing.RoomNotePage.as_view(), name="note"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/delete/", editing.DeleteRoomPage.as_view(), name="delete_room"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/status/", editing.StatusPage.as_view(), name="status"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/plan/", editing.PlanRoomPage.as_view(), name="plan_room"),
    path("hotels/<str:hotel_id>/my-rooms/", housekeeping.MyRoomsPage.as_view(), name="my_rooms"),
    path("hotels/<str:hotel_id>/plan/", housekeeping.PlanPage.as_view(), name="plan"),
    path("hotels/<str:hotel_id>/cleaned/", housekeeping.CleanedPage.as_view(), name="cleaned"),
    path("hotels/<str:hotel_id>/attention/", housekeeping.AttentionPage.as_view(), name="attention"),
    path("hotels/<str:hotel_id>/rooms/<str:number>/", rooms.RoomPage.as_view(), name="room"),
]
