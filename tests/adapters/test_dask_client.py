"""Connecting to a cluster: what can be said before there is one."""

import sys

import pytest

from toolbench.adapters.dask_client import check_address, connected
from toolbench.errors import UsageError


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "tls://example.org:1", "tcp://[::1]:8786"])
def test_an_address_is_taken_as_it_is(address):
    """Scheme, host and port, as a scheduler says them."""
    assert check_address(address) == address


@pytest.mark.parametrize(
    "address", ["", "127.0.0.1", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://:8786", "http://a:1", "tcp://a:b",
                "tcp://a:0", "tcp://a:99999", "tcp://[::1:8786", None, 8786]
)  # fmt: skip
def test_what_is_no_address(address):
    """Anything else is named, with what would be right."""
    with pytest.raises(UsageError) as refused:
        check_address(address)
    assert (
        str(refused.value) == f"scheduler {address!r}: give its address, tcp://HOST:PORT, as `dask scheduler` says it"
    )


def test_dask_is_not_installed(monkeypatch):
    """Without the extra, the error says how to install it."""
    for name in ("distributed", "dask"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError) as refused:
        connected("tcp://127.0.0.1:8786")
    assert str(refused.value) == "the executor dask needs a package: pip install 'toolbench-defects[dask]'"
