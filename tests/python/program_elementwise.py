"""Steps that make arrays and compute element by element."""

import numpy as np

from cuprum import _core
from program_choices import Choices
from programs import Step

ARITHMETIC = [("+", "add", "add"), ("-", "subtract", "add"), ("*", "multiply", "mul")]
EXACT_BINARY = [
    ("/", "divide"),
    ("//", "floor_divide"),
    ("%", "remainder"),
    ("<", "less"),
    ("<=", "less_equal"),
    (">", "greater"),
    (">=", "greater_equal"),
    ("==", "equal"),
    ("!=", "not_equal"),
    ("&", "bitwise_and"),
    ("|", "bitwise_or"),
    ("^", "bitwise_xor"),
    ("<<", "left_shift"),
    (">>", "right_shift"),
    (None, "fmod"),
    (None, "logical_and"),
    (None, "logical_or"),
    (None, "logical_xor"),
    (None, "copysign"),
    (None, "gcd"),
    (None, "lcm"),
    (None, "heaviside"),
    (None, "nextafter"),
    (None, "fmax"),
    (None, "fmin"),
    (None, "maximum"),
    (None, "minimum"),
]
INTEGER_ONLY = {"bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "gcd", "lcm"}
EXACT_UNARY = [
    "sign",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "logical_not",
    "invert",
    "square",
    "sqrt",
    "fabs",
    "reciprocal",
    "bitwise_count",
    "spacing",
]
SMOOTH_UNARY = ["negative", "positive", "conjugate", "absolute"]
ULP_UNARY = [
    "sin",
    "cos",
    "tan",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sinh",
    "cosh",
    "tanh",
    "arcsin",
    "arccos",
    "arctan",
    "arcsinh",
    "arccosh",
    "arctanh",
    "cbrt",
    "deg2rad",
    "rad2deg",
]
ULP_BINARY = ["arctan2", "hypot", "logaddexp", "logaddexp2", "power", "float_power"]


class ElementwiseSteps(Choices):
    def create(self):
        rng, shape, dtype = self.rng, self.shape(), self.dtype()
        if rng.random() < 0.75 or not self.steps:
            kind = rng.choices(["small", "wide", "positive", "special"], [6, 3, 1, 1])[0]
            text = f"data({dtype!r}, {shape}, {kind!r}, {rng.randint(0, 9999)})"
            if rng.random() < 0.15:
                text += rng.choice([".T", "[...]", ".copy()"]) if shape else ""
            return self.bind(text, "exact")
        n = shape[-1] if shape else 3
        text = rng.choice(
            [
                f"xp.zeros({shape}, {dtype!r})",
                f"xp.ones({shape}, {dtype!r})",
                f"xp.zeros({shape}, {dtype!r}, order='F')",
                f"xp.full({shape}, {rng.randint(0, 5)}, {dtype!r})",
                f"xp.full({shape}, {rng.choice(['2', '0.5', 'True'])})",
                f"xp.arange({n})",
                f"xp.arange({n}, dtype={dtype if dtype != '?' else 'i4'!r})",
                f"xp.arange({rng.randint(-5, 5)}, {rng.randint(0, 40)}, {rng.choice([1, 2, 3])})",
                f"xp.arange({n}).reshape({(n, 1)})",
                f"xp.eye({min(n, 70)})",
                f"xp.eye({min(n, 70)}, 3, 1, {dtype!r})",
            ]
        )
        return self.bind(text.replace("dtype=f", "dtype='f").replace("''", "'"), "exact")

    def like(self):
        name = self.name()
        text = self.rng.choice(
            [
                f"xp.zeros_like({name})",
                f"xp.ones_like({name})",
                f"xp.full_like({name}, 3)",
                f"xp.zeros_like({name}, dtype='f4')",
            ]
        )
        return self.bind(text, "exact", layout=name not in self.state.own_layout)

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
        return self.bind(f"xp.{function}({a}, {text}{extra})", rule, a, b)

    def exact_binary(self):
        a = self.name(exact=True)
        if a is None:
            return None
        symbol, function = self.rng.choice(EXACT_BINARY)
        if function in INTEGER_ONLY and self.rng.random() < 0.9:
            a = self.name(lambda v: np.asarray(v).dtype.kind in "iub", exact=True) or a
        text, b = self.operand(self.value(a), exact=True)
        if function == "copysign" and (self.has_nan(a) or (b and self.has_nan(b))):
            return None
        extreme = "max" in function or "min" in function
        if extreme and (self.has_negative_zero(a) or (b and self.has_negative_zero(b))):
            return None
        return self.binary_text(symbol, function, a, text, "exact", b)

    def power(self):
        a = self.name(exact=True)
        if a is None:
            return None
        kind = np.asarray(self.value(a)).dtype.kind
        if kind == "b":
            return None  # NumPy's scalars and arrays of bools differ here
        exponent = self.rng.choice(["2", "3", "0", "1", "2.0", "0.5", "-1", "2.5", "np.uint8(2)"])
        return self.bind(f"{a} ** {exponent}", "ulp:8" if kind in "fc" else "ulp:4", a)

    def exact_unary(self):
        function = self.rng.choice(EXACT_UNARY)
        a = self.name(exact=True)
        if a is None or (function == "signbit" and self.has_nan(a)):  # the sign of a NaN is nobody's business
            return None
        return self.bind(f"xp.{function}({a})", "exact", a)

    def smooth_unary(self):
        function = self.rng.choice(SMOOTH_UNARY)
        a = self.name()
        if function == "negative" and self.rng.random() < 0.7:
            return self.bind(f"-{a}", "move", a)
        rule = "ulp:4" if function == "absolute" and np.asarray(self.value(a)).dtype.kind == "c" else "move"
        return self.bind(
            f"xp.{function}({a})"
            if self.rng.random() < 0.8 or function == "conjugate"
            else f"abs({a})"
            if function == "absolute"
            else f"+{a}",
            rule,
            a,
        )

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
            return (
                self.bind(f"xp.{self.rng.choice(['exp', 'sin', 'cos', 'sqrt'])}({a})", "ulp:64", a)
                if finite
                else None
            )
        return self.bind(f"xp.{self.rng.choice(ULP_UNARY)}({a})", "ulp:16", a)

    def own_kernel(self):
        """A kernel of the program's own: of dtypes whose arithmetic leaves one answer."""
        a = self.name(lambda v: np.asarray(v).dtype.char in "fdB", exact=True)
        if a is None or _core.device_name().startswith("cuda"):  # which compiles none yet
            return None
        value = np.asarray(self.value(a))
        if value.dtype.char == "B" and value.ndim and self.rng.random() < 0.5:
            axis = self.rng.choice([None, 0, -1])  # results lie in C order, as CuPy's
            return self.bind(f"kernel('total')({a}, axis={axis})", "exact", a, layout=False)
        b = self.name(lambda v: np.asarray(v).dtype == value.dtype, exact=True) or a
        return self.bind(f"kernel('step')({a}, {b})", "exact", a, b, layout=False)

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
                return (
                    f"({tree(depth - 1)} {self.rng.choice('+-*/+*' if divides else '+-*')} {tree(depth - 1)})"
                )
            if roll < 0.75:
                return f"xp.{self.rng.choice(['sqrt', 'absolute', 'square', 'negative', 'floor'])}({tree(depth - 1)})"
            if roll < 0.9 and not divides:
                return f"xp.{self.rng.choice(['maximum', 'minimum', 'fmax'])}({tree(depth - 1)}, {tree(depth - 1)})"
            return f"xp.where({tree(depth - 1)} > {leaf()}, {tree(depth - 1)}, {tree(depth - 1)})"

        # The sign of a zero, which max and min leave open, shows in a quotient.
        divides = self.rng.random() < 0.5
        text = tree(self.rng.randint(2, 4))
        if not names or None in names:
            return None
        # Trees of scalars alone are Python's arithmetic, not ours.
        return self.bind(f"xp.add({names[0]}, {text})", "exact", *dict.fromkeys(names))

    def inplace(self):
        a = self.name(
            lambda v: isinstance(v, np.generic) or (v.flags.writeable and not self.state.is_shared(v))
        )
        if a is None or a.startswith("s"):
            return None
        if self.rng.random() < 0.7:
            symbol, _, rule = self.rng.choice(ARITHMETIC)
            exact = False
        else:
            symbol, rule, exact = (
                self.rng.choice(["/", "//", "%", "&", "|", "^", "<<", ">>", "**"]),
                "exact",
                True,
            )
            if symbol == "**":
                rule = "ulp:8"
        if exact and self.state.bounds.get(a):
            return None
        text, b = self.operand(self.value(a), exact=exact)
        if symbol == "**" and b is None:
            text = self.rng.choice(["2", "3", "2", "0.5", "1"])
        elif symbol == "**":
            return None
        if symbol == "**" and np.asarray(self.value(a)).dtype.kind == "b":
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
        return Step(
            f"xp.{function}({a}, {text}, out={target}{where})", target=target, operands=operands, rule=rule
        )

    def where(self):
        rng = self.rng
        condition = self.name(lambda v: np.asarray(v).dtype.kind == "b", exact=True)
        a = self.name()
        if condition is None:
            c = self.name(lambda v: np.asarray(v).dtype.kind != "c", exact=True)
            if c is None:
                return None
            condition = f"{c} > {rng.randint(-1, 2)}"
        else:
            c = condition
        text, b = self.operand(self.value(a))
        return self.bind(f"xp.where({condition}, {a}, {text})", "move", a, b, c)

    def convert(self):
        rng, a = self.rng, self.name()
        value = np.asarray(self.value(a))
        if rng.random() < 0.45:
            target = np.dtype(self.dtype())
            jumps = self.state.bounds.get(a) and target.kind not in "fc"
            if jumps or not self.fits(value, np.zeros((), target)):
                return None
            return self.bind(f"xp.asarray({a}).astype({target.str[1:]!r})", "move", a)
        copies = [
            "{}.copy()",
            "xp.array({})",
            "xp.copy({})",
            "xp.array({}, order='F')",
            "xp.asarray(host({}))",
        ]
        copies += ["xp.asarray(host({}), dtype='c16')"]
        if a not in self.state.own_layout:  # a copy only where the order asks for one
            copies += ["xp.ascontiguousarray({})", "xp.asfortranarray({})", "xp.asarray({})"]
        text = rng.choice(copies).format(a)
        return self.bind(text, "view", a, layout="host" not in text)

    def rounding(self):
        a = self.name(lambda v: np.asarray(v).dtype.kind != "c")
        if a is None:
            return None
        if self.rng.random() < 0.5 and not self.has_negative_zero(a):
            low = self.rng.randint(-2, 1)
            return self.bind(f"xp.clip({a}, {low}, {low + self.rng.randint(0, 4)})", "move", a)
        if self.state.bounds.get(a):
            return None
        return self.bind(f"xp.round({a}, {self.rng.choice([0, 0, 1])})", "ulp:2", a, layout=False)
