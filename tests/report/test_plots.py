"""Plots: what their axes hold."""

import sys

import pytest

import toolbench as tb
from toolbench.errors import UsageError
from toolbench.report.plots import MOST_PANELS


@pytest.fixture(scope="module")
def m():
    return tb.measure("metering", seeds=50, defects=["D2", "D5", "D8", "D10"], layers=["loop"])


@pytest.fixture(scope="module")
def panels(m):
    return shown(m.plot_bands())


def drawn(figure):
    """The figure, after it was really drawn."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure).draw()
    return figure


def shown(figure):
    return [axis for axis in drawn(figure).axes if axis.get_visible()]


def lines(axis):
    return {line.get_label(): line for line in axis.get_lines()}


def test_a_panel_for_each_defect(m, panels):
    """Each defect has a panel with its paired difference after 1, 2, 5 ... seeds, and its exact difference."""
    assert [axis.get_title() for axis in panels] == [f"{id} against defect-free" for id in ("D2", "D5", "D8", "D10")]
    growth = m.growth()
    for axis, id in zip(panels, ("D2", "D5", "D8", "D10"), strict=True):
        found = lines(axis)
        mine = growth[growth["table"] == id]
        assert found["paired difference"].get_xdata().tolist() == [1, 2, 5, 10, 20, 50]
        assert found["paired difference"].get_ydata().tolist() == mine["difference"].tolist()
        exact = m.rules().set_index("defect").loc[id, "exact_difference"]
        assert found["exact"].get_ydata()[0] == pytest.approx(exact, abs=1e-9)
        low, high = axis.get_ylim()
        assert axis.get_xscale() == "log"
        assert 0 < high == -low <= 1
    assert [axis.get_xlabel() for axis in panels] == ["", "seeds", "seeds", "seeds"]
    assert [bool(axis.get_ylabel()) for axis in panels] == [True, False, False, True]


def test_the_band_and_the_interval_are_areas(m, panels):
    """The band of defect-free runs, from two seeds on, and the paired interval are shown with what they are."""
    [legend] = [axis.get_legend() for axis in panels if axis.get_legend()]
    labels = ["band of defect-free runs", "paired, 95% interval", "paired difference", "exact"]
    assert sorted(text.get_text() for text in legend.get_texts()) == sorted(labels)
    for axis in (axis for axis in panels if len(axis.collections) == 2):  # where pairs differ there is an interval
        band, paired = axis.collections
        top = max(point[1] for point in band.get_paths()[0].vertices)
        assert top == pytest.approx(m.band_rows()[0]["band"] / 24)
        assert min(point[0] for point in paired.get_paths()[0].vertices) >= 2


def test_one_seed_has_neither_band_nor_interval():
    """Where one seed was run there is a point and the exact line, and nothing is made up."""
    [panel] = shown(tb.measure("metering", seeds="7,", defects=["D8"], layers=["loop"]).plot_bands())
    assert len(panel.collections) == 0
    assert lines(panel)["paired difference"].get_xdata().tolist() == [1]


def test_walked_tables_have_no_exact_line():
    """Without machines there is a band and a difference, and no exact one."""
    [panel] = shown(tb.measure("metering", seeds=3, defects=["D8"], layers=["loop"], engine="walk").plot_bands())
    assert set(lines(panel)) == {"paired difference"}


@pytest.mark.slow
def test_many_defects_are_cut():
    """The first twelve defects have panels."""
    more = [
        tb.Defect(id=f"X{number}", tool="tariff", operator="drop_field", arguments={"field": "type"})
        for number in range(MOST_PANELS + 2)
    ]
    figure = tb.measure("metering", seeds=2, defects=more, layers=["loop"]).plot_bands()
    assert len(shown(figure)) == MOST_PANELS


def test_the_power_of_the_paired_rule(m):
    """The curve rises with seeds, and a line marks where it reaches 0.9."""
    [axis] = shown(m.plot_power("D5"))
    assert axis.get_title() == "D5: seen with power 0.9 from 53 seeds"
    curve, level, mark = axis.get_lines()
    seeds, power = curve.get_xdata(), curve.get_ydata()
    assert (min(seeds), power[0] < 0.1, power[-1] > 0.99) == (1, True, True)
    assert level.get_ydata()[0] == 0.9
    assert mark.get_xdata()[0] == 53
    assert (axis.get_xlabel(), axis.get_ylabel(), axis.get_xscale()) == ("seeds", "power of the paired rule", "log")


def test_the_power_for_what_no_seed_can_show(m):
    """A defect that no seed can show has a flat curve and a title that says so."""
    [axis] = shown(m.plot_power("D2"))
    assert axis.get_title() == "D2: no number of seeds can show it"
    assert set(axis.get_lines()[0].get_ydata()) == {0.0}


def test_plots_leave_no_state(m, monkeypatch):
    """Figures are objects of their own: pyplot, which would keep them, is not loaded for them."""
    monkeypatch.delitem(sys.modules, "matplotlib.pyplot", raising=False)
    m.plot_bands()
    m.plot_power("D8")
    assert "matplotlib.pyplot" not in sys.modules


@pytest.mark.slow
def test_what_cannot_be_plotted(m, monkeypatch):
    """Without a loop, a defect, a machine or matplotlib, the message says what is lacking."""
    tool = tb.measure("metering", layers=["tool"], defects=["D8"])
    walked = tb.measure("metering", defects=["D8"], layers=["loop"], engine="walk")
    bare = tb.measure("metering", defects=[], layers=["loop"])
    for plot, said in (
        (tool.plot_bands, "the loop was not run, so there is nothing to plot"),
        (lambda: tool.plot_power("D8"), "the loop was not run"),
        (bare.plot_bands, "there is no defect to plot"),
        (lambda: m.plot_power("D55"), "unknown defect 'D55': did you mean D5?"),
        (
            lambda: walked.plot_power("D8"),
            "the power for D8 is not known: it has no machine: the engine walk was asked for",
        ),
    ):
        with pytest.raises(UsageError) as refused:
            plot()
        assert said in str(refused.value)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(UsageError, match=r"plots need matplotlib: pip install 'toolbench-defects\[plot\]'"):
        m.plot_bands()
