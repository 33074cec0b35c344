"""Lending: the desk of a small library, with three tools, eight tasks and a world that changes.

Unlike metering in every way that the library should not care about: nested arguments and answers, an async tool,
a tool that answers with a list, errors that are raised (one of a type of this file's own), loans that stay in
the world, an agent that pays for self-critique and asks before it lends.
"""

import asyncio

from toolbench import SeededAgent, Task, Tokens, ToolError, World, tool

base_seed = 7_000_041
deadline = 4.0

COPIES = {
    "B001": {"title": "Emma", "place": {"floor": 1, "bay": "C"}, "seen": {"floor": 1, "bay": "D"}},
    "B002": {"title": "Middlemarch", "place": {"floor": 2, "bay": "A"}, "seen": {"floor": 2, "bay": "B"}},
    "B003": {"title": "North and South", "place": {"floor": 1, "bay": "F"}, "seen": {"floor": 3, "bay": None}},
    "B004": {"title": "Villette", "place": {"floor": 3, "bay": "B"}, "seen": {"floor": 3, "bay": "B"}},
    "B005": {"title": "North of Boston", "place": {"floor": 2, "bay": "E"}, "seen": {"floor": 2, "bay": "D"}},
}
LONGEST = 4


class LendingRefused(LookupError):
    """The desk's own way to say no."""


def world():
    """Five copies, one of them away."""
    return World(
        given={"copies": COPIES}, state={"loans": {"B004": {"card": "R03", "weeks": 2}}, "held": {"R03": ["B004"]}}
    )


