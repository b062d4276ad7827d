"""Random calls of everything public, as source, for tools/fuzz_binding.py: functions, classes, methods, attributes,
operators, indices. `call(rng)` gives a few statements; the result, if there is one, is in `r`.
"""

import re

import fuzz_values
import numpy as np

import cuprum as cp

MODULES = [
    "cp", "cp", "cp", "cp", "cp", "cp", "cp", "cp", "cp.cuda", "cp.cuda.runtime", "cp.cuda.memory", "cp.cupyx",
    "cp.cupyx", "cp.lib.stride_tricks", "cp.polynomial.polynomial", "cp.polynomial.polyutils",
    "cp.polynomial.chebyshev", "cp.polynomial.laguerre", "cp.emath", "cp.linalg", "cp.fft",
]  # fmt: skip

# Changes how the worker itself behaves, or runs for a minute by design.
SKIPPED = {"eager", "show_runtime", "set_printoptions", "DataSource", "benchmark", "transfer_guard"}

# One object of every class that users can meet, beside arrays and ufuncs.
OBJECTS = [
    "cp.get_default_memory_pool()", "cp.get_default_pinned_memory_pool()", "cp.cuda.PinnedMemory(64)",
    "cp.cuda.alloc_pinned_memory(64)", "cp.cuda.PinnedMemoryPool()", "cp.cuda.Memory(64)", "cp.ones(3).data",
    "cp.cuda.UnownedMemory(address(), 64, None)", "cp.Device()", "cp.Device('cpu')", "cp.cuda.Stream()",
    "cp.cuda.Stream.null", "cp.cuda.Event()", "cp.cuda.get_current_stream()", "A.flags", "A.flat", "iter(A)",
    "cp.errstate(all='ignore')", "cp.poly1d([1.0, 2.0])", "cp.vectorize(lambda x: x)", "cp.broadcast(A, 1)",
    "cp.polynomial.Legendre([1.0, 2.0])",
    "cp.ndindex(2, 3)", "cp.ndenumerate(A)", "cp.finfo('f4')", "cp.iinfo('i4')", "cp.frompyfunc(abs, 1, 1)",
    "cp.__array_namespace_info__()", "cp.printoptions(precision=3)", "cp.cuda.using_allocator()", "A.dtype",
    "cp.index_exp", "cp.s_", "cp.r_", "cp.c_", "cp.mgrid", "cp.ogrid", "A.device", "A.base", "cp.ones(3).T",
    "cp.bfloat16", "type('Sub', (cp.ndarray,), {})(3)", "cp.arange(3)[0]", "reversed(cp.arange(3))", "memoryview(A)",
]  # fmt: skip

# Asked for 2**31 arrays or bins, or for a polynomial of that degree, these begin to work, as NumPy does.
MAKES_AS_MANY = {"array_split", "split", "hsplit", "vsplit", "dsplit"}
MAKES_AS_MANY |= {"histogram", "histogram_bin_edges", "histogram2d", "histogramdd"}
HUGE = re.compile(r"2\*\*\d+( - 1)?|10\*\*40|1 << 9000")

# Iterating over these never ends, as with NumPy's: every index has an answer.
ENDLESS = {"cp.index_exp", "cp.s_", "cp.r_", "cp.c_", "cp.mgrid", "cp.ogrid"}

