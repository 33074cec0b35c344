"""Which defects are caught by exactly which layers."""

from hypothesis import given
from hypothesis import strategies as st

from toolbench.overlap import overlap_rows

WORDS = {"c": "caught", "m": "missed", "n": "not measured"}
SAID = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3), st.tuples(*[st.sampled_from("cmn")] * 3).map("".join), max_size=12
)


def said(letters, names=("x", "y", "z")):
    return {id: dict(zip(names, [WORDS[letter] for letter in row], strict=False)) for id, row in letters.items()}


def groups(letters, active, names=("x", "y", "z")):
    return {row["label"]: row["defects"] for row in overlap_rows(said(letters, names), active)}


@given(SAID)
def test_every_defect_is_in_one_group_at_most(letters):
    """A defect stands with exactly the layers that caught it; with none only if every layer measured it."""
    rows = overlap_rows(said(letters), ["x", "y", "z"])
    assert len(rows) == 8
    by = {tuple(row["layers"]): row["defects"] for row in rows}
    for id, row in letters.items():
        caught = tuple(name for name, letter in zip("xyz", row, strict=True) if letter == "c")
        here = [layers for layers, ids in by.items() if id in ids]
        assert here == ([] if not caught and "n" in row else [caught])


def test_two_layers_have_labels_of_their_own():
    """Of two layers it is both and neither, of three all and none, of one it alone and none."""
    letters = {"a": "cc", "b": "cm", "c": "mc", "d": "mm", "e": "mn", "f": "nc"}
    assert groups(letters, ["x", "y"]) == {"x only": ["a", "b"][1:], "y only": ["c", "f"], "both": ["a"],
                                           "neither": ["d"]}  # fmt: skip
    three = groups({"a": "ccc", "b": "cmc", "c": "mmm"}, ["x", "y", "z"])
    assert {label: ids for label, ids in three.items() if ids} == {"all": ["a"], "x + z": ["b"], "none": ["c"]}
    assert groups({"a": "c", "b": "m"}, ["x"], ["x"]) == {"x only": ["a"], "none": ["b"]}


def test_a_layer_that_measured_nothing_is_no_column():
    """Of a layer that measured nothing nobody can say what it would have caught, nor that no layer sees a defect."""
    rows = overlap_rows(said({"a": "cn", "b": "mn"}), ["x"])
    assert [(row["layers"], row["defects"]) for row in rows] == [(["x"], ["a"]), ([], [])]
    assert overlap_rows(said({"a": "nn"}), []) == [{"layers": [], "label": "none", "defects": []}]
