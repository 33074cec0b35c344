"""The loop's tables for readers: success, what newly fails, the rules side by side, all seeds; and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolbench.counting import counted
from toolbench.loop_rows import exact_rows, newly_rows, rule_rows, run_rows
from toolbench.mutation.defect import NONE
from toolbench.power import SIGNIFICANCE
from toolbench.report.cells import NA, Table, interval, listed, share, signed, table
from toolbench.rules import BAND, CAUGHT, EXACT, LOOP_RULES, MISSED, NOT_MEASURED, PAIRED

if TYPE_CHECKING:
    from toolbench.measurement import Measurement

WIDE = 4


def success(m: Measurement) -> Table:
    """Success by seed where seeds are few, else over all of them."""
    note = "tasks solved by the seeded agent; `none` is the defect-free table"
    title = "Success by table and seed"
    if m.loop is None:
        return table(title, note, (), ())
    tallies, tasks = m.loop.all.tallies, len(m.loop.tasks)
    if m.loop.episodes and len(m.seeds) <= WIDE:
        by_table: dict[str, list[Mapping[str, Any]]] = {}
        for row in m.success_rows():
            by_table.setdefault(row["table"], []).append(row)
        columns = ("table", *(f"seed {seed}" for seed in m.seeds.values), "failing tasks by seed")
        rows = [
            (name, *(share(r["succeeded"], r["tasks"]) for r in runs), " | ".join(listed(r["failing"]) for r in runs))
            for name, runs in by_table.items()
        ]
        return table(title, note, columns, rows)
    columns = ("table", "mean", "lowest seed", "highest seed", "failing tasks per seed")
    over = [
        (
            name,
            share(tally.succeeded, tasks * tally.seeds),
            share(tasks - tally.most, tasks),
            share(tasks - tally.fewest, tasks),
            str(tally.most) if tally.most == tally.fewest else f"{tally.fewest} to {tally.most}",
        )
        for name, tally in tallies.items()
    ]
    return table(title, note, columns, over)


def newly(m: Measurement) -> Table:
    """What newly fails and newly passes at the same seeds."""
    rows = [(row["defect"], *_times(row["newly_failing"]), *_times(row["newly_passing"])) for row in newly_rows(m.loop)]
    columns = ("defect", "newly failing", "tasks (times)", "newly passing", "tasks (times)")
    note = f"against the defect-free run at the same seed, over {counted(len(m.seeds), 'seed')}"
    return table("Paired view", note, columns, rows)


def _times(times: Mapping[str, int]) -> tuple[str, str]:
    most_first = sorted(times, key=lambda task: (-times[task], task)) if len(times) > 6 else sorted(times)
    told = [f"{task} ({times[task]:,})" if times[task] > 1 else task for task in most_first]
    return f"{sum(times.values()):,}", listed(told)


def rules(m: Measurement) -> Table:
    """What the three rules say of each defect, with the figures that they rest on."""
    title = "Rules side by side"
    columns = ("defect", *LOOP_RULES, "p (Holm)", "success, paired", "95% interval", "success, exact", "seeds, alone")
    if m.loop is None:
        return table(title, "", columns, ())
    rows = [
        (
            row["defect"],
            *(row[rule] for rule in LOOP_RULES),
            _p_value(row["adjusted"]),
            signed(row["difference"]),
            interval(row["low"], row["high"]),
            signed(row["exact_difference"], 6),
            _needed(row),
        )
        for row in rule_rows(m.defects, m.verdicts, m.loop)
    ]
    note = (
        "success with the defect less success without: at the same seeds, and over all seeds; "
        "seeds: how many the paired rule needs to see this defect, measured alone, in nine of ten runs"
    )
    return table(title, note, columns, rows)


def _p_value(p: float | None) -> str:
    if p is None:
        return NA
    return f"{p:.2g}" if p else "<1e-300"  # below that, floating point has no more numbers


def _needed(row: Mapping[str, Any]) -> str:
    if not row["comparable"]:
        return NA
    return f"{row['seeds_needed']:,}" if row["seeds_needed"] is not None else "never"


def over_all_seeds(m: Measurement) -> Table:
    """The exact view: what a run over all tasks comes to, whatever the seed."""
    rows = []
    more = {(row["table"], row["number"]): row["fails_more"] for row in run_rows(m.loop)}
    by_table: dict[str, list[Mapping[str, Any]]] = {}
    for row in exact_rows(m.loop):
        by_table.setdefault(row["table"], []).append(row)
    usual = next((number for (name, number), chance in more.items() if name == NONE and chance <= SIGNIFICANCE), 0)
    for name, tasks in by_table.items():
        sums = (sum(row[key] for row in tasks) for key in ("steps", "tokens", "errors"))
        expected = sum(row["success"] for row in tasks) / len(tasks)
        rows.append((name, f"{expected:.6f}", f"{more.get((name, usual), 0.0):.4f}", *(f"{one:,.1f}" for one in sums)))
    columns = ("table", "expected success", f"fails more than {counted(usual, 'task')}", "steps", "tokens", "errors")
    note = (
        "exact, with the draws taken as uniform, per run over all tasks; "
        f"without a defect, more than {counted(usual, 'task')} fail in at most {SIGNIFICANCE:.0%} of runs"
    )
    return table("Over all seeds", note, columns, rows)


def on_rules(m: Measurement) -> list[str]:
    """Where the rules disagree and what to do about it, in sentences; and how the episodes were played."""
    if m.loop is None:
        return []
    rows = rule_rows(m.defects, m.verdicts, m.loop)
    lines = []
    if never := [row["defect"] for row in rows if row["invisible"]]:
        lines.append(
            f"No seed can show {listed(never, 40)} to a check of right or wrong answers, however many you run."
        )
    hidden = [row["defect"] for row in rows if row[EXACT] == CAUGHT and row[PAIRED] == MISSED]
    if hidden:
        judged = sum(row[PAIRED] != NOT_MEASURED for row in rows)
        needed = {name: m.loop.seeds_needed(name, among=judged) for name in hidden}
        known = {name: seeds for name, seeds in needed.items() if seeds is not None}
        most = ""
        if known:
            seeds = f"{listed(known, 40)} with {max(known.values()):,} seeds"
            most = f"--rule paired (with its correction) shows {seeds} in nine of ten runs; "
        lines.append(
            f"Over all seeds {listed(hidden, 40)} lower success, which pairs at {counted(len(m.seeds), 'seed')} do not "
            f"show: {most}--rule exact needs no seed."
        )
    banded = [row["defect"] for row in rows if row[PAIRED] == CAUGHT and row[BAND] == MISSED]
    if banded:
        advice = ": use --rule paired" if m.rule == BAND else ""
        lines.append(
            f"The band hides {listed(banded, 40)}, which the same seeds show in pairs; it only widens with more "
            f"seeds{advice}."
        )
    if chance := [row["defect"] for row in rows if row[EXACT] == MISSED and CAUGHT in (row[BAND], row[PAIRED])]:
        lines.append(f"Caught at these seeds by chance, as over all seeds success is no lower: {listed(chance, 40)}.")
    reasons: dict[str, list[str]] = {}
    for name, why in m.loop.walked.items():
        reasons.setdefault(why, []).append(name)
    lines += [f"Walked one by one: {listed(names, 12)} ({why})." for why, names in reasons.items()]
    if any(row[EXACT] == NOT_MEASURED for row in rows) and m.rule == EXACT:
        lines.append("What has no machine has no exact verdict; use --rule paired for it.")
    return lines
