"""The metering scenario as a plain loop over plain dicts, without anything of the library's.

It is what the walk is compared with: tools as functions, tasks and world as dicts, the draws from a generator as in
the library, and nothing that the loop does not need (no table, no outcome, no definition, no copy of what a tool
returns).
It is written to be quick as far as a plain loop stays readable.
"""

from math import floor

BASE = 20260218
MASK = 2**32 - 1
SPAN = 2**32
BUDGET = 8
REGIONS = ("east", "west", "north", "south", "central")
DOCUMENTS = (
    ("TR01", "price steps end at 10 25 40 cubic metres and above"),
    ("TR02", "commercial subscribers pay double the unit price"),
    ("SY01", "consumption is an index difference , a meter rollover adds 100000"),
    ("AR01", "a field crew visits within two days of a fault report"),
    ("KS01", "a planned outage is announced one week ahead"),
)


def start(seed):
    x = ((seed ^ (seed >> 16)) * 2246822507) & MASK
    x = ((x ^ (x >> 13)) * 3266489909) & MASK
    return x ^ (x >> 16)


def draws(seed):
    state, span = start(seed), float(SPAN)
    while True:
        state = (state * 1664525 + 1013904223) & MASK
        yield state / span


def trace_id(name):
    h = 2166136261
    for character in name:
        h = ((h ^ ord(character)) * 16777619) & MASK
    return h


def tokenize(text):
    words = text.lower().replace(",", " , ").split()
    return {word[i : i + 5] for word in words for i in range(0, len(word), 5)}


def subscriber(i):
    draw = draws(BASE + 31 * i)
    previous = 10000 + floor(next(draw) * 80000)
    region = REGIONS[floor(next(draw) * 5)]
    kind = ("residential", "commercial")[floor(next(draw) * 2)]
    return {"previous": previous, "current": previous + floor(next(draw) * 70), "type": kind, "region": region}


SUBSCRIBERS = {f"A{i + 1:03}": subscriber(i) for i in range(60)}
TOKENS = [(code, text, tokenize(text)) for code, text in DOCUMENTS]


# --- tools: each is given the records, and ignores fields that it does not know, as the scenario demands -------


def read_meter(records, subscriber=None, **_):
    found = SUBSCRIBERS.get(subscriber)
    return {"error": "no such subscriber"} if found is None else dict(found)


def consumption(records, previous=None, current=None, **_):
    if previous is None or current is None:
        return {"error": "missing field"}
    m3 = current - previous
    return {"m3": m3 + 100000 if m3 < 0 else m3}


def tariff(records, m3=None, type="residential", **_):
    if m3 is None:
        return {"error": "missing field"}
    amount = 4 * min(m3, 10) + 7 * max(0, min(m3, 25) - 10) + 11 * max(0, min(m3, 40) - 25) + 16 * max(0, m3 - 40)
    return {"amount": amount * 2 if type == "commercial" else amount}


def search_docs(records, query="", **_):
    if not query:
        return {"error": "missing field"}
    wanted, best, most = tokenize(query), None, 0
    for document in TOKENS:
        shared = len(wanted & document[2])
        if shared > most:
            best, most = document, shared
    return {"error": "not found"} if best is None else {"code": best[0], "text": best[1]}


def write_record(records, subscriber="", column="", value=None, **_):
    if not subscriber or not column or value is None:
        return {"error": "missing field"}
    records.setdefault(subscriber, {})[column] = value
    return {"written": True, "subscriber": subscriber, "column": column, "value": value}


NAMES = ("read_meter", "consumption", "tariff", "search_docs", "write_record")
TOOLS = {
    "read_meter": (read_meter, ("subscriber",)),
    "consumption": (consumption, ("previous", "current")),
    "tariff": (tariff, ("m3", "type")),
    "search_docs": (search_docs, ("query",)),
    "write_record": (write_record, ("subscriber", "column", "value")),
}
RESULTS = {"consumption": "m3", "tariff": "amount", "search_docs": "code"}
RIGHT = tuple(max(0.34, 0.80 - 0.09 * k) for k in range(BUDGET))


# --- tasks ------------------------------------------------------------------------------------------------------

KINDS = (
    (0.30, ("read_meter", "consumption", "tariff"), "what price does {} pay for this period"),
    (0.22, ("read_meter", "consumption"), "how many cubic metres did {} use in this period"),
    (0.20, ("search_docs",), "how is index difference computed after meter rollover"),
    (0.28, ("read_meter", "consumption", "tariff", "write_record"),
     "work out the price for {} and write it to the record"),
)  # fmt: skip


def task(i):
    draw = draws(BASE + 9973 * i)
    who = f"A{1 + floor(next(draw) * 60):03}"
    u, total = next(draw), 0.0
    sequence, request = KINDS[-1][1:]
    for weight, *kind in KINDS:
        total += weight
        if u < total:
            sequence, request = kind
            break
    reading = SUBSCRIBERS[who]
    m3 = consumption({}, reading["previous"], reading["current"])["m3"]
    amount = tariff({}, m3, reading["type"])["amount"]
    request = request.format(who)
    name = f"G{i + 1:02}"
    return {
        "name": name,
        "trace": trace_id(name),
        "state": {"subscriber": who, "query": request, "column": "charge"},
        "sequence": sequence,
        "answer": {"search_docs": "SY01", "consumption": m3}.get(sequence[-1], amount),
    }


TASKS = [task(i) for i in range(24)]


# --- the loop ---------------------------------------------------------------------------------------------------


def episode(task, seed):
    """(task, seed, succeeded, answer, steps, tokens, errors, done, trace) of one run of one task."""
    draw = draws(seed ^ task["trace"])
    state = dict(task["state"])
    records = {}
    sequence = task["sequence"]
    length = len(sequence)
    position = tokens = errors = steps = 0
    done = False
    trace = []
    while steps < BUDGET:
        steps += 1
        tokens += 60 + 22 * len(trace)
        u = next(draw)
        if position == length:
            if u < 0.88:
                done = True
                break
            name = NAMES[int(next(draw) * 5)]
        elif u < RIGHT[position]:
            name = sequence[position]
        else:
            name = NAMES[int(next(draw) * 5)]
        if name == "write_record":
            state["value"] = state.get("result")
        tool, fields = TOOLS[name]
        output = tool(records, **{field: state[field] for field in fields if field in state})
        failed = "error" in output
        trace.append((name, failed))
        tokens += 30
        if failed:
            errors += 1
            continue
        state.update(output)
        if name in RESULTS:
            state["result"] = output[RESULTS[name]]
        if position < length and name == sequence[position]:
            position += 1
    answer = state.get("result")
    return task["name"], seed, answer == task["answer"], answer, steps, tokens, errors, done, tuple(trace)
