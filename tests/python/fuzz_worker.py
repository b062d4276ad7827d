"""A process that throws random objects at every public function, ufunc, method and index: nothing may crash it.

    python fuzz_worker.py <log> <seed> <count>

Before each call its source goes to the log, so that the parent can say which call ended the process. Any exception
is an answer, except those that say that the binding itself failed.
"""

import faulthandler
import os
import random
import sys
import warnings

import ml_dtypes
import numpy as np

import cuprum as cp

LIMIT = 1 << 22  # elements of a result that is read


class Odd:
    """An object whose protocols misbehave."""

    def __init__(self, mode):
        self.mode = mode

    def answer(self, good):
        if self.mode == "raise":
            raise KeyError("odd")
        return "text" if self.mode == "wrong" else good

    def __index__(self):
        return self.answer(1)

    def __float__(self):
        return self.answer(1.5)

    def __len__(self):
        return self.answer(2)

    def __getitem__(self, i):
        if isinstance(i, int) and i > 3:
            raise IndexError(i)
        return self.answer(i)

    def __array__(self, dtype=None, copy=None):
        return self.answer(np.arange(3))

    def __bool__(self):
        return self.answer(True)

    def __repr__(self):
        return f"Odd({self.mode!r})"


class IndexOnly:
    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n

    def __repr__(self):
        return f"IndexOnly({self.n})"


DTYPES = ["?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d", "F", "D"]
INTEGERS = [
    "0", "1", "2", "-1", "3", "-2", "7", "100", "-100", "2**31", "2**63 - 1", "2**63", "-2**63", "2**64",
    "10**40", "True",
]  # fmt: skip
FLOATS = [
    "0.0", "1.5", "-2.5", "float('nan')", "float('inf')", "1e300", "1j", "np.float32(2)", "np.int8(-3)",
    "np.uint64(2**63)",
]  # fmt: skip
SHAPES = ["()", "(3,)", "(2, 3)", "(0,)", "(2, 0, 3)", "(1, 4)", "(2, 2, 2)", "(1,) * 32", "(1,) * 64"]
BAD_SHAPES = [
    "(-1,)", "(2**40,)", "(2**62, 2)", "(2**32, 2**32)", "(1,) * 65", "(1.5,)", "('a',)", "[2, [3]]",
]  # fmt: skip
ODD = [
    "None", "'abc'", "''", "b'bytes'", "[]", "[1, 2, 3]", "[[1, 2], [3, 4]]", "[[1], [2, 3]]", "(1, 'a')", "{}",
    "{1: 2}", "set()", "object()", "Odd('good')", "Odd('raise')", "Odd('wrong')", "IndexOnly(1)",
    "IndexOnly(2**70)", "slice(None)", "slice(1, None, 2)", "slice(None, None, -1)", "slice(None, None, 0)",
    "slice('a', None)", "...", "NotImplemented", "range(3)", "iter([1, 2])", "int", "float", "np.float32",
    "np.dtype('f4')", "np.dtype('U5')", "np.dtype('M8[s]')", "np.dtype('O')", "np.dtype([('a', 'f4')])",
    "ml_dtypes.bfloat16", "lambda *a: 1", "cp", "cp.add", "bytearray(8)", "memoryview(bytearray(16)).cast('d')",
    "'C'", "'F'", "'K'", "'same_kind'", "'unsafe'", "'raise'", "'wrap'", "'clip'", "'left'", "'stable'", "'f4'",
    "'bfloat16'", "'>f4'", "'O'", "'int99'",
]  # fmt: skip
HOST = [
    "np.arange(6.0)", "np.arange(6).reshape(2, 3).T", "np.array(['a', 'b'])",
    "np.array([None, 1], dtype=object)", "np.zeros(3, '>f8')", "np.zeros(2, [('a', 'f4'), ('b', 'i4')])",
    "np.array(['2020'], 'M8[D]')", "np.zeros((2, 0))", "np.broadcast_to(1.0, (3, 3))",
    "np.ma.masked_array([1, 2], [0, 1])", "np.float16(3)", "np.array(3)", "np.zeros(3, np.longdouble)",
    "np.arange(3, dtype='i8')[::-1]",
]  # fmt: skip


def array_source(rng):
    shape = rng.choice(SHAPES)
    text = f"cp.ones({shape}, {rng.choice(DTYPES)!r})"
    roll = rng.random()
    if roll < 0.15:
        text = f"cp.arange({rng.randint(0, 12)}, dtype={rng.choice('ifqd')!r})"
    elif roll < 0.25:
        view = rng.choice(["", ".T", "[:, ::-1]", "[::-1, 1:, ::2]", "[0, 0, 0]", "[1:0]"])
        text = f"cp.arange(24.0).reshape(2, 3, 4){view}"
    elif roll < 0.32:
        text = f"cp.broadcast_to(cp.arange(3), {rng.choice(['(2, 3)', '(3,)', '(0, 3)', '(1000, 3)'])})"
    elif roll < 0.36:
        text = f"cp.asarray({rng.choice(['np.arange(4.0)', 'np.zeros((2, 2))'])}, copy=False)"
    elif roll < 0.4:
        text = f"cp.ones({shape}, cp.bfloat16)"
    elif roll < 0.44:
        text = "cp.zeros(100_000)"
    return text if rng.random() < 0.7 else f"({text} * 2)"