INTEGERS = [
    "0", "1", "2", "-1", "3", "-2", "7", "100", "-100", "2**31 - 1", "2**31", "-2**31", "2**32", "2**63 - 1",
    "2**63", "-2**63", "-2**63 - 1", "2**64 - 1", "2**64", "10**40", "1 << 9000", "True", "A.size", "np.int8(-3)",
    "np.uint64(2**63)",
]  # fmt: skip
FLOATS = [
    "0.0",
    "-0.0",
    "1.5",
    "-2.5",
    "float('nan')",
    "float('inf')",
    "1e300",
    "1e-320",
    "1j",
    "np.float32(2)",
]
SHAPES = ["()", "(3,)", "(2, 3)", "(0,)", "(2, 0, 3)", "(1, 4)", "(2, 2, 2)", "(1,) * 32", "(1,) * 64"]
BAD_SHAPES = [
    "(-1,)", "(2**40,)", "(2**62, 2)", "(2**32, 2**32)", "(1,) * 65", "(1.5,)", "('a',)", "[2, [3]]", "(2**63,)",
    "(10**40,)", "(0, 2**62, 2**62)", "(-2**63,)", "[1] * 1000",
]  # fmt: skip
WORDS = [
    "'abc'", "''", "b'bytes'", "'C'", "'F'", "'K'", "'A'", "'same_kind'", "'unsafe'", "'no'", "'raise'", "'wrap'",
    "'clip'", "'left'", "'right'", "'stable'", "'f4'", "'i8'", "'?'", "'bfloat16'", "'>f4'", "'O'", "'int99'",
    "'valid'", "'full'", "'reflect'", "'linear'", "'ij,jk'", "'cpu'", "'far'", "'cuda:99'", "'ignore'", "'auto'",
    "'\\ud800'", "'C\\ud800'", "'\\udfff' * 3", "'a\\0b'", "'x' * 9999", "'%s%n'", "'\\U0001f600'", "b'\\xff\\xfe'",
    "bytes(8)",
]  # fmt: skip
THINGS = [
    "None", "[]", "[1, 2, 3]", "[[1, 2], [3, 4]]", "[[1], [2, 3]]", "(1, 'a')", "{}", "{1: 2}", "set()", "object()",
    "L", "L", "A", "A", "B", "slice(None)", "slice(1, None, 2)", "slice(None, None, -1)", "slice(None, None, 0)",
    "slice('a', None)", "slice(2**70, -2**70)", "...", "NotImplemented", "range(3)", "iter([1, 2])",
    "(i for i in [1, 2])", "int", "float", "np.float32", "cp.ndarray", "np.dtype('f4')", "np.dtype('U5')",
    "np.dtype('M8[s]')", "np.dtype('O')", "np.dtype([('a', 'f4')])", "np.dtype(ml_dtypes.bfloat16)", "lambda *a: 1",
    "lambda *a: A", "cp", "cp.add", "np.add", "type", "loop()", "[loop(), loop()]", "deep(40)", "deep(65)",
    "deep(3000)", "deep(100000)", "deep(70, A)", "[A, loop()]", "(A, [A, [A]])",
]  # fmt: skip
BUFFERS = [
    "closed_mmap()", "released()", "bytearray(8)", "memoryview(bytearray(16)).cast('d')", "memoryview(B)",
    "memoryview(A)", "(ctypes.c_double * 4)()", "array.array('d', [1, 2])", "memoryview(bytes(16))[::-2]",
    "memoryview(b'')", "np.frombuffer(B, 'u1')", "mmap.mmap(-1, 64)",
]  # fmt: skip
HOST = [
    "np.arange(6.0)", "np.arange(6).reshape(2, 3).T", "np.array(['a', 'b'])", "np.array([None, 1], dtype=object)",
    "np.zeros(3, '>f8')", "np.zeros(2, [('a', 'f4'), ('b', 'i4')])", "np.array(['2020'], 'M8[D]')",
    "np.zeros((2, 0))", "np.broadcast_to(1.0, (3, 3))", "np.ma.masked_array([1, 2], [0, 1])", "np.float16(3)",
    "np.array(3)", "np.zeros(3, np.longdouble)", "np.arange(3, dtype='i8')[::-1]", "np.array([1, None])",
    "np.array(['\\ud800'])", "np.zeros(33, 'u1')[1:].view('f8')", "np.array([loop()], object)",
]  # fmt: skip
# What A is.
USED = [
    "cp.arange(24.0).reshape(2, 3, 4)",
    "cp.arange(6)",
    "cp.ones((2, 3), 'F')",
    "cp.zeros(5, '?')",
    "cp.ones(4) * 2",
]
DTYPES = ["?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d", "F", "D"]
KEYWORDS = [
    "axis", "out", "dtype", "keepdims", "where", "casting", "order", "initial", "ddof", "kind", "mode", "shape",
    "copy", "axes", "ndmin", "k", "side", "sorter", "decimals", "return_index", "weights", "indices", "device",
    "subok", "stream", "mean", "bins", "range", "method", "strides", "offset", "buffer", "like", "size", "fraction",
    "signature", "correction", "optimize", "n", "prepend", "edge_order",
]  # fmt: skip
BUILTINS = [
    "iter", "len", "bool", "float", "int", "complex", "hash", "repr", "list", "reversed", "memoryview", "bytes",
        "round",
    "format", "copy.copy", "copy.deepcopy", "pickle.dumps", "math.floor", "np.asarray", "np.sum", "np.sort",
    "np.concatenate",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "@", "<", "<=", "==", "!=", "&", "|", "^", "<<", ">>"]


