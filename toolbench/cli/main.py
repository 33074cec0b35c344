"""`python -m toolbench COMMAND`: the parser, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator, Sequence

from toolbench.cli import check, convert, drift, exit_codes, init, list_scenarios, power, report, show
from toolbench.errors import CleanRunFails, ToolbenchError, unknown

COMMANDS = {
    "report": report,
    "check": check,
    "convert": convert,
    "drift": drift,
    "init": init,
    "list": list_scenarios,
    "show": show,
    "power": power,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code (see `toolbench.cli.exit_codes`)."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with _termination_as_interruption():
            return _run(given)
    except CleanRunFails as problem:
        return _failed(problem, exit_codes.CLEAN_RUN_FAILS)
    except ToolbenchError as problem:
        return _failed(problem, exit_codes.UNUSABLE)
    except KeyboardInterrupt:
        _say("interrupted")
        return exit_codes.INTERRUPTED


@contextlib.contextmanager
def _termination_as_interruption() -> Iterator[None]:
    """Treat a request to end as Ctrl-C, so that workers are ended too; not where another handler is at work."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    ours = threading.current_thread() is threading.main_thread()
    taken = [number for number in numbers if ours and signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _run(given: list[str]) -> int:
    parser = _parser()
    if given and not given[0].startswith("-") and given[0] not in COMMANDS:
        parser.error(unknown("command", given[0], COMMANDS))
    options = parser.parse_args(given)
    if options.command is None:
        parser.print_help()
        return exit_codes.AS_ASKED
    code: int = COMMANDS[options.command].run(options)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m toolbench",
        description="If a tool of your agent broke, which of your tests would notice?",
        epilog=exit_codes.DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        added = commands.add_parser(
            name,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog=exit_codes.DESCRIPTION,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(added)
    return parser


def _failed(problem: ToolbenchError, code: int) -> int:
    """Print an error; lines are kept, and whatever a terminal might obey is written as an escape."""
    from toolbench.values import harmless

    lines = [harmless(line) for line in str(problem).split("\n")]
    _say("\n".join(lines))
    return code


def _say(text: str) -> None:
    if sys.stderr is not None:  # it may have been closed
        sys.stderr.write(f"toolbench: {text}\n")
