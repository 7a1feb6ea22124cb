"""Writers of hotels, guests and their orders."""

from urllib.parse import urlencode

from tests.storm.journal import Mark, Outcome, Thing, Values
from tests.storm.writers.base import Writer

NEXT_STEPS = {"PLACED": ("PROCESSING", "CANCELLED"), "PROCESSING": ("SHIPPED", "CANCELLED"), "SHIPPED": ("DELIVERED",)}
MOST_THINGS = 30


class HotelWriter(Writer):
    """Adds and edits hotels."""

    def prepare(self) -> None:
        """Begin without hotels."""
        self.hotel_ids: list[str] = []

    def step(self) -> None:
        """Add a hotel, or edit one."""
        if not self.hotel_ids or (len(self.hotel_ids) < MOST_THINGS and self.random.random() < 1 / 3):
            self.add()
        else:
            self.edit()

    def add(self) -> None:
        """Add a hotel with an id of its own."""
        hotel_id = self.mark().replace(" ", "-")
        values = {"name": f"Hotel {hotel_id}", "city": "Bergen", "currency": "NOK", "time_zone": "Europe/Oslo"}
        form = self.form("/hotels/add/", "hotel_id").filled({"hotel_id": hotel_id, **values})
        write = self.begin("hotel add", [Mark(_hotel(hotel_id), "created")], {_hotel(hotel_id): values})
        if self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED):
            self.hotel_ids.append(hotel_id)

    def edit(self) -> None:
        """Give a hotel a city that no other edit has."""
        hotel_id, city = self.random.choice(self.hotel_ids), self.mark()
        stored = self.journal.values(_hotel(hotel_id)) or {}
        mark = Mark(_hotel(hotel_id), "changed", "city", city)
        form = self.form(f"/hotels/{hotel_id}/edit/", "city")
        write = self.begin("hotel edit", [mark], {_hotel(hotel_id): {**stored, "city": city}})
        self.expect(write, self.send(write, form.filled({"city": city})), Outcome.ACKNOWLEDGED)


class GuestWriter(Writer):
    """Adds, edits and erases guests."""

    def prepare(self) -> None:
        """Begin without guests."""
        self.usernames: list[str] = []

    def step(self) -> None:
        """Add a guest, or do something with one of this writer's."""
        if not self.usernames or (len(self.usernames) < MOST_THINGS and self.random.random() < 1 / 3):
            self.add()
        else:
            self.random.choice([self.edit, self.edit, self.edit, self.add_taken, self.erase])()

    def add(self) -> None:
        """Add a guest with a username of its own."""
        username = self.mark().replace(" ", ".")
        values = {"name": f"Guest {username}", "email": f"{username}@storm.example", "phone": f"+47 {self.written:08d}"}
        form = self.form("/guests/add/", "username").filled({"username": username, **values})
        write = self.begin("guest add", [Mark(_guest(username), "created")], {_guest(username): values})
        if self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED):
            self.usernames.append(username)

    def add_taken(self) -> None:
        """Add a guest with the username of another one. The portal must refuse it."""
        username, name = self.random.choice(self.usernames), self.mark()
        form = self.form("/guests/add/", "username").filled({"username": username, "name": name})
        write = self.begin("guest add", [Mark(_guest(username), "changed", "name", name)])
        self.expect(write, self.send(write, form), Outcome.REFUSED)

    def edit(self) -> None:
        """Give a guest a name that no other edit has."""
        username, name = self.random.choice(self.usernames), self.mark()
        stored = self.journal.values(_guest(username)) or {}
        mark = Mark(_guest(username), "changed", "name", name)
        form = self.form(f"/guests/{username}/edit/", "name")
        write = self.begin("guest edit", [mark], {_guest(username): {**stored, "name": name}})
        self.expect(write, self.send(write, form.filled({"name": name})), Outcome.ACKNOWLEDGED)

    def erase(self) -> None:
        """Erase a guest."""
        username = self.usernames.pop(self.random.randrange(len(self.usernames)))
        values = {"name": "Erased guest", "email": "", "phone": ""}
        form = self.form(f"/guests/{username}/erase/", "revision")
        write = self.begin("guest erase", [Mark(_guest(username), "erased")], {_guest(username): values})
        self.expect(write, self.send(write, form), Outcome.ACKNOWLEDGED)


class OrderWriter(Writer):
    """Places, moves and cancels orders of guests for whom others place orders, too."""

    hotel_id = "seaside"
    usernames: tuple[str, ...] = ()

    def prepare(self) -> None:
        """Begin without orders."""
        self.order_ids: list[str] = []

    def step(self) -> None:
        """Place an order, or move one."""
        if not self.order_ids or (len(self.order_ids) < MOST_THINGS and self.random.random() < 1 / 2):
            self.place()
        elif self.random.random() < 1 / 10:
            self.place_for_nobody()
        else:
            self.move()

    def place(self) -> None:
        """Place an order of one to three items."""
        username, quantity = self.random.choice(self.usernames), self.random.randint(1, 3)
        form = self.form(f"/orders/place/?username={username}&hotel_id={self.hotel_id}", "order_id")
        order_id = dict(form.fields)["order_id"]
        name = self.mark()
        items = {"items-0-sku": name, "items-0-sku-chosen": _wine(name), "items-0-quantity": str(quantity)}
        values = {
            "username": username,
            "hotel_id": self.hotel_id,
            "status": "PLACED",
            "total": str(quantity * 500),
            "item_count": "1",
        }
        write = self.begin("order place", [Mark(_order(order_id), "created")], {_order(order_id): values})
        outcome = self.send(write, form.filled({**items, "items-0-unit_price": "500"}))
        if self.expect(write, outcome, Outcome.ACKNOWLEDGED):
            self.order_ids.append(order_id)

    def place_for_nobody(self) -> None:
        """Place an order for a guest who does not exist. The portal must refuse it."""
        form = self.form(f"/orders/place/?hotel_id={self.hotel_id}", "order_id")
        items = {
            "items-0-sku": "Wine",
            "items-0-sku-chosen": _wine("Wine"),
            "items-0-quantity": "1",
            "items-0-unit_price": "5",
        }
        write = self.begin("order place", [Mark(_order(dict(form.fields)["order_id"]), "created")])
        outcome = self.send(write, form.filled({"username": "storm.nobody", **items}))
        self.expect(write, outcome, Outcome.REFUSED)

    def move(self) -> None:
        """Take a step in the life of an order. One that has no steps left is left alone."""
        order_id = self.random.choice(self.order_ids)
        stored: Values = self.journal.values(_order(order_id)) or {}
        status = self.random.choice(NEXT_STEPS[stored["status"]])
        mark = Mark(_order(order_id), "changed", "status", status)
        kind = "order cancel" if status == "CANCELLED" else "order move"
        form = self.form(f"/orders/{order_id}/?guest={stored['username']}", "seen")
        write = self.begin(kind, [mark], {_order(order_id): {**stored, "status": status}})
        if status not in NEXT_STEPS:
            self.order_ids.remove(order_id)
        self.expect(write, self.send(write, form.filled({"step": status})), Outcome.ACKNOWLEDGED)


def _hotel(hotel_id: str) -> Thing:
    return "hotel", hotel_id


def _guest(username: str) -> Thing:
    return "guest", username


def _order(order_id: str) -> Thing:
    return "order", order_id


def _wine(name: str) -> str:
    """The item of a hotel, chosen in a form under a name."""
    return urlencode({"id": "wine", "name": name, "text": name})
