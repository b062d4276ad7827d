"""What tests must know of the device that they run on (CUPRUM_DEVICE)."""

import pytest

import cuprum as cp

HOST_MEMORY = cp.empty(0).device.attributes["host_accessible"]  # of the arrays (elsewhere.py)

# For tests of memory that is shared with the host: buffers, DLPack, copy=False.
needs_host_memory = pytest.mark.skipif(not HOST_MEMORY, reason="the host cannot read this device's memory")

# For tests that ask for an IndexError at the call, whatever the indices are made of.
asks_for_index_errors = pytest.mark.usefixtures("debugging")
