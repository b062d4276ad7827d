"""Tests whose arrays are not on the current device: `pytest --arrays-on far`.

Every call of the package that a test makes without an array (`cp.zeros(3)`, `cp.asarray(x)`, `cp.sum([1, 2])`) runs
with that device as the current one, so that its arrays live there. Calls with arrays run with the device of the process
as the current one, another: they must compute where their arrays are. What the package calls within itself is not
touched: it does not go through the public namespace.
"""

import functools
import inspect

import cuprum as cp
from cuprum import _core
from program_structure import StructureSteps

# Files of tests that ask something else, and why.
LEFT_OUT = {
    "test_bench.py": "times what the other files test",
    "test_captures.py": "chooses its devices itself",
    "test_docs.py": "the pages show a process with one device",
    "test_exit.py": "asks processes of its own",
    "test_fuzz.py": "asks processes of its own",
    "test_imports.py": "asks processes of its own",
    "test_interpreter.py": "asks processes of its own",
    "test_profiler.py": "asks for lines; those of elsewhere.py stand between",
    "test_settings.py": "asks processes of its own",
    "test_stream_handles.py": "chooses its devices itself",
    "test_stream_programs.py": "chooses its devices itself",
    "test_streams.py": "chooses its devices itself",
    "test_timeline.py": "asks for lines; those of elsewhere.py stand between",
    "test_types.py": "asks about the package's text",
}

# Single tests, and why.
LEFT_OUT_TESTS = {
    "test_api.py::test_documentation_has_an_example_that_is_true[MemoryPool]": "asks the pool of the current device",
    "test_api.py::test_public_modules_are_documented[cuprum.cuda.memory]": "asks the pool of the current device",
    "test_api.py::test_public_modules_are_documented[cuprum.cuda.runtime]": "copies on the current device",
    "test_fused_gathers.py::test_captured": "captures on a stream of the current device",
    "test_lazy_gathers.py::test_captured_and_launched_again": "captures on a stream of the current device",
    "test_api.py::test_public_modules_are_documented[cuprum.cuda]": "its streams are those of the current device",
    "test_api.py::test_public_modules_are_documented[cuprum.cuda.device]": "as above",
    "test_api.py::test_public_modules_are_documented[cuprum.cuda.graph]": "as above",
    "test_array_api.py::test_info_of_devices": "asks for the current device",
    "test_chunks.py::test_three_streams_carry_the_chunks": "asks for lines; those of elsewhere.py stand between",
    "test_debug.py::test_bad_indices_are_found_by_the_call": "asks for lines; those of elsewhere.py stand between",
    "test_debug.py::test_lines_of_the_package_are_not_the_program_s": "as above",
    "test_debug.py::test_pending_operations_are_named": "as above",
    "test_devices.py::test_device_of_arrays_and_threads": "asks for the current device",
    "test_devices.py::test_examples": "their streams are those of the current device",
    "test_devices.py::test_events_and_synchronisation_evaluate": "waits for the current device",
    "test_devices.py::test_nothing_touches_device_memory": "asks processes of its own",
    "test_devices.py::test_the_pool_of_the_device_is_asked": "asks the memory of the current device",
    "test_api.py::test_memory_limit": "as above",
    "test_api.py::test_memory_pool": "as above",
    "test_debug.py::test_one_operation_is_named": "as above",
    "test_debug.py::test_without_debugging_nothing_is_remembered": "as above",
    "test_errors.py::test_out_of_memory_leaves_everything_intact": "as above",
    "test_faults.py::test_a_limit_explains_itself_and_leaves_everything_as_it_was": "as above",
}


def why_left_out(item):
    """The reason that a test is skipped for; None: it runs."""
    names = (item.originalname or item.name, item.name)
    reasons = [LEFT_OUT_TESTS.get(f"{item.path.name}::{name}") for name in names]
    return LEFT_OUT.get(item.path.name) or reasons[0] or reasons[1]


def has_array(values, depth=0):
    for x in values:
        if isinstance(x, slice):
            x = (x.start, x.stop, x.step)
        if isinstance(x, cp.ndarray) or (depth < 4 and type(x) in (list, tuple) and has_array(x, depth + 1)):
            return True
    return False


def made_on(device, function):
    """The function, made to run on `device` where no argument is an array and the test has not chosen one itself."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if has_array(args) or has_array(kwargs.values()):
            return function(*args, **kwargs)
        before = _core.enter_device(device)
        if before is not None:
            _core.enter_device(before)
        try:
            return function(*args, **kwargs)
        finally:
            _core.enter_device(before)

    return call


class UfuncOn:
    """A ufunc, made to run on `device` in the same way, and its methods."""

    __class__ = cp.ufunc  # for isinstance

    def __init__(self, device, ufunc):
        self._device, self._ufunc = device, ufunc
        self._call, self.__doc__, self.__module__ = made_on(device, ufunc), ufunc.__doc__, "cuprum"

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __getattr__(self, name):
        value = getattr(self._ufunc, name)
        return made_on(self._device, value) if callable(value) else value

    def __repr__(self):
        return repr(self._ufunc)

    def __reduce__(self):
        return self._ufunc.__reduce__()


def install(device):
    """Has the tests make their arrays on `device`."""
    # Random programs draw no numbers: those of a generator are on the current device.
    StructureSteps.draw_in = lambda program: None
    made = {}
    for name in cp.__all__:
        function = getattr(cp, name)
        if inspect.isroutine(function) or isinstance(function, cp.ufunc):
            wrap = UfuncOn if isinstance(function, cp.ufunc) else made_on
            setattr(cp, name, made.setdefault(id(function), wrap(device, function)))
    for cls, method in (
        (cp.poly1d, "__init__"),
        (cp.polynomial.Polynomial.__base__, "__init__"),
        (type(cp.mgrid), "__getitem__"),
        (type(cp.r_), "__getitem__"),
    ):
        setattr(cls, method, made_on(device, getattr(cls, method)))
