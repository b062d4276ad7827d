"""Other libraries, told of Cuprum's arrays as soon as a program imports them.

Some libraries keep a table of the array types that they know: dask, einops, opt_einsum, autoray, tensorly,
POT. A file of this package has the entries for each. They are made right after the module with the table
has been executed, so that a program has nothing to call and nothing is imported that the program does not
import itself.

A finder at the head of `sys.meta_path` watches for those six names alone. It costs each import of a module
a look into a dictionary, and goes when all of them have come. A library that has changed its table keeps
working, without the entries and with a warning.
"""

import importlib
import sys
import threading
import warnings

__all__ = ["watch"]

# The module that has the table: the file of this package with the entries.
_FILES = {
    "autoray.autoray": "_autoray",
    "dask.array.backends": "_dask",
    "einops._backends": "_einops",
    "opt_einsum.backends.dispatch": "_opt_einsum",
    "ot.backend": "_ot",
    "tensorly.backend": "_tensorly",
}


def _register(name):
    """Makes the entries in the table of a module that has been executed."""
    try:
        importlib.import_module(f".{_FILES[name]}", __name__).register(sys.modules[name])
    except Exception as error:  # never let another library's import fail
        library = name.partition(".")[0]
        warnings.warn(
            f"cuprum.interop: {library} does not know Cuprum's arrays: {type(error).__name__}: {error}",
            ImportWarning,
            stacklevel=2,
        )


class _Loader:
    """Stands for a module's loader until the module has been executed."""

    def __init__(self, loader):
        self._loader = loader

    def __getattr__(self, name):
        return getattr(self._loader, name)

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _register(module.__name__)


class _Finder:
    """Lets the other finders look for a module, and wraps the loader of one that is waited for."""

    def __init__(self, names):
        self._waited = dict.fromkeys(names)
        self._looking = threading.local()

    def find_spec(self, name, path=None, target=None):
        if name not in self._waited or getattr(self._looking, "name", None) == name:
            return None
        self._looking.name = name
        try:
            spec = _find(name, path, target)
        finally:
            self._looking.name = None
        if spec is None or not hasattr(spec.loader, "exec_module"):
            return None
        self._waited.pop(name, None)
        if not self._waited and self in sys.meta_path:
            sys.meta_path.remove(self)
        spec.loader = _Loader(spec.loader)
        return spec


def _find(name, path, target):
    for finder in list(sys.meta_path):
        find = getattr(finder, "find_spec", None)
        spec = find(name, path, target) if find else None
        if spec is not None:
            return spec
    return None


def watch():
    """Registers with the libraries that are there, and waits for the others. `import cuprum` calls it, once."""
    # A program that has imported the package once more has one already, of the class that was.
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != __name__]
    for name in _FILES:
        if name in sys.modules:
            _register(name)
    missing = [name for name in _FILES if name not in sys.modules]
    if missing:
        sys.meta_path.insert(0, _Finder(missing))