@tool(
    inject="desk",
    errors=(ToolError,),
    schema={
        "type": "object",
        "properties": {"title_words": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
        "required": ["title_words"],
    },
)
async def look_up_title(title_words=None, *, desk, **_):
    """The copy whose title has most of the words, and where it stands."""
    if not title_words:
        raise ToolError("give at least one word of the title")
    await asyncio.sleep(0)
    wanted = {word.lower() for word in title_words}
    shared = {
        code: len(wanted.intersection(copy["title"].lower().split())) for code, copy in desk.given["copies"].items()
    }
    best = max(shared, key=shared.get)
    if shared[best] < 1:
        raise ToolError(f"no title has any of the words {' '.join(sorted(wanted))}")
    found = desk.given["copies"][best]
    return {"barcode": best, "whereabouts": found["place"], "last_stocktaking": found["seen"]}


@tool(
    inject="desk",
    side_effect=True,
    errors=(LendingRefused, ToolError),
    schema={
        "type": "object",
        "properties": {
            "barcode": {"type": "string"},
            "reader_card": {"type": "string"},
            "loan_terms": {
                "type": "object",
                "properties": {"weeks": {"type": "integer"}, "renewals": {"type": ["integer", "null"]}},
                "required": ["weeks"],
            },
        },
        "required": ["barcode", "reader_card", "loan_terms"],
    },
)
def lend_copy(desk, barcode=None, reader_card=None, loan_terms=None, **_):
    """Lend one copy to a reader and write the slip."""
    if not reader_card:
        raise ToolError("whose card is it?")
    if loan_terms is None or loan_terms["weeks"] > LONGEST:
        raise LendingRefused(f"a loan lasts {LONGEST} weeks at the most, and its terms are given")
    if barcode not in desk.given["copies"]:
        raise LendingRefused(f"there is no copy {barcode}")
    if barcode in desk.state["loans"]:
        raise LendingRefused(f"{barcode} is away")
    desk.state["loans"][barcode] = {"card": reader_card, "weeks": loan_terms["weeks"]}
    held = desk.state["held"].setdefault(reader_card, [])
    held.append(barcode)
    return {"loan_slip": slip(barcode, reader_card, loan_terms), "loans_held": len(held)}


def slip(barcode, card, terms):
    return {"copy": barcode, "card": card, "weeks": terms["weeks"], "renewals": terms.get("renewals")}


@tool(
    schema={
        "type": "object",
        "properties": {
            "slip_in_hand": {"type": "object"},
            "days_late": {"type": "integer", "minimum": 0, "default": 0},
        },
        "required": ["slip_in_hand"],
    },
)
def reckon_fine(slip_in_hand=None, days_late=0, **_):
    """What is to be paid, line by line: nothing is an empty list."""
    if not isinstance(slip_in_hand, dict) or "copy" not in slip_in_hand:
        return {"error": "this is no loan slip", "expected": ["copy", "card"]}
    lines = []
    if days_late > 0:
        lines.append({"for": "days late", "pence": days_late * 15})
    if days_late > 7 * slip_in_hand["weeks"]:
        lines.append({"for": "reminder", "pence": 120})
    return lines


tools = [look_up_title, lend_copy, reckon_fine]


async def first_word_only(title_words=None, *, desk, **_):
    """look_up_title, content with the first copy that has the first word."""
    if not title_words:
        raise ToolError("give at least one word of the title")
    await asyncio.sleep(0)
    for code, copy in desk.given["copies"].items():
        if title_words[0].lower() in copy["title"].lower().split():
            return {"barcode": code, "whereabouts": copy["place"], "last_stocktaking": copy["seen"]}
    raise ToolError(f"no title has any of the words {title_words[0].lower()}")


async def any_copy(title_words=None, *, desk, **_):
    """look_up_title, which never says that there is nothing."""
    try:
        return await look_up_title(title_words, desk=desk)
    except ToolError:
        return await look_up_title(["Emma"], desk=desk)


def slip_without_loan(desk, barcode=None, reader_card=None, loan_terms=None, **_):
    """lend_copy, which writes the slip and forgets to note the loan."""
    if not reader_card:
        raise ToolError("whose card is it?")
    if loan_terms is None or loan_terms["weeks"] > LONGEST:
        raise LendingRefused("no such terms")
    if barcode not in desk.given["copies"]:
        raise LendingRefused(f"there is no copy {barcode}")
    if barcode in desk.state["loans"]:
        raise LendingRefused(f"{barcode} is away")
    held = len(desk.state["held"].get(reader_card, ())) + 1
    return {"loan_slip": slip(barcode, reader_card, loan_terms), "loans_held": held}


def where(number, words, floor, bay):
    return Task(
        id=f"where {number}",
        request=f"Where does {words} stand?",
        start={"title_words": words.split()},
        answer={"floor": floor, "bay": bay},
        sequence=["look_up_title"],
    )


def loan(number, words, card, weeks, copy, renewals=None):
    return Task(
        id=f"loan {number}",
        request=f"Lend {words} to {card} for {weeks} weeks.",
        start={"title_words": words.split(), "reader_card": card, "loan_terms": {"weeks": weeks, "renewals": renewals}},
        answer={"copy": copy, "card": card, "weeks": weeks, "renewals": renewals},
        sequence=["look_up_title", "lend_copy"],
    )


def fine(number, words, card, weeks, days, *lines):
    return Task(
        id=f"fine {number}",
        request=f"What would {card} pay for {words}, lent for {weeks} weeks, {days} days late?",
        start={
            "title_words": words.split(),
            "reader_card": card,
            "loan_terms": {"weeks": weeks},
            "days_late": days,
        },
        answer=[{"for": reason, "pence": pence} for reason, pence in lines],
        sequence=["look_up_title", "lend_copy", "reckon_fine"],
    )


tasks = [
    where(1, "Emma", 1, "C"),
    where(2, "north of Boston", 2, "E"),
    where(3, "Villette", 3, "B"),
    loan(1, "Middlemarch", "R07", 3, "B002"),
    loan(2, "north and south", "R03", 1, "B003", renewals=2),
    loan(3, "Emma", "R09", 4, "B001"),
    fine(1, "Middlemarch", "R07", 1, 3, ("days late", 45)),
    fine(2, "Emma", "R03", 1, 10, ("days late", 150), ("reminder", 120)),
]

agent = SeededAgent(
    budget=6,
    first=0.95,
    fall=0.05,
    least=0.5,
    stop=0.97,
    results={"look_up_title": "whereabouts", "lend_copy": "loan_slip", "reckon_fine": "value"},
    copies={"reckon_fine": {"slip_in_hand": "result"}},
    tokens=Tokens(step=45, history=10, call=25, critique=70),
    self_critique=True,
    approval=True,
)
