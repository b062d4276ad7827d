"""The steps that random programs are made of. Each function looks at NumPy's state and gives one Step or None."""

import numpy as np
from programs import Program, State, Step, chooser, quiet

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
WEIGHTS = [4, 2, 2, 5, 6, 3, 1, 2, 2, 2, 8, 9, 2, 2]
SPACES = [(5,), (1,), (3, 4), (2, 3, 4), (0, 3), (4, 1, 2), (7,), (2, 2, 2, 2), (16,), (6, 6), ()]
LARGE = [(3000,), (20000,), (50, 70), (7, 1001), (130, 37), (1025,), (64, 64), (9, 11, 50), (4099,), (3, 2048)]

ARITHMETIC = [("+", "add", "add"), ("-", "subtract", "add"), ("*", "multiply", "mul")]
EXACT_BINARY = [("/", "divide"), ("//", "floor_divide"), ("%", "remainder"), ("<", "less"), ("<=", "less_equal"),
                (">", "greater"), (">=", "greater_equal"), ("==", "equal"), ("!=", "not_equal"),
                ("&", "bitwise_and"), ("|", "bitwise_or"), ("^", "bitwise_xor"), ("<<", "left_shift"),
                (">>", "right_shift"), (None, "fmod"), (None, "logical_and"), (None, "logical_or"),
                (None, "logical_xor"), (None, "copysign"), (None, "gcd"), (None, "lcm"), (None, "heaviside"),
                (None, "nextafter"), (None, "fmax"), (None, "fmin"), (None, "maximum"), (None, "minimum")]
EXACT_UNARY = ["sign", "floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite", "signbit", "logical_not",
               "invert", "square", "sqrt", "fabs", "reciprocal", "bitwise_count", "spacing"]
SMOOTH_UNARY = ["negative", "positive", "conjugate", "absolute"]
ULP_UNARY = ["sin", "cos", "tan", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sinh", "cosh", "tanh",
             "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh", "cbrt", "deg2rad", "rad2deg"]
ULP_BINARY = ["arctan2", "hypot", "logaddexp", "logaddexp2", "power", "float_power"]