def any_source(rng):
    roll = rng.random()
    if roll < 0.4:
        return array_source(rng)
    if roll < 0.58:
        return rng.choice(INTEGERS)
    if roll < 0.66:
        return rng.choice(FLOATS)
    if roll < 0.74:
        return rng.choice(SHAPES + BAD_SHAPES)
    if roll < 0.79:
        return rng.choice(HOST)
    if roll < 0.84:
        return "[" + ", ".join(any_source(rng) for _ in range(rng.randint(0, 3))) + "]"
    return rng.choice(ODD)


FUNCTIONS = sorted(name for name in cp.__all__ if callable(getattr(cp, name)) and name not in ("eager",))
UFUNCS = [name for name in FUNCTIONS if isinstance(getattr(cp, name), cp.ufunc)]
METHODS = sorted(
    name
    for name in dir(cp.ndarray)
    if name not in ("__class__", "__init_subclass__", "__del__", "__reduce_ex__")
)
KEYWORDS = [
    "axis", "out", "dtype", "keepdims", "where", "casting", "order", "initial", "ddof", "kind", "mode", "shape",
    "copy", "axes", "ndmin", "k", "side", "sorter", "decimals", "return_index", "weights", "indices", "device",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "@", "<", "<=", "==", "!=", "&", "|", "^", "<<", ">>"]


def keywords(rng):
    chosen = rng.sample(KEYWORDS, rng.choice([0, 0, 0, 1, 1, 2]))
    return [f"{name}={any_source(rng)}" for name in chosen]


def index_source(rng):
    items = [rng.choice(["0", "1", "-1", ":", "::2", "1:", "::-1", "None", "...", any_source(rng), any_source(rng)])
             for _ in range(rng.randint(1, 4))]  # fmt: skip
    return ", ".join(items)


def call_source(rng):
    """One random call, as source."""
    args = [any_source(rng) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]
    if args and rng.random() < 0.7:
        args[0] = array_source(rng)
    text = ", ".join(args + keywords(rng))
    kind = rng.randint(0, 9)
    if kind < 3:
        return f"cp.{rng.choice(FUNCTIONS)}({text})"
    if kind == 3:
        method = rng.choice(["reduce", "accumulate", "outer", "at", "reduceat", "__call__"])
        return f"cp.{rng.choice(UFUNCS)}.{method}({text})"
    if kind < 6:
        name = rng.choice(METHODS)
        if rng.random() < 0.2:
            return f"{array_source(rng)}.{name}"
        return f"{array_source(rng)}.{name}({text})"
    if kind == 6:
        return f"{array_source(rng)}[{index_source(rng)}]"
    if kind == 7:
        operator = rng.choice(["", "+", "*", "&"])
        return f"a = {array_source(rng)}; a[{index_source(rng)}] {operator}= {any_source(rng)}; r = a"
    if kind == 8:
        left, right = array_source(rng), any_source(rng)
        if rng.random() < 0.3:
            left, right = right, left
        return f"({left}) {rng.choice(OPERATORS)} ({right})"
    return f"a = {array_source(rng)}; a {rng.choice(OPERATORS[:8])}= {any_source(rng)}; r = a"


def touch(value, depth=0):
    """Reads what a call gave."""
    if isinstance(value, cp.ndarray):
        repr(value.dtype), value.strides, value.flags
        if value.size <= LIMIT:
            value.get()
            repr(value)
    elif isinstance(value, (tuple, list)) and depth < 3:
        for item in value[:8]:
            touch(item, depth + 1)


BROKEN = ("bad_cast", "nanobind", "unknown C++", "std::", "bad_function_call", "basic_string", "vector::")


def run(source):
    """A complaint about the call, or None."""
    scope = {"cp": cp, "np": np, "ml_dtypes": ml_dtypes, "Odd": Odd, "IndexOnly": IndexOnly}
    try:
        if source.startswith("a = "):
            exec(source, scope)
            touch(scope.get("r"))
        else:
            touch(eval(source, scope))
    except SystemError as error:
        return f"SystemError: {error}"
    except RecursionError:
        return None
    except Exception as error:
        text = str(error)
        if text.startswith("cuprum: the device cuda") and "cannot be used" in text:
            return None  # a device that this machine has not
        if isinstance(error, RuntimeError) or any(word in text for word in BROKEN):
            return f"{type(error).__name__}: {text}"
    return None


def main(log, seed, count):
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    faulthandler.enable()
    cp.get_default_memory_pool().set_limit(2 << 30)
    file = os.open(log, os.O_CREAT | os.O_TRUNC | os.O_RDWR)
    complaints = 0
    for i in range(count):
        rng = random.Random(f"{seed}/{i}")
        source = call_source(rng)
        os.ftruncate(file, 0)
        os.pwrite(file, source.encode(), 0)
        faulthandler.dump_traceback_later(30, exit=True)
        complaint = run(source)
        faulthandler.cancel_dump_traceback_later()
        if complaint:
            complaints += 1
            print(f"{source}\n    {complaint}", flush=True)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
