"""Plots for a notebook, with matplotlib (the extra `plot`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolbench.errors import UsageError, unknown
from toolbench.loop_rows import growth_rows
from toolbench.mutation.defect import NONE
from toolbench.power import power_curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from toolbench.loop import Loop
    from toolbench.measurement import Measurement

MOST_PANELS = 12
LEAST = 0.01
SEEDS = sorted({round(10 ** (step / 8)) for step in range(49)})


def plot_bands(m: Measurement) -> Figure:
    """Per defect, as seeds grow in number: the paired difference with its interval, which narrows, inside the band of
    defect-free runs, which only widens; and the exact difference where it is known.

    Raises UsageError without a loop, without a defect, or where matplotlib is not installed.
    """
    loop = _loop(m)
    rows = growth_rows(loop)
    names = [name for name in loop.all.tallies if name != NONE][:MOST_PANELS]
    if not names:
        raise UsageError("there is no defect to plot; measure some, and with the loop")
    columns = min(3, len(names))
    lines = -(-len(names) // columns)
    figure = _figure(4.0 * columns, 2.6 * lines)
    axes = figure.subplots(lines, columns, sharex=True, squeeze=False).ravel()
    for name, axis in zip(names, axes, strict=False):
        mine = [row for row in rows if row["table"] == name]
        seeds = [row["seeds"] for row in mine]
        band = [(row["seeds"], row["band"] / len(loop.tasks)) for row in mine if row["band"] is not None]
        known = [row for row in mine if row["low"] is not None]
        if band:
            widths = [width for _, width in band]
            axis.fill_between([at for at, _ in band], [-width for width in widths], widths,
                              color="0.88", step="post", label="band of defect-free runs")  # fmt: skip
        if known:
            axis.fill_between([row["seeds"] for row in known], [row["low"] for row in known],
                              [row["high"] for row in known], alpha=0.4, label="paired, 95% interval")  # fmt: skip
        axis.plot(seeds, [row["difference"] for row in mine], marker=".", label="paired difference")
        if name in loop.exact:
            axis.axhline(loop.expected(name) - loop.expected(NONE), color="black", ls=":", lw=1, label="exact")
        axis.set_title(f"{name} against defect-free", fontsize="medium")
        axis.set_xscale("log")
        axis.set_ylim(*_limits(mine, loop, name))
    for axis in axes[len(names) :]:
        axis.set_visible(False)
    for axis in axes[max(0, len(names) - columns) : len(names)]:
        axis.set_xlabel("seeds")
        axis.tick_params(labelbottom=True)
    for axis in axes[::columns]:
        axis.set_ylabel("success less\ndefect-free")
    shown = [axis.get_legend_handles_labels() for axis in axes]
    by_label = {label: handle for handles, labels in shown for handle, label in zip(handles, labels, strict=True)}
    axes[0].legend(by_label.values(), by_label.keys(), fontsize="x-small")
    return figure


def plot_power(m: Measurement, defect: str) -> Figure:
    """How likely the paired rule sees a defect (p below 0.05), by the number of seeds; and where that reaches 0.9.

    Raises UsageError for an unknown defect, for one whose table has no machine, or without matplotlib.
    """
    loop = _loop(m)
    if defect not in [one.id for one in m.defects]:
        raise UsageError(unknown("defect", defect, [one.id for one in m.defects]))
    from toolbench.loop import SEEN_WITH

    needed = loop.seeds_needed(defect)
    seeds = [number for number in SEEDS if needed is None or number <= max(20, 4 * needed)]
    chances = loop.chances(defect)
    if chances is None:
        raise UsageError(f"the power for {defect} is not known: {loop.incomparable(defect)}")
    curve = power_curve(*chances, seeds)
    figure = _figure(6.0, 3.6)
    axis = figure.subplots()
    axis.plot(*zip(*curve, strict=True), marker=".")
    axis.axhline(SEEN_WITH, color="0.6", lw=1)
    if needed is not None:
        axis.axvline(needed, color="0.6", lw=1, ls=":")
    told = (
        "no number of seeds can show it" if needed is None else f"seen with power {SEEN_WITH:g} from {needed:,} seeds"
    )
    axis.set(xscale="log", ylim=(-0.02, 1.02), xlabel="seeds", ylabel="power of the paired rule")
    axis.set_title(f"{defect}: {told}")
    return figure


def _limits(rows: Sequence[Mapping[str, Any]], loop: Loop, name: str) -> tuple[float, float]:
    """Room for the difference, not for the band, which can be a hundred times as wide."""
    most = max(abs(rows[-1]["difference"]), LEAST)
    if name in loop.exact:
        most = max(most, abs(loop.expected(name) - loop.expected(NONE)))
    return -min(1.0, 2.5 * most), min(1.0, 2.5 * most)


def _loop(m: Measurement) -> Loop:
    if m.loop is None:
        raise UsageError("the loop was not run, so there is nothing to plot")
    return m.loop


def _figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("plots need matplotlib: pip install 'toolbench-defects[plot]'") from None

    class Plot(Figure):
        """A figure that draws itself in a notebook, whatever the notebook has set up."""

        def _repr_png_(self) -> bytes:
            from io import BytesIO

            picture = BytesIO()
            self.savefig(picture, format="png")
            return picture.getvalue()

    return Plot(figsize=(width, height), layout="constrained")