class Maker:
    """Makes one program; `rng` decides everything."""

    def __init__(self, rng, shared=()):
        self.rng = rng
        self.state = State(shared)
        self.space = rng.choice(LARGE if rng.random() < 0.2 else SPACES)
        self.steps = []

    # -- choosing -----------------------------------------------------------------------------------------

    def dtype(self):
        return self.rng.choices(DTYPES, WEIGHTS)[0]

    def shape(self):
        """A suffix of the program's space with some dimensions 1: most shapes broadcast together."""
        space = self.space
        keep = self.rng.randint(0, len(space)) if self.rng.random() < 0.25 else len(space)
        return tuple(1 if self.rng.random() < 0.1 else d for d in space[len(space) - keep :])

    def name(self, accept=lambda v: True, exact=False):
        pool = [n for n, v in self.state.values.items()
                if accept(v) and not (exact and self.state.bounds.get(n, 0.0))]
        return self.rng.choice(pool) if pool else None

    def writable(self, exact=False):
        return self.name(lambda v: isinstance(v, np.ndarray) and v.flags.writeable and not self.state.is_shared(v),
                         exact)

    def value(self, name):
        return self.state.values[name]

    def scalar(self, value=None):
        """A Python scalar, sometimes a NumPy one."""
        kind = np.asarray(value).dtype.kind if value is not None else "f"
        roll = self.rng.random()
        if roll < 0.06:
            return f"np.{self.rng.choice(['float32', 'int16', 'uint8', 'float64', 'int64'])}({self.rng.randint(0, 5)})"
        if roll < 0.10:
            return self.rng.choice(["True", "False"])
        if roll < 0.13:
            return self.rng.choice(["300", "-1", "70000", "2**40", "-2**63", "1e10", "0"])
        if roll < 0.16:
            return self.rng.choice(["1j", "(2-0.5j)"])
        if kind in "fc" and roll < 0.6:
            return self.rng.choice(["0.5", "2.0", "-1.5", "0.25", "3.0"])
        return str(self.rng.randint(-3, 7)) if kind != "u" else str(self.rng.randint(0, 7))

    def operand(self, like=None, exact=False):
        """(text, name or None) of a second operand."""
        if self.rng.random() < 0.35:
            return self.scalar(like), None
        name = self.name(exact=exact)
        return (name, name) if name else (self.scalar(like), None)

    def axis(self, value, allow_none=True):
        nd = np.ndim(value)
        if allow_none and self.rng.random() < 0.3 or nd == 0:
            return "None"
        if nd > 1 and self.rng.random() < 0.2:
            axes = self.rng.sample(range(nd), self.rng.randint(1, nd))
            return repr(tuple(a - nd if self.rng.random() < 0.3 else a for a in axes))
        return str(self.rng.randint(-nd, nd - 1))

    def one_axis(self, value):
        nd = np.ndim(value)
        return self.rng.randint(-nd, nd - 1) if nd else 0

    def slice_text(self, n):
        rng = self.rng
        roll = rng.random()
        if roll < 0.25:
            return ":"
        step = rng.choice(["", "", ":2", ":-1", ":-2", ":3"])
        ends = [str(rng.randint(-n, n)) if n and rng.random() < 0.4 else "" for _ in range(2)]
        return f"{ends[0]}:{ends[1]}{step}"

    def index_text(self, value, integers=True):
        """A basic index."""
        rng, parts = self.rng, []
        for n in np.shape(value)[: rng.randint(0, np.ndim(value))]:
            roll = rng.random()
            if integers and roll < 0.25 and n:
                parts.append(str(rng.randint(-n, n - 1)))
            else:
                parts.append(self.slice_text(n))
        if rng.random() < 0.15:
            parts.insert(rng.randint(0, len(parts)), "None")
        if rng.random() < 0.15:
            parts.insert(rng.randint(0, len(parts)), "...")
            if rng.random() < 0.5:
                parts = parts[parts.index("...") :] if np.ndim(value) >= len(parts) else parts
        return ", ".join(parts) or "..."

    def indices(self, n, count=None):
        count = self.rng.randint(0, 6) if count is None else count
        return [self.rng.randint(-n, n - 1) for _ in range(count)] if n else []

    def bind(self, text, rule, *operands):
        name = self.state.new_name()
        return Step(f"{name} = {text}", result=name, operands=tuple(o for o in operands if o), rule=rule)

    # -- steps --------------------------------------------------------------------------------------------

    def create(self):
        rng, shape, dtype = self.rng, self.shape(), self.dtype()
        if rng.random() < 0.75 or not self.steps:
            kind = rng.choices(["small", "wide", "positive", "special"], [6, 3, 1, 1])[0]
            text = f"data({dtype!r}, {shape}, {kind!r}, {rng.randint(0, 9999)})"
            if rng.random() < 0.15:
                text += rng.choice([".T", "[...]", ".copy()"]) if shape else ""
            return self.bind(text, "exact")
        n = shape[-1] if shape else 3
        text = rng.choice([
            f"xp.zeros({shape}, {dtype!r})", f"xp.ones({shape}, {dtype!r})", f"xp.zeros({shape}, {dtype!r}, order='F')",
            f"xp.full({shape}, {rng.randint(0, 5)}, {dtype!r})", f"xp.full({shape}, {rng.choice(['2', '0.5', 'True'])})",
            f"xp.arange({n})", f"xp.arange({n}, dtype={dtype if dtype != '?' else 'i4'!r})",
            f"xp.arange({rng.randint(-5, 5)}, {rng.randint(0, 40)}, {rng.choice([1, 2, 3])})",
            f"xp.arange({n}).reshape({(n, 1)})", f"xp.eye({min(n, 70)})", f"xp.eye({min(n, 70)}, 3, 1, {dtype!r})",
        ])
        return self.bind(text.replace("dtype=f", "dtype='f").replace("''", "'"), "exact")

    def like(self):
        name = self.name()
        text = self.rng.choice([f"xp.zeros_like({name})", f"xp.ones_like({name})", f"xp.full_like({name}, 3)",
                                f"xp.zeros_like({name}, dtype='f4')"])
        return self.bind(text, "exact")

    def arithmetic(self):
        symbol, function, rule = self.rng.choice(ARITHMETIC)
        a = self.name()
        text, b = self.operand(self.value(a))
        if b and self.rng.random() < 0.2:
            a, b, text = b, a, a
        return self.binary_text(symbol, function, a, text, rule, b)

    def binary_text(self, symbol, function, a, text, rule, b):
        rng = self.rng
        if symbol and rng.random() < 0.75:
            left, right = (a, text) if rng.random() < 0.7 else (text, a)
            return self.bind(f"{left} {symbol} {right}", rule, a, b)
        extra = ""
        if rng.random() < 0.08:
            extra = f", dtype={rng.choice(['f4', 'f8', 'i8', 'c16'])!r}"
            extra += ", casting='unsafe'" if rng.random() < 0.1 and rule == "exact" and False else ""
        return self.bind(f"xp.{function}({a}, {text}{extra})", rule, a, b)

    def exact_binary(self):
        symbol, function = self.rng.choice(EXACT_BINARY)
        a = self.name(exact=True)
        if a is None:
            return None
        text, b = self.operand(self.value(a), exact=True)
        return self.binary_text(symbol, function, a, text, "exact", b)

    def power(self):
        a = self.name(exact=True)
        if a is None:
            return None
        kind = np.asarray(self.value(a)).dtype.kind
        exponent = self.rng.choice(["2", "3", "0", "1", "2.0", "0.5", "-1", "2.5", "np.uint8(2)"])
        return self.bind(f"{a} ** {exponent}", "ulp:8" if kind in "fc" else "ulp:4", a)

    def exact_unary(self):
        function = self.rng.choice(EXACT_UNARY)
        a = self.name(exact=True)
        return a and self.bind(f"xp.{function}({a})", "exact", a)

    def smooth_unary(self):
        function = self.rng.choice(SMOOTH_UNARY)
        a = self.name()
        if function == "negative" and self.rng.random() < 0.7:
            return self.bind(f"-{a}", "move", a)
        rule = "ulp:4" if function == "absolute" and np.asarray(self.value(a)).dtype.kind == "c" else "move"
        return self.bind(f"xp.{function}({a})" if self.rng.random() < 0.8 or function == "conjugate" else f"abs({a})"
                         if function == "absolute" else f"+{a}", rule, a)

    def transcendental(self):
        a = self.name(exact=True)
        if a is None:
            return None
        if self.rng.random() < 0.25:
            b = self.name(exact=True)
            return self.bind(f"xp.{self.rng.choice(ULP_BINARY)}({a}, {b})", "ulp:16", a, b)
        value = np.asarray(self.value(a))
        if value.dtype.kind == "c":
            finite = np.isfinite(value).all() and (np.abs(value) < 20).all()
            return self.bind(f"xp.{self.rng.choice(['exp', 'sin', 'cos', 'sqrt'])}({a})", "ulp:64", a) if finite else None
        return self.bind(f"xp.{self.rng.choice(ULP_UNARY)}({a})", "ulp:16", a)

    def expression(self):
        """A tree of exact operations whose intermediates die at once."""
        names = []

        def leaf():
            if self.rng.random() < 0.25:
                return self.rng.choice(["2", "0.5", "3.0", "1"])
            name = self.name(lambda v: np.asarray(v).dtype.kind != "c", exact=True)
            names.append(name)
            return name

        def tree(depth):
            if depth == 0 or self.rng.random() < 0.15:
                return leaf()
            roll = self.rng.random()
            if roll < 0.55:
                return f"({tree(depth - 1)} {self.rng.choice('+-*/+*')} {tree(depth - 1)})"
            if roll < 0.75:
                return f"xp.{self.rng.choice(['sqrt', 'absolute', 'square', 'negative', 'floor'])}({tree(depth - 1)})"
            if roll < 0.9:
                return f"xp.{self.rng.choice(['maximum', 'minimum', 'fmax'])}({tree(depth - 1)}, {tree(depth - 1)})"
            return f"xp.where({tree(depth - 1)} > {leaf()}, {tree(depth - 1)}, {tree(depth - 1)})"

        text = tree(self.rng.randint(2, 4))
        if not names or None in names:
            return None
        # Trees of scalars alone are Python's arithmetic, not ours.
        return self.bind(f"xp.add({names[0]}, {text})", "exact", *dict.fromkeys(names))

    def view(self):
        rng, a = self.rng, self.name()
        value = self.value(a)
        nd, size = np.ndim(value), np.size(value)
        options = ["index"] * 6 + ["T", "ravel", "reshape", "newaxis", "alias"]
        if nd >= 2:
            options += ["transpose", "swapaxes", "moveaxis", "flip", "diagonal"]
        if nd:
            options += ["squeeze", "flip"]
        options += ["broadcast", "expand", "real"]
        kind = rng.choice(options)
        if kind == "index":
            if isinstance(value, np.generic):
                return None
            text = f"{a}[{self.index_text(value)}]"
        elif kind == "T":
            text = f"{a}.T"
        elif kind == "ravel":
            text = rng.choice([f"{a}.ravel()", f"xp.ravel({a})", f"{a}.ravel('F')", f"{a}.ravel('K')", f"{a}.flatten()"])
        elif kind == "reshape":
            text = f"{a}.reshape({rng.choice([self.new_shape(size), (-1,), np.shape(value)[::-1]])})"
        elif kind == "newaxis":
            text = f"xp.asarray({a})[{rng.choice(['None', '..., None', 'None, ..., None'])}]"
        elif kind == "alias":
            text = a
        elif kind == "transpose":
            text = f"{a}.transpose({tuple(rng.sample(range(nd), nd))})"
        elif kind == "swapaxes":
            text = f"xp.swapaxes({a}, {self.one_axis(value)}, {self.one_axis(value)})"
        elif kind == "moveaxis":
            text = f"xp.moveaxis({a}, {self.one_axis(value)}, {self.one_axis(value)})"
        elif kind == "diagonal":
            text = f"xp.diagonal({a}, {rng.randint(-1, 1)})"
        elif kind == "squeeze":
            text = f"xp.squeeze({a})"
        elif kind == "flip":
            text = f"xp.flip({a}, {self.one_axis(value)})"
        elif kind == "broadcast":
            text = f"xp.broadcast_to({a}, {(rng.randint(1, 3),) + np.shape(value)})" if size < 20000 else f"{a}.T"
        elif kind == "expand":
            text = f"xp.expand_dims({a}, {rng.randint(0, nd)})"
        else:
            text = f"{a}.{rng.choice(['real', 'imag'])}" if np.asarray(value).dtype.kind == "c" else f"{a}.real"
        return self.bind(text, "view", a)

    def new_shape(self, size):
        for d in self.rng.sample([2, 3, 4, 5, 7], 5):
            if size and size % d == 0:
                return (d, size // d)
        return (size, 1)

    def inplace(self):
        a = self.name(lambda v: isinstance(v, np.generic) or v.flags.writeable and not self.state.is_shared(v))
        if a is None or a.startswith("s"):
            return None
        if self.rng.random() < 0.7:
            symbol, _, rule = self.rng.choice(ARITHMETIC)
            exact = False
        else:
            symbol, rule, exact = self.rng.choice(["/", "//", "%", "&", "|", "^", "<<", ">>", "**"]), "exact", True
            if symbol == "**":
                rule = "ulp:8"
        if exact and self.state.bounds.get(a):
            return None
        text, b = self.operand(self.value(a), exact=exact)
        if symbol == "**" and b is None:
            text = self.rng.choice(["2", "3", "2", "0.5", "1"])
        elif symbol == "**":
            return None
        return Step(f"{a} {symbol}= {text}", target=a, operands=(a, b) if b else (a,), rule=rule)

    def out(self):
        """A ufunc that writes into an existing array, with or without a mask."""
        a, target = self.name(), self.writable()
        if target is None:
            return None
        _, function, rule = self.rng.choice(ARITHMETIC)
        text, b = self.operand(self.value(a))
        mask = None
        if self.rng.random() < 0.3:
            mask = self.name(lambda v: np.asarray(v).dtype.kind == "b", exact=True)
        where = f", where={mask}" if mask else ""
        operands = tuple(n for n in (a, b, target) if n)
        return Step(f"xp.{function}({a}, {text}, out={target}{where})", target=target, operands=operands, rule=rule)

    def fits(self, value, target):
        """May `value` be cast to target's dtype with a defined result?"""
        value, target = np.asarray(value), np.asarray(target).dtype
        if value.dtype.kind in "fc" and target.kind in "iu":
            info, real = np.iinfo(target), value.real
            return bool(np.isfinite(real).all() and (value.size == 0 or (info.min <= real.min() and real.max() < info.max)))
        return True

    def write_slice(self):
        """Basic-index writes, often from an overlapping slice of the same array."""
        rng, a = self.rng, self.writable()
        if a is None:
            return None
        value = self.value(a)
        symbol, rule = rng.choice([("", "move"), ("+", "add"), ("-", "add"), ("*", "mul")])
        if rng.random() < 0.5 and value.ndim and value.shape[0] > 1:
            shift = rng.randint(1, min(3, value.shape[0] - 1))
            pairs = [(f"{shift}:", f":-{shift}"), (f":-{shift}", f"{shift}:"), ("::-1", ":"), (":", "::-1")]
            to, source = rng.choice(pairs)
            extra = rng.choice(["", "", " * 2", " + 1"])
            if extra and rule == "move":
                rule = "mul" if "*" in extra else "add"
            return Step(f"{a}[{to}] {symbol}= {a}[{source}]{extra}", target=a, operands=(a,), rule=rule)
        index = self.index_text(value)
        text, b = self.operand(value)
        if b and not self.fits(self.value(b), value):
            return None
        if b is None and "j" in text and value.dtype.kind not in "c":
            return None
        if b is None and value.dtype.kind in "iu" and text.startswith("1e"):
            return None
        if b and self.state.bounds.get(b) and value.dtype.kind not in "fc":
            return None
        return Step(f"{a}[{index}] {symbol}= {text}", target=a, operands=(a, b) if b else (a,), rule=rule)

    def mask_text(self, a):
        """A mask of the shape of `a` that depends on exact values only."""
        value = self.value(a)
        masks = self.name(lambda v: isinstance(v, np.ndarray) and v.dtype.kind == "b" and v.shape == np.shape(value))
        if masks and self.rng.random() < 0.5:
            return masks
        if self.state.bounds.get(a) or isinstance(value, np.generic):
            return None
        return f"{a} {self.rng.choice(['>', '<=', '!='])} {self.rng.randint(-2, 3)}"

    def mask_read(self):
        a = self.name(lambda v: isinstance(v, np.ndarray))
        mask = a and self.mask_text(a)
        if not mask:
            return None
        text = f"{a}[{mask}]" if self.rng.random() < 0.8 else f"xp.compress(xp.ravel({mask}), {a})"
        return self.bind(text, "move", a)

    def mask_write(self):
        a = self.writable()
        mask = a and self.mask_text(a)
        if not mask:
            return None
        symbol, rule = self.rng.choice([("", "move"), ("+", "add"), ("*", "mul")])
        scalar = self.rng.choice(["0", "1", "2", "True"])
        return Step(f"{a}[{mask}] {symbol}= {scalar}", target=a, operands=(a,), rule=rule)

    def gather(self):
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.ndim > 0)
        if a is None:
            return None
        value = self.value(a)
        n = value.shape[0]
        indices = self.indices(n)
        form = rng.choice(["list", "array", "take", "pair", "mixed", "take_along"])
        if form == "list":
            text = f"{a}[{indices if indices else '[]'}]" if indices else f"{a}[xp.asarray([], dtype='i8')]"
        elif form == "array":
            text = f"{a}[xp.asarray({indices}, dtype={rng.choice(['i8', 'i4', 'i1'])!r})]" if n < 127 else f"{a}[{[0]}]"
        elif form == "take":
            axis = self.one_axis(value)
            text = f"xp.take({a}, {self.indices(value.shape[axis], 3) or [[]]}, axis={axis})"
            if value.shape[axis] == 0:
                return None
        elif form == "pair" and value.ndim > 1 and min(value.shape[:2]):
            count = rng.randint(1, 4)
            text = f"{a}[{self.indices(n, count)}, {self.indices(value.shape[1], count)}]"
        elif form == "mixed" and value.ndim > 1 and n:
            rest = rng.choice([":", "::-1", "None", "...", "1:"])
            text = f"{a}[{self.indices(n, 2)}, {rest}]" if rng.random() < 0.5 else f"{a}[{rest}, {self.indices(value.shape[-1], 2) or [0]}]"
        elif form == "take_along" and value.ndim and value.size and not self.state.bounds.get(a):
            axis = self.one_axis(value)
            text = f"xp.take_along_axis({a}, xp.argsort({a}, axis={axis}, kind='stable'), axis={axis})"
        else:
            return None
        return self.bind(text, "move", a)

    def scatter(self):
        a = self.writable()
        if a is None or self.value(a).ndim == 0 or self.value(a).shape[0] == 0:
            return None
        n = self.value(a).shape[0]
        indices = self.indices(n, self.rng.randint(1, 4))
        form = self.rng.choice(["set", "add", "at"])
        if form == "at":
            return Step(f"xp.add.at({a}, {indices}, 1)", target=a, operands=(a,), rule="add")
        if form == "set":  # with repeated indices the last one wins
            return Step(f"{a}[{indices}] = {self.rng.randint(0, 3)}", target=a, operands=(a,), rule="move")
        return Step(f"{a}[{indices}] += 1", target=a, operands=(a,), rule="add")

    def reduction(self):
        rng, a = self.rng, self.name()
        value = np.asarray(self.value(a))
        inexact = bool(self.state.bounds.get(a))
        real = value.dtype.kind != "c"
        functions = [("sum", "sum"), ("mean", "mean"), ("sum", "sum"), ("var", "var"), ("std", "std")]
        if real:
            functions += [("max", "move"), ("min", "move"), ("ptp", "add")]
        if not inexact:
            functions += [("any", "exact"), ("all", "exact"), ("count_nonzero", "exact")]
            if real:
                functions += [("argmax", "exact"), ("argmin", "exact"), ("nansum", "sum"), ("nanmax", "move")]
            if value.dtype.kind in "iub" or value.size <= 12:
                functions += [("prod", "ulp:64")]
        function, rule = rng.choice(functions)
        axis = self.axis(value)
        if function in ("argmax", "argmin") and axis.startswith("("):
            axis = "0"
        keep = ", keepdims=True" if rng.random() < 0.3 else ""
        if value.dtype.kind == "f" and value.itemsize == 2 and rule in ("var", "std", "sum") and value.size > 64:
            return None
        method = function not in ("count_nonzero", "nansum", "nanmax", "ptp") and rng.random() < 0.5
        text = f"{a}.{function}(axis={axis}{keep})" if method else f"xp.{function}({a}, axis={axis}{keep})"
        if function == "sum" and rng.random() < 0.15:
            text = f"xp.sum({a}, axis={axis}, dtype={rng.choice(['f8', 'i8', 'f4'])!r})" if self.fits(value, 0) and real else text
        return self.bind(text, rule, a)

    def normalise(self):
        """A reduction with keepdims, broadcast back over what it reduced."""
        a = self.name(lambda v: isinstance(v, np.ndarray) and v.ndim and v.dtype.kind in "f" and v.itemsize > 2 and v.size)
        if a is None:
            return None
        axis = self.one_axis(self.value(a))
        form = self.rng.choice(["mean", "max", "sum"])
        return self.bind(f"{a} - {a}.{form}(axis={axis}, keepdims=True)", "sum" if form != "max" else "add", a)

    def scan(self):
        a = self.name(lambda v: np.size(v) < 3000)
        if a is None:
            return None
        value = np.asarray(self.value(a))
        axis = "None" if value.ndim == 0 or self.rng.random() < 0.3 else str(self.one_axis(value))
        if value.dtype.kind in "iub" and self.rng.random() < 0.3:
            return self.bind(f"xp.cumprod({a}, axis={axis})", "exact", a)
        if value.dtype.kind in "iuf" and self.rng.random() < 0.2 and not self.state.bounds.get(a) and value.ndim:
            return self.bind(f"xp.maximum.accumulate({a}, axis={self.one_axis(value)})", "exact", a)
        if value.dtype.kind == "f" and value.itemsize == 2 and value.size > 64:
            return None
        return self.bind(f"xp.cumsum({a}, axis={axis})", "sum", a)

    def sort(self):
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.ndim)
        if a is None:
            return None
        value, exact = self.value(a), not self.state.bounds.get(a)
        axis = rng.choice([str(self.one_axis(value)), "-1", "None"])
        forms = ["sort", "method"] + (["argsort", "unique", "searchsorted", "nonzero"] if exact else [])
        form = rng.choice(forms)
        if value.dtype.kind == "c" and not exact:
            return None
        if form == "sort":
            return self.bind(f"xp.sort({a}, axis={axis})", "move", a)
        if form == "method":
            if not (value.flags.writeable and not self.state.is_shared(value)):
                return None
            return Step(f"{a}.sort(axis={self.one_axis(value)})", target=a, operands=(a,), rule="move")
        if form == "argsort":
            return self.bind(f"xp.argsort({a}, axis={axis}, kind='stable')", "exact", a)
        if form == "unique":
            return self.bind(f"xp.unique({a})", "exact", a)
        if form == "nonzero":
            return self.bind(f"{a}.nonzero()[0]", "exact", a)
        return self.bind(f"xp.searchsorted(xp.sort({a}, axis=None), {a})", "exact", a)

    def where(self):
        rng = self.rng
        condition = self.name(lambda v: np.asarray(v).dtype.kind == "b", exact=True)
        a = self.name()
        if condition is None:
            c = self.name(lambda v: np.asarray(v).dtype.kind != "c", exact=True)
            if c is None:
                return None
            condition = f"{c} > {rng.randint(-1, 2)}"
        text, b = self.operand(self.value(a))
        return self.bind(f"xp.where({condition}, {a}, {text})", "move", a, b)

    def convert(self):
        rng, a = self.rng, self.name()
        value = np.asarray(self.value(a))
        roll = rng.random()
        if roll < 0.45:
            target = np.dtype(self.dtype())
            if self.state.bounds.get(a) and target.kind not in "fc" or not self.fits(value, np.zeros((), target)):
                return None
            return self.bind(f"xp.asarray({a}).astype({target.str[1:]!r})", "move", a)
        text = rng.choice([f"{a}.copy()", f"xp.array({a})", f"xp.ascontiguousarray({a})", f"xp.asfortranarray({a})",
                           f"xp.copy({a})", f"xp.asarray(host({a}))", f"xp.array({a}, order='F')", f"xp.asarray({a})",
                           f"xp.asarray(host({a}), dtype='c16')"])
        return self.bind(text, "view", a)

    def rounding(self):
        a = self.name(lambda v: np.asarray(v).dtype.kind != "c")
        if a is None:
            return None
        if self.rng.random() < 0.5:
            low = self.rng.randint(-2, 1)
            return self.bind(f"xp.clip({a}, {low}, {low + self.rng.randint(0, 4)})", "move", a)
        if self.state.bounds.get(a):
            return None
        return self.bind(f"xp.round({a}, {self.rng.choice([0, 0, 1])})", "ulp:2", a)

    def join(self):
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.ndim and v.size < 20000)
        if a is None:
            return None
        shape = self.value(a).shape
        b = self.name(lambda v: np.shape(v) == shape)
        axis = self.one_axis(self.value(a))
        text = rng.choice([f"xp.concatenate([{a}, {b}], axis={axis})", f"xp.stack([{a}, {b}], axis={axis})",
                           f"xp.hstack([{a}, {b}])", f"xp.vstack([{a}, {b}])", f"xp.concatenate([{a}, {b}, {a}], axis=None)",
                           f"xp.roll({a}, {rng.randint(-3, 3)}, axis={axis})", f"xp.repeat({a}, 2, axis={axis})",
                           f"xp.tile({a}, 2)", f"xp.split({a}, [1], axis={axis})[{rng.randint(0, 1)}]", f"xp.rot90({a})"])
        return self.bind(text, "move", a, b if b in text else None)

    def product(self):
        a = self.name(lambda v: isinstance(v, np.ndarray) and 1 <= v.ndim <= 3 and v.size < 5000)
        if a is None:
            return None
        value = self.value(a)
        b = self.name(lambda v: isinstance(v, np.ndarray) and 1 <= v.ndim <= 2 and v.size < 5000)
        if b and self.rng.random() < 0.3:
            return self.bind(f"{a} @ {b}", "dot", a, b)
        if value.dtype == np.float16:
            return None
        form = f"{a} @ {a}.T" if value.ndim < 3 else f"xp.matmul({a}, xp.swapaxes({a}, -1, -2))"
        return self.bind(form, "dot", a)

    def drop(self):
        names = [n for n in self.state.values if not n.startswith("s")]
        if len(names) < 3:
            return None
        name = self.rng.choice(names)
        return Step(f"del {name}", drops=name)

    def look(self):
        a = self.name()
        if self.rng.random() < 0.4:
            return Step(f"sync({a})")
        return Step(f"observe({a})", operands=(a,))

    def swap(self):
        """The value semantics of a[i]: NumPy's scalars are snapshots."""
        a = self.writable()
        if a is None or self.value(a).ndim != 1 or self.value(a).size < 2:
            return None
        return Step(f"t = {a}[0]; {a}[0] = {a}[1]; {a}[1] = t; del t", target=a, operands=(a,), rule="move")

    def mistake(self):
        """A call that NumPy refuses."""
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray))
        if a is None:
            return None
        value = self.value(a)
        n, nd = value.shape[0] if value.ndim else 0, value.ndim
        texts = [f"{a} + xp.ones({(n + 2, 3)}) + xp.ones({(n + 5, 3)})", f"{a}.sum(axis={nd})", f"xp.sum({a}, axis={-nd - 1})",
                 f"{a}[{n}]", f"{a}[{-n - 1}]", f"{a}[{', '.join('0' * (nd + 1))}]", f"{a}.reshape({value.size + 1})",
                 f"{a}.reshape(-1, -1)", f"{a}['x']", f"{a}[1.5]", f"{a}.transpose({tuple(range(nd + 1))})",
                 f"xp.concatenate([{a}, xp.ones({(n + 1,) * (nd + 1)})])", f"xp.swapaxes({a}, 0, {nd})", f"xp.expand_dims({a}, {nd + 2})",
                 f"xp.stack([{a}, xp.ones({(n + 1,) * max(nd, 1)})])", f"xp.broadcast_to({a}, {value.shape[1:]})",
                 f"xp.broadcast_to({a}, {(n + 2, 3)}) + xp.ones({(n + 5, 3)})", f"{a}[xp.ones({(n + 1,)}, '?')]",
                 f"xp.take({a}, [{value.size}])", f"xp.add({a}, 1, out=xp.zeros({(n + 3,) * (nd + 1)}, '?'))",
                 f"xp.arange(6) ** -2", f"xp.arange(3, dtype='u1') + 256", f"xp.arange(3, dtype='i1') * 200",
                 f"xp.sin({a}, dtype='i4')", f"xp.concatenate([])", f"xp.stack([])", f"{a}.squeeze({0 if n != 1 else nd})",
                 f"{a} @ xp.ones({(n + 7, n + 3)})", f"xp.zeros((3, 0)).max(axis=1)", f"xp.zeros(0).argmin()", f"xp.zeros(3).view('u3')",
                 f"xp.zeros(3).astype('nonsense')", f"xp.invert(xp.zeros(2))", f"-xp.ones(2, '?')", f"xp.ones(2, '?') - xp.ones(2, '?')",
                 f"xp.split(xp.arange(7), 2)", f"xp.sort({a}, axis={nd})", f"xp.cumsum({a}, axis={nd})", f"xp.full((-1, 2), 0)",
                 f"xp.where({a}, {a})"]
        text = rng.choice(texts)
        if rng.random() < 0.3:
            written = self.writable()
            if written:
                w = self.value(written)
                m = w.shape[0] if w.ndim else 0
                text = rng.choice([f"{written}[...] = xp.ones({(m + 2,) * (w.ndim + 1)})", f"{written}[{m}] = 1",
                                   f"{written} += xp.ones({(m + 3,) * (w.ndim + 1)})",
                                   f"{written}[[0, {m}]] = 1", f"xp.broadcast_to({written}, {(2,) + w.shape})[0] = 1",
                                   f"xp.add.at({written}, [{m}], 1)"])
                return Step(text, target=written, operands=(written,), rule="add")
        name = self.state.new_name()
        return Step(f"{name} = {text}", result=name, operands=(a,), rule="exact")


