"""What tests must know of the device that their arrays are on (CUPRUM_DEVICE, --arrays-on)."""

import pytest

import cuprum as cp
from cuprum import _core

HERE = cp.empty(0).device  # of the tests' arrays, which need not be the current one (elsewhere.py)
HOST_MEMORY = _core.device_info(HERE.name)["host_accessible"]

# For tests of memory that is shared with the host: buffers, DLPack, copy=False.
needs_host_memory = pytest.mark.skipif(not HOST_MEMORY, reason="the host cannot read this device's memory")

# For tests that ask for an IndexError at the call, whatever the indices are made of.
asks_for_index_errors = pytest.mark.usefixtures("debugging")
