"""The devices that the tests of streams run on, and a stream that waits.

device = pytest.fixture(entered, params=DEVICES)
"""

import threading

import cuprum as cp
from cuprum import _core

HERE = cp.Device().name
DEVICES = sorted({HERE, "cpu", "far"})
QUEUES = [name for name in DEVICES if _core.device_info(name)["asynchronous"]]  # whose streams are queues
WAIT = 20  # seconds that nothing takes


def entered(request):
    """A fixture: the current device while a test runs."""
    with cp.Device(request.param) as device:
        yield device


class Blocked:
    """A stream that does nothing until it is let go."""

    def __init__(self):
        self.stream, self.gate = cp.cuda.Stream(non_blocking=True), threading.Event()
        self.stream.launch_host_func(lambda gate: gate.wait(WAIT), self.gate)

    def __enter__(self):
        return self.stream

    def __exit__(self, *_):
        self.gate.set()
        self.stream.synchronize()
