"""What the steps of a random program choose from: dtypes, shapes, names, indices, scalars."""

import numpy as np

from programs import State, Step

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
WEIGHTS = [4, 2, 2, 5, 6, 3, 1, 2, 2, 2, 8, 9, 2, 2]
SPACES = [(5,), (1,), (3, 4), (2, 3, 4), (0, 3), (4, 1, 2), (7,), (2, 2, 2, 2), (16,), (6, 6), ()]
LARGE = [
    (3000,),
    (20000,),
    (50, 70),
    (7, 1001),
    (130, 37),
    (1025,),
    (64, 64),
    (9, 11, 50),
    (4099,),
    (3, 2048),
]


class Choices:
    """A program being made; `rng` decides everything."""

    def __init__(self, rng, shared=()):
        self.rng = rng
        self.state = State(shared)
        self.space = rng.choice(LARGE if rng.random() < 0.2 else SPACES)
        self.steps = []

    def dtype(self):
        return self.rng.choices(DTYPES, WEIGHTS)[0]

    def shape(self):
        """A suffix of the program's space with some dimensions 1: most shapes broadcast together."""
        space = self.space
        keep = self.rng.randint(0, len(space)) if self.rng.random() < 0.25 else len(space)
        return tuple(1 if self.rng.random() < 0.1 else d for d in space[len(space) - keep :])

    def name(self, accept=lambda v: True, exact=False):
        pool = [
            n
            for n, v in self.state.values.items()
            if accept(v) and not (exact and self.state.bounds.get(n, 0.0))
        ]
        return self.rng.choice(pool) if pool else None

    def writable(self, exact=False):
        return self.name(
            lambda v: isinstance(v, np.ndarray) and v.flags.writeable and not self.state.is_shared(v), exact
        )

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
        if (allow_none and self.rng.random() < 0.3) or nd == 0:
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

    def bind(self, text, rule, *operands, layout=True):
        name = self.state.new_name()
        operands = tuple(o for o in operands if o)
        return Step(f"{name} = {text}", result=name, operands=operands, rule=rule, layout=layout)

    def fits(self, value, target):
        """May `value` be cast to target's dtype with a defined result?"""
        scalar, value, target = isinstance(value, np.generic), np.asarray(value), np.asarray(target).dtype
        if scalar and value.dtype.kind in "iu" and target.kind in "iu":  # NumPy refuses what does not fit
            return np.iinfo(target).min <= int(value) <= np.iinfo(target).max
        if value.dtype.kind in "fc" and target.kind in "iu":
            info, real = np.iinfo(target), value.real
            return bool(
                np.isfinite(real).all()
                and (value.size == 0 or (info.min <= real.min() and real.max() < info.max))
            )
        return True

    def has_nan(self, name):
        value = np.asarray(self.value(name))
        return value.dtype.kind in "fc" and bool(np.isnan(value).any())

    def has_negative_zero(self, name):
        """0.0 and -0.0 are equal: which of them is the larger, or sorts first, is nobody's business."""
        value = np.asarray(self.value(name))
        return value.dtype.kind in "fc" and bool(np.signbit(value.real[value.real == 0]).any())
