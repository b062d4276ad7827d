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


def blocked(scenario):
    """Runs `scenario(s, is_blocked)`, a generator, with a stream that works, twice, then with one that does nothing up
    to the `yield`. The first time compiles the kernels, the second loads them: while CUDA does, it may wait for all
    streams."""
    for is_blocked in (False, False, True):
        stream, gate = cp.cuda.Stream(non_blocking=True), threading.Event()
        if is_blocked:
            stream.launch_host_func(lambda gate: gate.wait(WAIT), gate)
        steps = scenario(stream, is_blocked)
        try:
            next(steps)
        finally:
            gate.set()
        stream.synchronize()
        assert next(steps, "end") == "end"
        _core.finish_compiling()
        cp.Device().synchronize()
