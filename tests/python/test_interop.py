"""cuprum.interop: libraries are told of the arrays when they are imported; who imports none pays nothing."""

import subprocess
import sys

import pytest

HEAD = """
import importlib.util, sys, types, warnings
def fake(name, **members):
    '''A module that a finder finds, in place of an installed one.'''
    class Loader:
        def create_module(self, spec): return None
        def exec_module(self, module): module.__dict__.update(members); events.append("executed")
    class Finder:
        def find_spec(self, wanted, path=None, target=None):
            if wanted == name: return importlib.util.spec_from_loader(name, loader)
    loader = Loader()
    for part in name.split(".")[:-1]:
        package = types.ModuleType(part); package.__path__ = []; sys.modules[part] = package
    sys.meta_path.append(Finder())
    return loader
events = []
"""


def run(program):
    found = subprocess.run([sys.executable, "-c", HEAD + program], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout.split("\n")[:-1]


BEFORE = """
class Base: pass
fake("einops._backends", NumpyBackend=Base, _loaded_backends={})
import einops._backends as backends
import cuprum
print(list(backends._loaded_backends), backends.__spec__.loader.__class__.__name__)
"""

AFTER = """
import cuprum
class Base: pass
loader = fake("einops._backends", NumpyBackend=Base, _loaded_backends={})
import einops._backends as backends
print(list(backends._loaded_backends), backends.__spec__.loader is loader, backends.__loader__ is loader, events)
"""

CHANGED = """
import cuprum
fake("einops._backends", nothing=1)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    import einops._backends as backends
print(backends.nothing, [w.category.__name__ for w in seen if "cuprum.interop: einops" in str(w.message)])
"""

ALONE = """
before = set(sys.modules)
import cuprum
libraries = {"dask", "einops", "opt_einsum", "autoray", "tensorly", "ot", "scipy"}
print(sorted(libraries & {name.partition(".")[0] for name in sys.modules}))
finders = [f for f in sys.meta_path if type(f).__module__ == "cuprum.interop"]
print(len(finders))
for name in [n for n in sys.modules if n.split(".")[0] == "cuprum"]: del sys.modules[name]
import cuprum
print(len([f for f in sys.meta_path if type(f).__module__ == "cuprum.interop"]))
"""

MISSING = """
import cuprum
try:
    import einops._nothing
except ImportError as error:
    print(type(error).__name__)
try:
    import tensorly_that_is_not_there
except ImportError as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(
    "program, printed",
    [
        (BEFORE, ["['cuprum'] Loader"]),
        (AFTER, ["['cuprum'] True True ['executed']"]),
        (CHANGED, ["1 ['ImportWarning']"]),
        (ALONE, ["[]", "1", "1"]),
        (MISSING, ["ModuleNotFoundError", "ModuleNotFoundError"]),
    ],
    ids=["before", "after", "changed", "alone", "missing"],
)
def test_import(program, printed):
    assert run(program) == printed


def test_arrays_tell_their_size():
    import cuprum as cp

    x = cp.zeros(1000)
    assert sys.getsizeof(x) >= x.nbytes
    assert sys.getsizeof(x[::2]) < 1000, "a view has no elements of its own"
