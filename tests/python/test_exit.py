"""At the interpreter's end nothing of the package is kept alive from outside: types, functions and arrays are freed.

nanobind reports types that are left over only when an instance is: one of another class is lost on purpose. Its reports
are for this test; a program whose own cycles keep an array alive ends in silence, as with NumPy.
"""

import subprocess
import sys
import sysconfig

import pytest

TELL = "import numpy as np; import cuprum as cp; cp._core.warn_of_leaks(True)"
ON_CPU = "cp.Device('cpu').use()"
LOSE = "import ctypes; ctypes.pythonapi.Py_IncRef(ctypes.py_object({}))"

PROGRAMS = {
    "nothing done": "",
    "arrays": "a = cp.arange(5) * 2; b = a.copy()[1:]; c = cp.add(a, a, out=a); print(float(c.sum()))",
    "methods": "a = cp.zeros(3); a.fill(2); a.tolist(); a.astype('f4').view('i4'); a.flags; a.data; iter(a)",
    "errors": "\nwith cp.errstate(divide='ignore', over='warn'):\n    cp.evaluate(1 / cp.zeros(2))",
    "an error in flight": "\ntry:\n    cp.zeros(2) + cp.zeros(3)\nexcept ValueError as e:\n    kept = e",
    "a class of one's own": "\nclass A(cp.ndarray): pass\na = cp.zeros(3).view(A) + 1",
    "an array in a cycle": "\nclass A: pass\na = A(); a.array = cp.zeros(3); a.self = a; del a",
}

# On the CPU, whose memory others can use.
LENDING = {
    "memory lent to NumPy": "a = cp.ones(5); b = np.asarray(a); c = np.from_dlpack(a); d = memoryview(a)",
    "memory lent by NumPy": "a = np.ones(5); b = cp.asarray(a, copy=False); c = cp.from_dlpack(a)",
    "memory lent and lent back": "a = cp.ones(5); b = np.asarray(a); c = cp.asarray(b, copy=False); d = np.asarray(c)",
    "memory of a memoryview": "a = memoryview(cp.ones(5)); b = cp.frombuffer(a); c = cp.asarray(a, copy=False)",
    "tensors both ways": "a = cp.ones(5); b = cp.from_dlpack(np.from_dlpack(a)); c = cp.fromDlpack(b.toDlpack())",
    "a tensor that nobody took": "a = cp.ones(5); b = a.toDlpack()",
    "memory by its address": "a = cp.ones(5); b = cp.cuda.UnownedMemory(a.data.ptr, a.nbytes, a)",
    "a pickle that shares": "import pickle; a = cp.ones(5); b = []\n"
    "c = pickle.dumps(a, 5, buffer_callback=b.append); d = pickle.loads(c, buffers=b)",
    "pinned memory": "a = cp.cupyx.zeros_pinned(3); b = cp.asarray(a, copy=False)",
    "lent memory in a cycle": "\nclass A: pass\n"
    "a = A(); a.x = cp.ones(3); a.d = np.asarray(a.x); a.e = cp.asarray(a.d, copy=False); a.self = a",
    "lent memory in another module": "import sys; sys.kept = cp.asarray(np.asarray(cp.zeros(3)), copy=False)",
}


def run(source):
    return subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)


PROGRAMS |= {name: f"{ON_CPU}\n{source}" for name, source in LENDING.items()}


@pytest.mark.skipif(
    bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="nanobind counts no leaks there"
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_left_at_the_end(program):
    found = run(f"{TELL}\n{PROGRAMS[program]}\nlost = cp._core.MemoryPool('direct')\n{LOSE.format('lost')}")
    assert found.returncode == 0, found.stderr
    assert 'leaked type "cuprum._core.MemoryPool"' in found.stderr  # what was lost on purpose is seen
    assert "leaked 1 instances" in found.stderr and "leaked 1 types" in found.stderr, found.stderr


def test_a_program_that_keeps_an_array_ends_in_silence():
    """NumPy's arrays cannot be traversed: what one of them keeps alive that is kept by it stays."""
    found = run(
        f"import numpy as np; import cuprum as cp; {ON_CPU}\n"
        "class N(np.ndarray): pass\n"
        "n = np.arange(5.0).view(N); n.x = cp.asarray(n, copy=False); del n\n"
        f"lost = cp.zeros(3)\n{LOSE.format('lost')}"
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
