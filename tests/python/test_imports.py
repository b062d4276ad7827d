"""Importing once more: a program that removes the package from sys.modules gets it again, over the same classes and
ufuncs. An interpreter beside the main one is refused."""

import subprocess
import sys

AGAIN = """
import gc, importlib, pickle, sys
import numpy as np
import cuprum as cp
first, kept = cp, cp.arange(5.0) + 1

def again():
    for name in [n for n in sys.modules if n.split(".")[0] == "cuprum"]:
        del sys.modules[name]
    gc.collect()
    import cuprum
    gc.collect()
    return cuprum

for make in again, again, lambda: importlib.reload(again()):
    cp = make()
    assert cp is not first and cp.ndarray is first.ndarray and cp.add is first.add
    assert float((kept + cp.ones(5)).sum()) == 20 and type(np.sin(kept)) is cp.ndarray
    assert pickle.loads(pickle.dumps(kept)).tolist() == [1, 2, 3, 4, 5] and kept.flat[2] == 3
    class Own(cp.ndarray): pass
    assert type(kept.view(Own) @ cp.ones((5, 2))) is Own
    try:
        with cp.errstate(divide="raise"):
            cp.evaluate(1 / cp.zeros(2))
        raise AssertionError
    except FloatingPointError:
        pass
importlib.reload(cp._core)
print("done")
"""

# NumPy, which a subinterpreter cannot import a second time, is not asked first.
REFUSED = """
import importlib.machinery, importlib.util
loader = importlib.machinery.ExtensionFileLoader("cuprum._core", PATH)
try:
    importlib.util.module_from_spec(importlib.machinery.ModuleSpec("cuprum._core", loader, origin=PATH))
except ImportError as error:
    print("ImportError:", error, flush=True)
"""

BESIDE = f"""
import cuprum as cp
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
other = interpreters.create()
interpreters.run_string(other, {REFUSED!r}.replace("PATH", repr(cp._core.__file__)))
interpreters.destroy(other)
class Own(cp.ndarray): pass
assert type(cp.ones(3).view(Own) + 1) is Own and float(cp.ones(3).sum()) == 3
print("done")
"""


def run(source):
    return subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)


def test_the_package_can_be_imported_again():
    found = run(AGAIN)
    assert (found.returncode, found.stdout, found.stderr) == (0, "done\n", "")


def test_another_interpreter_is_refused_and_this_one_goes_on():
    found = run(BESIDE)
    assert (found.returncode, found.stderr) == (0, "")
    refusal, last = found.stdout.splitlines()
    assert refusal.startswith("ImportError: ") and "subinterpreter" in refusal and last == "done"
