"""What the command's exit codes mean."""

from __future__ import annotations

AS_ASKED = 0  # the command did what was asked
FALLS_SHORT = 1  # it was done, and a share is below its --fail-under, or there are findings from --fail-on up, or drift
UNUSABLE = 2  # wrong usage, a scenario or catalogue that cannot be used, a place that cannot be written
CLEAN_RUN_FAILS = 3  # the defect-free table fails its own suite, so there is no rate
INTERRUPTED = 130  # Ctrl-C

DESCRIPTION = """exit codes:
  0    as asked
  1    a share is below its --fail-under, there are findings from --fail-on up, or a server drifted
  2    wrong usage, or a scenario, catalogue or place that cannot be used
  3    the defect-free table fails its own suite
  130  interrupted"""