# Fields of a DLPack tensor, right and wrong; of an array interface, wrong.
TENSORS = {
    "shape": ["(3,)", "(2, 3)", "()", "(0, 5)", "(-1,)", "(2**62, 4)", "(2**40, 2**40)", "(-2**63, 2)", "None"],
    "strides": ["None", "(1,)", "(3, 1)", "(-1,)", "(2**62, 2**62)", "(2**61,)", "(-2**63, -2**63)"],
    "versioned": ["True", "False"],
    "ndim": ["None", "0", "1", "-1", "65", "2**31 - 1"],
    "data": ["True", "False"],
    "dtype": ["(2, 64, 1)", "(2, 32, 1)", "(0, 8, 1)", "(5, 128, 1)", "(2, 64, 4)", "(9, 9, 9)", "(6, 8, 1)"],
    "device": ["(1, 0)", "(2, 0)", "(2, 99)", "(-7, -7)", "(3, 0)", "(10, 2**31 - 1)"],
    "offset": ["0", "8", "3", "2**64 - 1", "2**63"],
    "name": ["None", "'dltensor'", "'used_dltensor'", "'\\u00e9'", "'x'"],
    "version": ["(1, 0)", "(0, 0)", "(2, 0)", "(2**32 - 1, 0)"],
    "flags": ["0", "1", "2", "2**64 - 1"],
}  # fmt: skip
INTERFACES = {
    "data": ["None", "(2**64, False)", "(-1, False)", "(8, False)", "('a', 1)", "()", "(address(), 2)",
        "address()", "(None, False)"],
    "shape": ["None", "(-1,)", "(2**62, 8)", "(2**40, 2**40)", "5", "'a'", "(1,) * 65", "()", "(0,)", "HOSTILE"],
    "typestr": ["None", "'\\ud800'", "'|O'", "'>f8'", "'<f3'", "8", "'<f8'", "'|V8'", "b'<f8'"],
    "strides": ["(8,)", "(3,)", "(2**62,)", "(-2**63,)", "(8, 8)", "'a'", "()", "HOSTILE"],
    "version": ["None", "0", "3", "2**70", "'a'"],
    "stream": ["0", "1", "-1", "2**64", "'a'", "1.5"],
    "mask": ["None", "1"],
    "descr": ["None", "[]", "[('', '<f8')]"],
    "offset": ["0", "-1", "'a'"],
}  # fmt: skip


def array(rng):
    """The source of an array."""
    shape = rng.choice(SHAPES)
    text = f"cp.ones({shape}, {rng.choice(DTYPES)!r})"
    roll = rng.random()
    if roll < 0.3:
        return "A"
    if roll < 0.35:
        text = f"cp.arange({rng.randint(0, 12)}, dtype={rng.choice('ifqd')!r})"
    elif roll < 0.4:
        view = rng.choice(["", ".T", "[:, ::-1]", "[::-1, 1:, ::2]", "[0, 0, 0]", "[1:0]"])
        text = f"cp.arange(24.0).reshape(2, 3, 4){view}"
    elif roll < 0.45:
        text = f"cp.broadcast_to(cp.arange(3), {rng.choice(['(2, 3)', '(3,)', '(0, 3)', '(1000, 3)'])})"
    elif roll < 0.49:
        text = f"cp.asarray({rng.choice(['np.arange(4.0)', 'np.zeros((2, 2))'])}, copy=None)"
    elif roll < 0.53:
        text = f"cp.ones({shape}, cp.bfloat16)"
    elif roll < 0.55:
        text = "cp.zeros(2_000)"
    return text if rng.random() < 0.7 else f"({text} * 2)"


