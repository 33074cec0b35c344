"""What changed in the tools of a server: how bad it is, where it stands, and what is no change at all."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checking.made_up import TIDY, WILD, roots
from toolbench.drifting.comparing import BREAKING, COMPATIBLE, DEGRADING, LEVELS, Change, drift, worst

TEXT, WHOLE, NUMBER, NULL = ({"type": kind} for kind in ("string", "integer", "number", "null"))
SCHEMAS = WILD | TIDY | roots(WILD | TIDY)
HINTS = st.sampled_from(("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "title"))
TOOLS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from("ab")},
        optional={
            "inputSchema": SCHEMAS,
            "outputSchema": SCHEMAS,
            "description": st.none() | st.text(max_size=2),
            "title": WILD,
            "annotations": WILD | st.dictionaries(HINTS, st.booleans() | st.none()),
            "_meta": WILD,
        },
    )
    | WILD,
    max_size=2,
)
FEW = settings(max_examples=30)


def tool(name="find", **keys):
    return {"name": name, **keys}


def taking(schema, **keys):
    """A tool with one field of this schema."""
    return tool(inputSchema={"type": "object", "properties": {"a": schema}, **keys})


def giving(schema, **keys):
    return tool(outputSchema={"type": "object", "properties": {"a": schema}, **keys})


def changes(kept, live):
    return [(change.level, change.pointer, change.what) for change in drift([kept], [live])]


def levels(kept, live):
    return [level for level, _, _ in changes(kept, live)]


def found_in(document, pointer):
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        try:
            document = document[int(token)] if isinstance(document, list) else document[token]
        except (KeyError, IndexError, ValueError, TypeError):
            return False
    return True


def reversed_keys(value):
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(list(value))}
    return [reversed_keys(item) for item in value] if isinstance(value, list) else value


# --- laws ----------------------------------------------------------------------------------------------------


@FEW
@given(TOOLS)
def test_nothing_drifts_from_itself(tools):
    """Whatever stands in a list, its copy has not changed."""
    assert drift(tools, json.loads(json.dumps(tools))) == ()


@FEW
@given(TOOLS, TOOLS)
def test_every_pointer_leads_somewhere_and_the_order_of_keys_never_matters(kept, live):
    """A pointer resolves in the tool as kept or as it is; no text of a change can harm a terminal."""
    found = drift(kept, live)
    assert drift(reversed_keys(kept), live) == found == drift(kept, reversed_keys(live))
    for change in found:
        assert change.level in LEVELS and change.what.isprintable() and change.why
        named = [
            t for t in kept + live if change.tool[:1] == "#" or (isinstance(t, dict) and t.get("name") == change.tool)
        ]
        assert any(found_in(t, change.pointer) for t in named)


@FEW
@given(TOOLS, TOOLS)
def test_a_tool_that_is_new_one_way_is_gone_the_other_way(kept, live):
    """Swapping the lists turns new tools into tools that are gone."""
    new = {change.tool for change in drift(kept, live) if change.what == "the tool is new"}
    gone = {change.tool for change in drift(live, kept) if change.what.startswith("the tool is gone")}
    assert new == gone


PLAIN = st.recursive(
    st.sampled_from(
        (True, {}, TEXT, WHOLE, NUMBER, NULL, {"enum": ["a", 1]}, {"const": 2}, {"type": ["string", "null"]})
    ),
    lambda inner: (
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 2)})
        | st.fixed_dictionaries(
            {"allOf": st.lists(inner, min_size=1, max_size=2)}, optional={"minimum": st.integers(0, 2)}
        )
    ),
    max_leaves=4,
)


@settings(max_examples=60)
@given(PLAIN, PLAIN)
def test_a_call_that_was_right_still_is_unless_a_change_is_breaking(kept, live):
    """What the old schema admits and the new one refuses is a breaking change; of answers, the other way round."""
    from jsonschema import Draft202012Validator

    values = [None, True, 0, 1, 2, 1.5, "a", "b", [], [1], ["a", None], {}]
    old, new = ([Draft202012Validator(schema).is_valid(value) for value in values] for schema in (kept, live))
    if worst(drift([taking(kept)], [taking(live)])) != BREAKING:
        assert [value for value, was, is_now in zip(values, old, new, strict=True) if was and not is_now] == []
    if worst(drift([giving(kept)], [giving(live)])) != BREAKING:
        assert [value for value, was, is_now in zip(values, old, new, strict=True) if is_now and not was] == []


# --- one table of cases of each level ------------------------------------------------------------------------

A = "/inputSchema/properties/a"
OUT = "/outputSchema/properties/a"


@pytest.mark.parametrize(
    ("kept", "live", "expected"),
    [
        (taking(TEXT), taking(WHOLE), (BREAKING, f"{A}/type", "was string, is integer")),
        (taking(NUMBER), taking(WHOLE), (BREAKING, f"{A}/type", "was number, is integer")),
        (taking({}), taking(TEXT), (BREAKING, f"{A}/type", "was anything, is string")),
        (taking({"type": ["string", "null"]}), taking(TEXT),
         (BREAKING, f"{A}/type", "null was admitted and no longer is")),
        (taking({"enum": ["x", "y"]}), taking({"enum": ["y"]}), (BREAKING, f"{A}/enum/0", 'the value "x" is gone')),
        (taking(TEXT), taking({"enum": ["x"]}), (BREAKING, f"{A}/enum", 'was string, is ["x"]')),
        (taking(TEXT), taking({"const": "x"}), (BREAKING, f"{A}/const", 'was string, is ["x"]')),
        (taking({"maximum": 9}), taking({"maximum": 5}), (BREAKING, f"{A}/maximum", "was at most 9, is at most 5")),
        (taking({"minimum": 1}), taking({"exclusiveMinimum": 1}),
         (BREAKING, f"{A}/exclusiveMinimum", "was at least 1, is above 1")),
        (taking({"type": "array"}), taking({"type": "array", "uniqueItems": True}),
         (BREAKING, f"{A}/uniqueItems", "is new: true")),
        (taking({"multipleOf": 2}), taking({"multipleOf": 4}),
         (BREAKING, f"{A}/multipleOf", "was a multiple of 2, is a multiple of 4")),
        (taking({"pattern": "a"}), taking({"pattern": "b"}), (BREAKING, f"{A}/pattern", 'was "a", is "b"')),
        (taking(TEXT), taking(TEXT, required=["a"]),
         (BREAKING, "/inputSchema/required/0", 'the field "a" could be left out, is required')),
        (taking(TEXT), taking(TEXT, additionalProperties=False),
         (BREAKING, "/inputSchema/additionalProperties", "is new: false")),
        (taking(TEXT), tool(inputSchema={}), (BREAKING, A, 'the field "a" is gone')),
        (tool(), taking(TEXT, required=["a"]), (BREAKING, A, 'the field "a" is new and required')),
        (taking(TEXT), taking("text"), (BREAKING, A, 'was {"type": "string"}, is "text"')),
        (taking({"allOf": [{"minimum": 1}, {"minimum": 2}]}), taking({"allOf": [{"minimum": 1}, {"minimum": 3}]}),
         (BREAKING, f"{A}/allOf/1/minimum", "was at least 2, is at least 3")),
        (taking({"items": {"anyOf": [WHOLE, TEXT]}}), taking({"items": {"anyOf": [TEXT, NULL]}}),
         (BREAKING, f"{A}/items/anyOf/1/type", "was integer, is null")),
        (giving(TEXT), giving({"type": ["string", "null"]}), (BREAKING, f"{OUT}/type", "null is admitted and was not")),
        (giving({"enum": ["x"]}), giving({"enum": ["x", "y"]}), (BREAKING, f"{OUT}/enum/1", 'the value "y" is new')),
        (giving(TEXT, required=["a"]), giving(TEXT),
         (BREAKING, "/outputSchema/required/0", 'the field "a" was required, may be left out')),
        (giving(TEXT), tool(outputSchema={}), (BREAKING, OUT, 'the field "a" is gone')),
        (giving(TEXT), tool(), (BREAKING, "/outputSchema", "answers were declared and no longer are")),
        (tool(annotations={"readOnlyHint": True}), tool(),
         (BREAKING, "/annotations/readOnlyHint", "was true, is false (the default)")),
        (tool(annotations={"destructiveHint": False}), tool(annotations={"destructiveHint": True}),
         (BREAKING, "/annotations/destructiveHint", "was false, is true")),
        (tool(description="Finds."), tool(description=" "), (DEGRADING, "/description", 'was "Finds.", is " "')),
        (taking({"description": "Which."}), taking({}), (DEGRADING, f"{A}/description", 'was "Which.", is gone')),
        (taking({"default": 1}), taking({"default": 2}), (DEGRADING, f"{A}/default", "was 1, is 2")),
        (taking({"default": True}), taking({"default": 1}), (DEGRADING, f"{A}/default", "was true, is 1")),
        (taking({"examples": [1]}), taking({}), (DEGRADING, f"{A}/examples", "was [1], is gone")),
        (taking({}), taking({"format": "date"}), (DEGRADING, f"{A}/format", 'is new: "date"')),
        (taking({}), taking({"x-unit": "m"}), (DEGRADING, f"{A}/x-unit", 'is new: "m"')),
        (tool(annotations={"idempotentHint": True}), tool(annotations={}),
         (DEGRADING, "/annotations/idempotentHint", "was true, is false (the default)")),
        (tool(annotations={"openWorldHint": False}), tool(annotations={}),
         (DEGRADING, "/annotations/openWorldHint", "was false, is true (the default)")),
        (tool(), taking(TEXT), (COMPATIBLE, A, 'the field "a" is new')),
        (tool(outputSchema={}), giving(TEXT), (COMPATIBLE, OUT, 'the field "a" is new')),
        (tool(), giving(TEXT), (COMPATIBLE, "/outputSchema", "answers are declared now")),
        (taking(WHOLE), taking(NUMBER), (COMPATIBLE, f"{A}/type", "was integer, is number")),
        (giving(NUMBER), giving(WHOLE), (COMPATIBLE, f"{OUT}/type", "was number, is integer")),
        (taking({"enum": ["x"]}), taking({"enum": ["x", "y"]}), (COMPATIBLE, f"{A}/enum/1", 'the value "y" is new')),
        (taking(TEXT, required=["a"]), taking(TEXT),
         (COMPATIBLE, "/inputSchema/required/0", 'the field "a" was required, may be left out')),
        (taking({"minLength": 3}), taking({}), (COMPATIBLE, f"{A}/minLength", "was at least 3, is gone")),
        (tool(description="Finds."), tool(description="Seeks."),
         (COMPATIBLE, "/description", 'was "Finds.", is "Seeks."')),
        (tool(title="Find"), tool(), (COMPATIBLE, "/title", 'was "Find", is gone')),
    ],
)  # fmt: skip
def test_a_change_has_its_level_place_and_words(kept, live, expected):
    """One change is one line: how bad, where, what was and what is."""
    assert changes(kept, live) == [expected]


@pytest.mark.parametrize(
    ("kept", "live"),
    [
        (tool(), tool(annotations={"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True})),
        (tool(), tool(inputSchema={"type": "object", "properties": {}, "required": [], "additionalProperties": True})),
        (taking({"type": ["string", "null"]}), taking({"anyOf": [NULL, TEXT]})),
        (taking({"type": ["string", "null"], "maxLength": 9}),
         taking({"anyOf": [{"type": "string", "maxLength": 9.0}, NULL]})),
        (taking({"type": "string", "nullable": True}), taking({"type": ["null", "string"]})),
        (taking({"enum": ["a", "b"]}), taking({"type": "string", "enum": ["b", "a"]})),
        (taking({"oneOf": [{"const": "a"}, {"const": "b"}]}), taking({"enum": ["a", "b"]})),
        (taking({"$ref": "#/$defs/x"}, **{"$defs": {"x": TEXT}}), taking(TEXT)),
        (taking({"$ref": "#/$defs/x"}, **{"$defs": {"x": TEXT}}),
         taking({"$ref": "#/$defs/y~1z"}, **{"$defs": {"y/z": TEXT}})),
        (taking({"allOf": [{"$ref": "#/$defs/x"}]}, **{"$defs": {"x": TEXT}}), taking({**TEXT, "title": "A"})),
        (taking({"anyOf": [TEXT, {"items": [TEXT]}]}), taking({"anyOf": [{"prefixItems": [TEXT]}, TEXT]})),
        (taking(True), taking({})),
    ],
)  # fmt: skip
def test_another_spelling_is_no_change(kept, live):
    """Defaults spelled out, unions, references and titles of schemas: what is admitted is the same."""
    assert drift([kept], [live]) == () == drift([live], [kept])


# --- tools as a whole ----------------------------------------------------------------------------------------


def test_a_tool_that_is_gone_may_have_been_renamed():
    """The same schema under another name, or a name near to it, is told; a tool that is unlike is not."""
    fields = {"properties": {"q": TEXT}}
    kept = [tool("find_page", inputSchema=fields), tool("drop")]
    (gone, dropped, new) = drift(kept, [tool("look_up", inputSchema=fields)])
    assert gone.what == 'the tool is gone; "look_up" is new and takes the same: it may have been renamed'
    assert dropped == Change(BREAKING, "drop", "", "the tool is gone", gone.why)
    assert (new.level, new.tool, new.pointer, new.what) == (COMPATIBLE, "look_up", "", "the tool is new")
    assert "has a name near to it" in drift([tool("find_page")], [tool("find_pages")])[0].what


def test_changes_stand_in_the_order_of_the_kept_tools():
    """Kept tools first, in their order; new ones last."""
    found = drift([tool("z", title="Z"), tool("a", title="A")], [tool("new"), tool("a"), tool("z")])
    assert [change.tool for change in found] == ["z", "a", "new"]


def test_a_name_that_stands_twice_is_breaking():
    """The first of each name is compared; that there are two is told, unless there were before."""
    (twice,) = drift([tool()], [tool(), tool(description="another")])
    assert (twice.level, twice.what) == (BREAKING, "was given 1 time, is given 2 times")
    assert drift([tool(), tool()], [tool(), tool()]) == ()
    assert worst(drift([], [tool(), tool()])) == BREAKING


def test_the_worst_level_is_the_first_of_the_three():
    """None without a change."""
    assert worst(()) is None
    assert worst(drift([tool("a", title="A")], [tool("a")])) == COMPATIBLE


def test_a_tool_that_is_read_only_destroys_nothing():
    """Hints that mean something for writers only are passed over for a tool that now only reads."""
    assert levels(tool(annotations={"destructiveHint": False}), tool(annotations={"readOnlyHint": True})) == [
        COMPATIBLE
    ]


def test_why_tells_whether_a_field_that_is_gone_is_refused_or_ignored():
    """It depends on whether other fields are admitted."""
    (ignored,) = drift([taking(TEXT)], [tool(inputSchema={})])
    (refused,) = drift([taking(TEXT, additionalProperties=False)], [tool(inputSchema={"additionalProperties": False})])
    assert "ignored" in ignored.why and "refused" in refused.why


# --- schemas that refer to themselves, and hostile ones ------------------------------------------------------


def recursive(kind):
    node = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/N"}, NULL]}, "v": {"type": kind}}}
    return tool(inputSchema={"$ref": "#/$defs/N", "$defs": {"N": node}})


def test_a_schema_that_refers_to_itself_is_compared_once():
    """A change in it is one change, where it stands."""
    assert ("breaking", "/inputSchema/$defs/N/properties/v/type", "was string, is integer") in changes(
        recursive("string"), recursive("integer")
    )
    loop = {"$ref": "#/$defs/x"}
    assert drift([taking(loop, **{"$defs": {"x": loop}})], [taking({})]) == ()


def test_a_union_beside_other_keywords_may_refer_to_itself():
    """It is compared once."""
    inner = {"anyOf": [{"minLength": 2, "$ref": "#/$defs/x"}, {"type": "object"}, True]}
    kept = taking({"$ref": "#/$defs/x"}, **{"$defs": {"x": inner}})
    live = taking({"minLength": 2, "$ref": "#/$defs/x"}, **{"$defs": {"x": inner}})
    assert worst(drift([kept], [live])) == BREAKING


@pytest.mark.parametrize("depth", [200, 3000])
def test_no_depth_is_too_deep(depth):
    """Beyond some depth nobody looks, and that is breaking."""

    def deep(leaf):
        for _ in range(depth):
            leaf = {"type": "object", "properties": {"a": leaf}}
        return tool(inputSchema=leaf)

    (change,) = drift([deep(TEXT)], [deep(WHOLE)])
    assert change.level == BREAKING
    assert change.what == (
        "was string, is integer" if depth == 200 else "changed, and takes more than 40,000 steps to compare"
    )
    assert drift([deep(TEXT)], [deep(TEXT)]) == ()


def test_many_fields_are_compared():
    """Ten thousand fields, one of which changed."""
    fields = {f"f{i}": {"anyOf": [TEXT, NULL]} for i in range(10_000)}
    kept, live = (tool(inputSchema={"properties": {**fields, "f7": schema}}) for schema in (TEXT, WHOLE))
    assert changes(kept, live) == [(BREAKING, "/inputSchema/properties/f7/type", "was string, is integer")]


@pytest.mark.parametrize("odd", [None, 1, "x", [], [[]], {"name": 3}, {"inputSchema": {}}, {"name": "find", 3: {1, 2}}])
def test_what_is_malformed_is_compared_as_a_whole(odd):
    """Nothing crashes, and something is always told."""
    assert drift([odd], [odd]) == ()
    assert isinstance(drift([odd], [tool()]), tuple)
    assert drift(odd, [tool()])[-1].level in LEVELS if not isinstance(odd, list) else True
    assert isinstance(drift([tool(inputSchema=odd, annotations=odd)], [taking(TEXT)]), tuple)


def test_hostile_text_is_harmless():
    """Whatever a server says is shown with escapes."""
    (change,) = drift([tool(description="Finds.")], [tool(description="\x1b[31m\nred\u202e")])
    assert change.what.isprintable() and change.what.endswith('is "\\u001b[31m\\nred\\u202e"')
