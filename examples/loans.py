"""The loans of libraries: a list in plain Python, without Django. The engine's address is the first argument."""

import sys
from dataclasses import dataclass
from datetime import date, timedelta

from dynamodb_lists import KeptOrder, List, Record, between, configure

configure(endpoint_url=sys.argv[1], secret="it signs the cursors of pages")


@dataclass(frozen=True, kw_only=True)
class Loan(Record):
    library: str
    number: str
    genre: str
    member: str
    due: date
    returned: date | None = None


loans = List(
    Loan,
    owner="library",
    id="number",
    facets=("genre", "member"),
    sorts="due",
    sparse={"open": KeptOrder("due", when=lambda loan: loan.returned is None)},
)
loans.create_table()
genres, members = ["Children's books", "History", "Poetry"], ["Ann", "Bo", "Chen", "Dağ"]
first = date(2026, 1, 1)
loans.save(
    Loan(
        library="L1",
        number=f"N-{n}",
        genre=genres[n % 3],
        member=members[n % 4],
        due=first + timedelta(days=n),
        returned=first if n % 5 else None,
    )
    for n in range(300)
)

in_march = between(date(2026, 3, 1), date(2026, 3, 31))
page = loans.query(library="L1").where(genre={"History", "Poetry"}, due=in_march).order_by("-due").page(10)
print("The last of March:", *(f"{loan.due:%d} {loan.genre}" for loan in page.rows[:3]), sep="\n  ")
print("Its cost:", page.cost)

page = loans.query(library="L1").where(member="Ann").page(25)
print(f"Ann has {page.total} loans:", dict(page.facets["genre"]))
page = loans.query(library="L1").where(member="Ann").page(25, page.next)
print("The second page:", page.rank, "are before it,", page.cost.units, "read units")

late = loans.query(library="L1").only("open").page(1)
returned = loans.update(late.rows[0], returned=date.today())
print("First due and not returned:", late.rows[0].number)
print("Now:", loans.query(library="L1").only("open").page(1).rows[0].number)