def hostile(rng):
    """The source of an object whose protocols misbehave."""
    names = rng.sample(list(fuzz_values.PROTOCOLS), rng.choice([1, 1, 2, 3, 6]))
    base = rng.choice(fuzz_values.BASES) if rng.random() < 0.4 else "object"
    return f"odd({base!r}, {' '.join(names)!r}, {rng.choice(fuzz_values.MODES)!r}, {rng.randint(0, 200)})"


def capsule(rng):
    """The source of a DLPack capsule, or of an object that gives one."""
    # Strides and dimensions that reach beyond the real memory without being absurd are no test: nobody could know.
    chosen = {name: rng.choice(TENSORS[name]) for name in rng.sample(list(TENSORS), rng.choice([1, 1, 2, 3]))}
    if chosen.get("ndim", "None") not in ("None", "0", "-1", "65", "2**31 - 1"):
        chosen.pop("shape", None)
        chosen.pop("strides", None)
    if "strides" in chosen:
        chosen["shape"] = "(2, 3)" if "," in chosen["strides"].replace(",)", "") else "(3,)"
        if chosen["strides"] in ("(-1,)",):
            chosen.pop("strides")
    text = f"capsule({', '.join(f'{name}={value}' for name, value in chosen.items())})"
    device = rng.choice(["(1, 0)", "(2, 0)", "None", "(1,)", anything(rng, 9)])
    return text if rng.random() < 0.5 else f"Producer({text}, {device})"


def interface(rng):
    """The source of an object with a malformed array interface."""
    names = rng.sample(list(INTERFACES), rng.choice([1, 1, 2]))
    cuda = rng.random() < 0.7
    if not cuda:  # NumPy reads these itself, and believes addresses and strides
        names = [name for name in names if name in ("typestr", "version", "mask")]
    changes = ", ".join(f"{name}={rng.choice(INTERFACES[name])}" for name in names)
    return f"Interface({cuda}, {changes})".replace("HOSTILE", hostile(rng))


def anything(rng, depth=0):
    """The source of any value."""
    roll = rng.random()
    if roll < 0.26:
        return array(rng)
    if roll < 0.40:
        return rng.choice(INTEGERS)
    if roll < 0.45:
        return rng.choice(FLOATS)
    if roll < 0.52:
        return rng.choice(SHAPES + BAD_SHAPES)
    if roll < 0.56:
        return rng.choice(HOST)
    if roll < 0.59:
        return rng.choice(BUFFERS)
    if roll < 0.61 and depth < 3:
        return capsule(rng) if rng.random() < 0.5 else interface(rng)
    if roll < 0.66 and depth < 3:
        items = ", ".join(anything(rng, depth + 1) for _ in range(rng.randint(0, 3)))
        return rng.choice(
            ["[{}]", "({},)" if items else "()", "{{'a': [{}]}}", "dict(enumerate([{}]))"]
        ).format(items)
    if roll < 0.80:
        return hostile(rng)
    return rng.choice(WORDS) if roll < 0.9 else rng.choice(THINGS)


def _arguments(rng, array_first=True):
    args = [anything(rng) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]
    if args and array_first and rng.random() < 0.6:
        args[0] = array(rng)
    names = rng.sample(KEYWORDS, rng.choice([0, 0, 0, 1, 1, 2]))
    args += [f"{name}={anything(rng)}" for name in names]
    if rng.random() < 0.02:
        args.append(f"**{{'\\ud800': {anything(rng)}}}")
    if rng.random() < 0.01:
        args.append(
            f"**{{odd('str', 'equal hash str', {rng.choice(fuzz_values.MODES)!r}, {rng.randint(0, 99)}): 1}}"
        )
    if rng.random() < 0.005:
        args.append("**{f'k{i}': i for i in range(1500)}")
    return ", ".join(args)


def _index(rng):
    items = [
        rng.choice(["0", "1", "-1", ":", "::2", "1:", "::-1", "None", "...", anything(rng), anything(rng)])
        for _ in range(rng.randint(1, 4))
    ]
    return ", ".join(items)


