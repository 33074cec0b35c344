"""`--fail-under`: the least share of defects that must be caught."""

from fractions import Fraction

import pytest

from toolbench.cli.thresholds import Threshold, read_threshold
from toolbench.errors import UsageError


class Counted:
    """A measurement that caught k of n defects, whatever is asked for; it notes what was."""

    def __init__(self, k, n):
        self.k, self.n, self.asked = k, n, []

    def counts(self, layer, class_):
        self.asked.append((layer, class_))
        return self.k, self.n


@pytest.mark.parametrize(
    ("text", "threshold"),
    [
        ("0.8", (None, "total", Fraction(4, 5))),
        ("1", (None, "total", Fraction(1))),
        (".5", (None, "total", Fraction(1, 2))),
        ("7/11", (None, "total", Fraction(7, 11))),
        ("tool:0", ("tool", "total", Fraction(0))),
        ("value=0.75", (None, "value", Fraction(3, 4))),
        ("loop:definition=1/2", ("loop", "definition", Fraction(1, 2))),
        ("definition:1", ("definition", "total", Fraction(1))),
        ("definition:definition=1", ("definition", "definition", Fraction(1))),
        ("definition=1", (None, "definition", Fraction(1))),
        ("tool:total=0.1", ("tool", "total", Fraction(1, 10))),
    ],
)
def test_a_threshold_from_its_text(text, threshold):
    """Layer and class may be left out; a share is a decimal or a fraction, and exact."""
    assert read_threshold(text) == Threshold(text, *threshold)


@pytest.mark.parametrize(
    "text",
    ["1.1", "-0.1", "3/2", "1/0", "", "much", "nan", "inf", "1e-1", "1e999999999", "1e-999999999", "0.5 ", "5%",
     "1/1e999999999", "0." + "3" * 30, "9" * 5000, "\u0661"],
)  # fmt: skip
def test_what_is_no_share(text):
    """What is no share from 0 to 1, however large its exponent or long its digits, is refused at once."""
    with pytest.raises(UsageError) as refused:
        read_threshold(text)
    assert str(refused.value) == (
        f"--fail-under {text}: give [LAYER:][CLASS=]SHARE with a share from 0 to 1, such as tool:value=0.9"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lop:0.5", "--fail-under lop:0.5: unknown layer 'lop': did you mean loop? Known: tool, definition, loop"),
        (":0.5", "--fail-under :0.5: unknown layer ''"),
        ("valu=0.5", "--fail-under valu=0.5: unknown class 'valu': did you mean value?"),
        ("=0.5", "--fail-under =0.5: unknown class ''"),
    ],
)
def test_an_unknown_layer_or_class(text, said):
    """A name that is not known is told with the nearest ones."""
    with pytest.raises(UsageError) as refused:
        read_threshold(text)
    assert str(refused.value).startswith(said)


def test_a_share_is_compared_exactly():
    """7/11 reaches 7/11, and falls short of its four digits rounded up."""
    assert read_threshold("7/11").fault(Counted(7, 11)) is None
    assert read_threshold("tool:value=0.6364").fault(Counted(7, 11)) == (
        "--fail-under tool:value=0.6364: 7/11 = 0.6364 of value defects are caught by the tool layer, below 0.6364"
    )


def test_what_is_asked_of_a_measurement():
    """A threshold asks for its layer and class; without them for any layer and all defects."""
    m = Counted(1, 2)
    for text in ("0", "loop:0", "contract=0", "definition:definition=0"):
        assert read_threshold(text).fault(m) is None
    assert m.asked == [(None, "total"), ("loop", "total"), (None, "contract"), ("definition", "definition")]


def test_a_share_of_nothing_reaches_no_threshold():
    """Where nothing was measured even 0 is not reached."""
    assert read_threshold("0").fault(Counted(0, 0)) == (
        "--fail-under 0: the share of all defects caught by any layer is n/a (0 were measured)"
    )
