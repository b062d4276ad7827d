"""At the interpreter's end nothing of the package is kept alive from outside: types, functions and arrays are freed.

nanobind reports types that are left over only when an instance is: one of another class is lost on purpose.
"""

import subprocess
import sys

import pytest

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


@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_is_left_at_the_end(program):
    source = f"import cuprum as cp\n{PROGRAMS[program]}\nlost = cp.get_default_memory_pool()\n{LOSE.format('lost')}"
    found = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert 'leaked type "cuprum._core.MemoryPool"' in found.stderr  # what was lost on purpose is seen
    assert "leaked 1 instances" in found.stderr and "leaked 1 types" in found.stderr, found.stderr