def _public(path):
    module = eval(path, {"cp": cp})
    names = getattr(module, "__all__", None) or dir(module)
    return sorted(
        n for n in names if not n.startswith("_") and callable(getattr(module, n)) and n not in SKIPPED
    )


def _members(source):
    """Names of methods and attributes of the object that `source` makes."""
    scope = {name: getattr(fuzz_values, name) for name in ("address", "host_address")}
    scope |= {"cp": cp, "np": np, "A": cp.arange(24.0).reshape(2, 3, 4)}
    skipped = ("__class__", "__init_subclass__", "__subclasshook__", "__del__", "__dict__")
    try:
        return sorted(name for name in dir(eval(source, scope)) if name not in skipped)
    except Exception:  # not on this device
        return []


FUNCTIONS = {path: _public(path) for path in sorted(set(MODULES))}
UFUNCS = [name for name in FUNCTIONS["cp"] if isinstance(getattr(cp, name), cp.ufunc)]
METHODS = _members("A")
OBJECT_MEMBERS = {source: names for source in OBJECTS if (names := _members(source))}


def _member_call(rng, source, name):
    """A method called, or an attribute read, set or deleted; now and then of a wrong self."""
    roll = rng.random()
    if roll < 0.1:
        return f"r = {source}.{name}"
    if roll < 0.15:
        return f"a = {source}; a.{name} = {anything(rng)}; r = a"
    if roll < 0.17:
        return f"a = {source}; del a.{name}; r = a"
    if 0.27 <= roll < 0.29:
        return f"r = type({source}).__dict__[{name!r}].__get__({anything(rng)})"
    arguments = _arguments(rng, False)
    if name == "__pow__" or source.startswith("cp.polynomial."):
        arguments = HUGE.sub("50", arguments)
    return f"r = {f'type({source})' if roll < 0.27 else source}.{name}({arguments})"


def _statement(rng):
    kind = rng.randint(0, 11)
    if kind < 3:
        path = rng.choice(MODULES)
        name, arguments = rng.choice(FUNCTIONS[path]), _arguments(rng)
        many = name in MAKES_AS_MANY or path.startswith("cp.polynomial.")
        return f"r = {path}.{name}({HUGE.sub('50', arguments) if many else arguments})"
    if kind == 3:
        method = rng.choice(["reduce", "accumulate", "outer", "at", "reduceat", "__call__", "resolve_dtypes"])
        return f"r = cp.{rng.choice(UFUNCS)}.{method}({_arguments(rng)})"
    if kind < 6:
        return _member_call(rng, array(rng), rng.choice(METHODS))
    if kind == 6:
        source = rng.choice(list(OBJECT_MEMBERS))
        return _member_call(rng, source, rng.choice(OBJECT_MEMBERS[source]))
    if kind == 7:
        source = array(rng) if rng.random() < 0.8 else rng.choice(list(OBJECT_MEMBERS))
        return f"r = {source}[{_index(rng)}]"
    if kind == 8:
        operator = rng.choice(["", "+", "*", "&"])
        return f"a = {array(rng)}; a[{_index(rng)}] {operator}= {anything(rng)}; r = a"
    if kind == 9:
        left, right = array(rng), anything(rng)
        if rng.random() < 0.3:
            left, right = right, left
        return f"r = ({left}) {rng.choice(OPERATORS)} ({right})"
    if kind == 10:
        return f"a = {array(rng)}; a {rng.choice(OPERATORS[:8])}= {anything(rng)}; r = a"
    value = array(rng) if rng.random() < 0.5 else rng.choice([o for o in OBJECT_MEMBERS if o not in ENDLESS])
    return f"r = {rng.choice(BUILTINS)}({value})"


def call(rng):
    """One random call, with what it uses before it."""
    statement = _statement(rng)
    lines = []
    if "A" in statement.replace("'A'", ""):
        lines.append(f"A = {rng.choice(USED)}")
    if "L" in statement or "mutate" in statement:
        lines.append(f"L = [1, {hostile(rng)}, 3]" if rng.random() < 0.5 else "L = [0, 1]")
    if "B" in statement:
        lines.append("B = bytearray(64)")
    return "; ".join([*lines, statement])
