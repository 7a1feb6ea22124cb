"""Registration points: their order is that of the apps, whatever was imported first."""

from hotelapp.dynamodb.schema.registries import in_app_order


def of_module(name: str) -> object:
    return type("Registered", (), {"__module__": name})()


def test_what_is_registered_comes_in_the_order_of_the_apps() -> None:
    imported = ["reviews.seeding.reviews", "orders.seeding", "rooms.seeding", "hotelapp.sessions.store"]
    ordered = in_app_order("seeding", [of_module(name) for name in [*imported, "hotels.seeding"]])
    assert [type(each).__module__ for each in ordered] == [
        "hotelapp.sessions.store",
        "hotels.seeding",
        "rooms.seeding",
        "orders.seeding",
        "reviews.seeding.reviews",
    ]


def test_an_app_keeps_the_order_in_which_it_registers() -> None:
    first, second = of_module("orders.seeding"), of_module("orders.seeding")
    assert in_app_order("seeding", [first, second]) == [first, second]
    assert in_app_order("seeding", [second, first]) == [second, first]
