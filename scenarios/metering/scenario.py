"""Metering: a water utility with 60 fictional subscribers, five tools and 24 tasks.

Everything is drawn from one base seed by a generator that any language can repeat. The numbers of this
file, and of `cases.toml` and the catalogue beside it, belong together: changing one changes the figures.
"""

from math import floor

from toolbench import SeededAgent, Task, Tokens, World, draws, pick, tool

base_seed = 20260218

REGIONS = ("east", "west", "north", "south", "central")
TYPES = ("residential", "commercial")
DOCUMENTS = (
    ("TR01", "price steps end at 10 25 40 cubic metres and above"),
    ("TR02", "commercial subscribers pay double the unit price"),
    ("SY01", "consumption is an index difference , a meter rollover adds 100000"),
    ("AR01", "a field crew visits within two days of a fault report"),
    ("KS01", "a planned outage is announced one week ahead"),
)


def subscriber_id(number):
    return f"A{number:03}"


def subscriber(i):
    draw = draws(base_seed + 31 * i)
    previous = 10000 + floor(draw() * 80000)
    region = REGIONS[floor(draw() * 5)]
    kind = TYPES[floor(draw() * 2)]
    return {"previous": previous, "current": previous + floor(draw() * 70), "type": kind, "region": region}


def tokenize(text):
    """Lower-case words, each comma a word of its own, words longer than five letters in pieces of five."""
    words = text.lower().replace(",", " , ").split()
    return {word[i : i + 5] for word in words for i in range(0, len(word), 5)}


GIVEN = World(given={
    "subscribers": {subscriber_id(i + 1): subscriber(i) for i in range(60)},
    "documents": [(code, text, frozenset(tokenize(text))) for code, text in DOCUMENTS],
}).given  # fmt: skip


def world():
    """Subscribers and documents, which never change, and no records yet."""
    return World(given=GIVEN, state={"records": {}})


# --- tools: every function also ignores fields that it does not know ---------------------------------------


@tool(
    inject="world",
    schema={"type": "object", "properties": {"subscriber": {"type": "string"}}, "required": ["subscriber"]},
)
def read_meter(world, subscriber=None, **_):
    """The subscriber's meter readings (indexes in cubic metres), customer type and region."""
    found = world.given["subscribers"].get(subscriber)
    if found is None:
        return {"error": "no such subscriber"}
    return found.copy()


@tool(
    schema={
        "type": "object",
        "properties": {"previous": {"type": "number"}, "current": {"type": "number"}},
        "required": ["previous", "current"],
    }
)
def consumption(previous=None, current=None, **_):
    """Cubic metres used between two meter readings; a meter starts again at 0 after 99999."""
    if previous is None or current is None:
        return {"error": "missing field"}
    m3 = current - previous
    if m3 < 0:
        m3 += 100000
    return {"m3": m3}


@tool(
    schema={
        "type": "object",
        "properties": {"m3": {"type": "number"}, "type": {"type": "string", "default": "residential"}},
        "required": ["m3"],
    }
)
def tariff(m3=None, type="residential", **_):
    """The charge for an amount of water in cubic metres; commercial customers pay double."""
    if m3 is None:
        return {"error": "missing field"}
    amount = 4 * min(m3, 10)
    if m3 > 10:
        amount += 7 * (min(m3, 25) - 10)
    if m3 > 25:
        amount += 11 * (min(m3, 40) - 25)
    if m3 > 40:
        amount += 16 * (m3 - 40)
    return {"amount": amount * 2 if type == "commercial" else amount}


@tool(
    inject="world",
    schema={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
def search_docs(world, query="", **_):
    """The document that shares most words with the query."""
    if not query:
        return {"error": "missing field"}
    wanted = tokenize(query)
    best, most = None, 0
    for code, text, tokens in world.given["documents"]:
        shared = len(wanted & tokens)
        if shared > most:
            best, most = {"code": code, "text": text}, shared
    return best or {"error": "not found"}


@tool(
    inject="world",
    side_effect=True,
    schema={
        "type": "object",
        "properties": {"subscriber": {"type": "string"}, "column": {"type": "string"}, "value": {}},
        "required": ["subscriber", "column", "value"],
    },
)
def write_record(world, subscriber="", column="", value=None, **_):
    """Write one value into the subscriber's record."""
    if not subscriber or not column or value is None:
        return {"error": "missing field"}
    world.state["records"].setdefault(subscriber, {})[column] = value
    return {"written": True, "subscriber": subscriber, "column": column, "value": value}


tools = [read_meter, consumption, tariff, search_docs, write_record]


# --- the function that the catalogue names ------------------------------------------------------------------


def first_match(world, query="", **_):
    """search_docs, content with the first document that shares anything."""
    if not query:
        return {"error": "missing field"}
    wanted = tokenize(query)
    for code, text, tokens in world.given["documents"]:
        if wanted & tokens:
            return {"code": code, "text": text}
    return {"error": "not found"}


# --- tasks --------------------------------------------------------------------------------------------------

KINDS = ("charge", "consumption", "document", "record")
SEQUENCES = {
    "charge": ("read_meter", "consumption", "tariff"),
    "consumption": ("read_meter", "consumption"),
    "document": ("search_docs",),
    "record": ("read_meter", "consumption", "tariff", "write_record"),
}
REQUESTS = {
    "charge": "what price does {} pay for this period",
    "consumption": "how many cubic metres did {} use in this period",
    "document": "how is index difference computed after meter rollover",
    "record": "work out the price for {} and write it to the record",
}


def right_answer(kind, who):
    """The answer as the defect-free functions give it; a document task's by reading the documents."""
    if kind == "document":
        return "SY01"
    reading = read_meter(world(), subscriber=who)
    m3 = consumption(**reading)["m3"]
    return m3 if kind == "consumption" else tariff(m3=m3, type=reading["type"])["amount"]


def task(i):
    draw = draws(base_seed + 9973 * i)
    who = subscriber_id(1 + floor(draw() * 60))
    kind = KINDS[pick(draw(), (0.30, 0.22, 0.20, 0.28))]
    request = REQUESTS[kind].format(who)
    return Task(
        id=f"G{i + 1:02}",
        request=request,
        start={"subscriber": who, "query": request, "column": "charge"},
        answer=right_answer(kind, who),
        sequence=SEQUENCES[kind],
    )


tasks = [task(i) for i in range(24)]

agent = SeededAgent(
    budget=8,
    first=0.80,
    fall=0.09,
    least=0.34,
    stop=0.88,
    results={"consumption": "m3", "tariff": "amount", "search_docs": "code"},
    copies={"write_record": {"value": "result"}},
    tokens=Tokens(step=60, history=22, call=30, critique=40),
)
