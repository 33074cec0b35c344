"""A connection to a Dask cluster: made within seconds or not at all, quiet, and with what the workers need."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from toolbench.errors import UsageError

ANSWER = 5.0
JOIN = 10.0
SCHEMES = ("tcp", "tls", "ws", "wss")
QUIET = ("distributed", "distributed.client", "distributed.worker", "distributed.nanny", "tornado", "bokeh", "asyncio")
MAKE = "(lambda space: (exec(source, space), space['Remote'](**settings))[1])({'__name__': 'toolbench_remote'})"
CALL = "__import__('distributed').get_worker().plugins[run].observe(text)"


def check_address(address: Any) -> str:
    """The address of a scheduler; UsageError if it is none.

    >>> check_address("tcp://127.0.0.1:8786")
    'tcp://127.0.0.1:8786'
    """
    try:
        parts = urlsplit(address)
        usable = parts.scheme in SCHEMES and bool(parts.hostname) and bool(parts.port)
    except (ValueError, AttributeError, TypeError):
        usable = False
    if not usable or not isinstance(address, str):
        raise UsageError(f"scheduler {address!r}: give its address, tcp://HOST:PORT, as `dask scheduler` says it")
    return address


def connected(address: str) -> Any:
    """A client of the scheduler at this address, which has at least one worker.

    UsageError when Dask is not installed, when nobody answers within 5 seconds, or no worker joins within 10.
    """
    _be_quiet()
    try:
        import distributed
    except ImportError:
        raise UsageError("the executor dask needs a package: pip install 'toolbench-defects[dask]'") from None
    with quiet():
        try:
            _shake_hands(address)
            client: Any = distributed.Client(  # type: ignore[no-untyped-call]
                address, timeout=ANSWER, set_as_default=False, name="toolbench"
            )
        except Exception as problem:
            why = str(problem).partition("\n")[0] or type(problem).__name__
            raise UsageError(
                f"scheduler {address}: no Dask scheduler answered within {ANSWER:g} s ({why}); "
                "is it running, and is this the address that `dask scheduler` says?"
            ) from None
        try:
            client.wait_for_workers(1, timeout=JOIN)
        except BaseException as problem:
            client.close(timeout=1)
            if not isinstance(problem, Exception):
                raise
            raise UsageError(
                f"scheduler {address}: no worker joined it within {JOIN:g} s; start one with `dask worker {address}`"
            ) from None
    return client


def _shake_hands(address: str) -> None:
    """Whether Dask speaks at this address; a Client would wait for ever where something listens and says nothing."""
    import asyncio

    from distributed import Security
    from distributed.comm.core import connect

    async def shake() -> None:
        security: Any = Security()  # type: ignore[no-untyped-call]
        comm: Any = await connect(  # type: ignore[no-untyped-call]
            address, timeout=ANSWER, **security.get_connection_args("client")
        )
        comm.abort()

    def run() -> None:
        try:
            asyncio.run(asyncio.wait_for(shake(), ANSWER))
        except Exception as problem:
            problems.append(problem)

    problems: list[Exception] = []
    thread = threading.Thread(target=run, daemon=True)  # a notebook's own thread has a loop that runs already
    thread.start()
    thread.join()
    if problems:
        raise problems[0]


def ship(client: Any, run: str, settings: dict[str, Any]) -> None:
    """Have every worker of the cluster, and every one that joins it, keep what a run needs; it goes as text."""
    from distributed import WorkerPlugin

    source = files("toolbench.adapters").joinpath("dask_remote.py").read_text(encoding="utf-8")

    class Shipped(WorkerPlugin):
        def __reduce__(self) -> tuple[Any, ...]:
            given = {"python": list(sys.version_info[:2]), **settings}
            return eval, (MAKE, {"source": source, "settings": given})

    with quiet():
        client.register_plugin(Shipped(), name=run)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep to oneself what Dask warns of, such as other versions of packages here and there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _be_quiet() -> None:
    """Let Dask log nothing to the terminal, unless this process used it before: then that is its user's affair."""
    if "distributed" in sys.modules:
        return
    try:
        from dask import config
    except ImportError:
        return
    config.set({"logging": dict.fromkeys(QUIET, "critical"), "distributed.admin.large-graph-warning-threshold": "1 TB"})
