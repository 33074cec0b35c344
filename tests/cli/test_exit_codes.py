"""What the command's exit codes mean."""

from toolbench.cli import exit_codes

CODES = {name: value for name, value in vars(exit_codes).items() if isinstance(value, int)}


def test_each_end_has_a_code_of_its_own():
    """Scripts can tell the ends apart."""
    assert CODES == {"AS_ASKED": 0, "FALLS_SHORT": 1, "UNUSABLE": 2, "CLEAN_RUN_FAILS": 3, "INTERRUPTED": 130}


def test_the_help_lists_every_code():
    """What `--help` says of exit codes is all of them, in order."""
    listed = [int(line.split()[0]) for line in exit_codes.DESCRIPTION.splitlines()[1:]]
    assert listed == sorted(CODES.values())