KINDS = [("create", 6), ("like", 1), ("arithmetic", 10), ("exact_binary", 8), ("power", 2), ("exact_unary", 4), ("smooth_unary", 3),
         ("transcendental", 4), ("expression", 7), ("view", 14), ("inplace", 9), ("out", 3), ("write_slice", 8), ("mask_read", 3),
         ("mask_write", 3), ("gather", 4), ("scatter", 3), ("reduction", 9), ("normalise", 2), ("scan", 3), ("sort", 4), ("where", 4),
         ("convert", 5), ("rounding", 2), ("join", 3), ("product", 2), ("drop", 5), ("look", 3), ("swap", 1), ("mistake", 4)]
LIMIT = 100_000  # elements of one value


def make_program(seed, shared=(), length=None):
    """The program of a seed."""
    rng = chooser(seed)
    with quiet():
        maker = Maker(rng, shared)
        length = length or rng.randint(5, 25)
        kinds, weights = zip(*KINDS)
        while len(maker.steps) < length:
            kind = "create" if len(maker.steps) < 2 else rng.choices(kinds, weights)[0]
            step = getattr(maker, kind)() if maker.state.values or kind == "create" else maker.create()
            if step is None:
                continue
            maker.state.apply(step)
            maker.steps.append(step)
            for name in [n for n, v in maker.state.values.items() if np.size(v) > LIMIT]:
                drop = Step(f"del {name}", drops=name)
                maker.state.apply(drop)
                maker.steps.append(drop)
        outcome, bounds = maker.state.finish()
    program = Program(maker.steps, list(shared), seed)
    return program, outcome, bounds


def make_shared(seed):
    """Names s1, s2, ... for programs that run at the same time; pending when the threads start."""
    rng = chooser(seed)
    shape = rng.choice(SPACES[:8] + LARGE)
    steps = []
    for i in range(1, 4):
        dtype = rng.choice(["f4", "f8", "i4", "?"])
        steps.append(Step(f"s{i} = data({dtype!r}, {shape}, 'small', {rng.randint(0, 9999)})", result=f"s{i}"))
    steps.append(Step("s4 = s1 * 2 + s2", result="s4", operands=("s1", "s2")))
    steps.append(Step("s5 = s4 * s4 - s3", result="s5", operands=("s4", "s3")))
    return steps
