"""Random array programs: what a program is, how it runs, how results are compared, how a failure is shrunk.

A program is a list of steps. A step is one line of Python over the names `xp` (the array module), `data`, `host`,
`sync`, `observe`, `kernel` (of the program's own, by its name) and `again` (the same memory, lent out and taken back as
another array), so a program prints as source and runs on NumPy and on Cuprum unchanged. A step that raises leaves the
state alone, and the type of its exception is part of the result. Steps may be given to one of the streams `stream[0]`,
`stream[1]`, ..., which mean nothing to the result.

NumPy is run while a program is made. For each name it keeps an absolute error bound: 0 where IEEE arithmetic
leaves one answer, a few units in the last place after `sin` or a sum of floats, infinite where a bound would mean
nothing. Steps whose outcome could jump (comparisons, masks, rounding) are made over exact names only.
Cuprum's own modes (lazy, eager, thread counts) are compared bit for bit and need no bound.
"""

import ast
import contextlib
import random
import re
import warnings
from dataclasses import dataclass, field, replace

import numpy as np

INF = float("inf")


class NoStream(contextlib.nullcontext):
    """What NumPy has for a stream."""

    def use(self):
        return self


NO_STREAMS = (NoStream(),) * 4


def make_data(dtype, shape, kind, seed):
    """A NumPy array that depends on its arguments alone."""
    rng = np.random.RandomState(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.rand(*shape) < 0.5 if shape else np.array(rng.rand() < 0.5)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if kind == "wide":
            raw = rng.randint(0, 256, size=(int(np.prod(shape, dtype=int)), dtype.itemsize), dtype=np.uint8)
            return raw.view(dtype).reshape(shape)
        return rng.randint(max(info.min, -5), 6, size=shape).astype(dtype)
    if dtype.kind == "c":
        part = {"c8": "f4", "c16": "f8"}.get(dtype.str[1:], "f8")
        out = make_data(part, shape, kind, seed) + 1j * make_data(part, shape, kind, seed + 1)
        return np.asarray(out).astype(dtype)
    if kind == "positive":
        return np.asarray(rng.uniform(0.1, 3, size=shape)).astype(dtype)
    if kind == "wide":
        return np.asarray(rng.uniform(-2, 2, size=shape)).astype(dtype)
    out = np.asarray(rng.randint(-16, 17, size=shape) / 4).astype(dtype)
    if kind == "special" and out.size:
        pool = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5], dtype)
        where = rng.rand(*shape) < 0.4 if shape else np.array(True)
        out = np.where(where, pool[rng.randint(0, len(pool), size=shape)], out)
    return out


def numpy_kernel(name):
    """What the program's own kernels compute (program_runner.KERNELS)."""
    if name == "total":
        return lambda x, axis=None: np.sum(x, axis, dtype=x.dtype)

    def step(x, y):
        return np.where(x > y, x - y, x + np.ones((), x.dtype)).astype(x.dtype, order="C")[()]

    return step


@dataclass
class Step:
    """One line of a program, and how the error bound of its result follows from those of its operands."""

    source: str
    result: str | None = None  # the name that it binds
    target: str | None = None  # the name whose array it writes
    operands: tuple = ()
    rule: str = "exact"  # see State.bound
    drops: str | None = None  # the name that it deletes
    layout: bool = True  # whether the order of the result in memory is NumPy's
    where: str = ""  # what stands before it, to give it to a stream

    @property
    def line(self):
        return self.where + self.source


@dataclass
class Program:
    steps: list = field(default_factory=list)
    shared: list = field(default_factory=list)  # steps run beforehand; their names are only read
    seed: int | None = None


class Outcome:
    """What one run of a program gave: an exception type or None per step, what it observed, what it left."""

    def __init__(self):
        self.raised = []
        self.texts = []
        self.values = {}  # name or "#step" -> numpy array, contiguity
        self.own_layout = set()  # names whose order in memory is not compared

    def keep(self, name, value, host):
        array = np.asarray(host(value))
        flags = value.flags
        self.values[name] = (array, (bool(flags.c_contiguous), bool(flags.f_contiguous)))


def exception_kind(error):
    """The class by which NumPy's and Cuprum's exceptions are compared: the nearest public one."""
    public = (np.exceptions.AxisError, IndexError, OverflowError, ZeroDivisionError, ValueError, TypeError)
    for kind in public:
        if isinstance(error, kind):
            return kind.__name__
    return type(error).__name__


@contextlib.contextmanager
def quiet():
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class Runner:
    """Runs steps over one array module and records the outcome.

    `wait` is called after every step: where a device finds a bad index after the call, the step that gave it is the one
    that raises. What the step had bound by then is taken back.
    """

    def __init__(
        self,
        xp,
        host,
        sync=lambda x: None,
        shared=None,
        wait=lambda: None,
        again=lambda x, way: x[...],
        stream=NO_STREAMS,
        kernel=numpy_kernel,
    ):
        self.outcome = Outcome()
        self.host = host
        self.wait = wait
        self.names = {
            "xp": xp,
            "np": np,
            "data": lambda *args: xp.asarray(make_data(*args)),
            "host": host,
            "sync": sync,
            "observe": self.observe,
            "again": again,
            "stream": stream,
            "kernel": kernel,
        }
        self.reserved = set(self.names)
        if shared:
            self.names.update(shared)
            self.reserved.update(shared)

    def observe(self, value):
        self.outcome.keep(f"#{len(self.outcome.raised)}", value, self.host)

    def run(self, step):
        before = self.names.get(step.result)
        try:
            exec(compile_step(step.line), self.names)
            self.wait()
        except Exception as error:
            if before is not None:
                self.names[step.result] = before
            else:
                self.names.pop(step.result, None)
            self.outcome.raised.append(exception_kind(error))
            self.outcome.texts.append(f"{type(error).__name__}: {error}")
        else:
            value = self.names.get(step.result or step.target)
            if type(value) in (bool, int, float, complex):  # what some operators of NumPy's scalars give
                self.names[step.result or step.target] = np.asarray(value)[()]
            self.outcome.raised.append(None)
            self.outcome.texts.append("")

    def arrays(self):
        return {k: v for k, v in self.names.items() if k not in self.reserved and not k.startswith("__")}

    def finish(self):
        for name, value in self.arrays().items():
            self.outcome.keep(name, value, self.host)
        return self.outcome


_compiled = {}


def compile_step(source):
    code = _compiled.get(source)
    if code is None:
        if len(_compiled) > 4096:
            _compiled.clear()
        code = _compiled[source] = compile(source, "<program>", "exec")
    return code


def root(value):
    """The array that owns the memory of `value`."""
    while isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    return value


def epsilon(dtype):
    return float(np.finfo(dtype).eps) if dtype.kind in "fc" else 0.0


def magnitude(value):
    """The largest finite absolute value, and whether every value is finite."""
    value = np.asarray(value)
    if value.size == 0 or value.dtype.kind == "b":
        return 1.0, True
    wide = np.abs(value.astype(np.complex128 if value.dtype.kind == "c" else np.float64))
    if value.dtype.kind in "iu":
        return float(wide.max()), True
    finite = np.isfinite(wide)
    if finite.all():
        return float(wide.max()), True
    return float(wide[finite].max()) if finite.any() else 0.0, False


def largest_literal(source):
    """The largest number that is written in a step."""
    largest = 1.0
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Pow)
            and isinstance(node.right, ast.Constant)
        ):
            with contextlib.suppress(ValueError):  # names among them
                largest = max(largest, abs(ast.literal_eval(node.left) ** node.right.value))
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float, complex):
            largest = max(largest, abs(node.value))
    return float(largest)


class State:
    """A program being made: NumPy's values and the error bound of each name."""

    def __init__(self, shared=()):
        self.bounds = {}
        self.own_layout = set()  # names whose order in memory may differ from NumPy's
        self.observed = {}
        self.shared_roots = ()
        self.runner = Runner(np, host=lambda x: np.array(x))
        self.count = 0
        for step in shared:
            self.apply(step)
        if shared:
            # Threads only read these: a write to a view of one would be a race in NumPy too.
            self.runner.reserved.update(self.runner.arrays())
            self.shared_roots = tuple(root(self.runner.names[step.result]) for step in shared)
            self.runner.outcome = Outcome()

    @property
    def values(self):
        return {k: v for k, v in self.runner.names.items() if isinstance(v, (np.ndarray, np.generic))}

    def is_shared(self, value):
        return any(root(value) is other for other in self.shared_roots)

    def new_name(self):
        self.count += 1
        return f"v{self.count}"

    def asks_for_a_value(self, step):
        """Did the last step raise because NumPy looked into a floating scalar that it was to store among integers?

        NumPy stores such a value of an array without a word; here every value is an array's (it may not be known yet).
        The same for integers that an item is set to, and those of `where`, which wrap around in NumPy before 2.5."""
        text = self.runner.outcome.texts[-1]
        stores = "where(" in step.source or re.search(r"\] \W*= [a-z]", step.source)
        wraps = stores and "out of bounds for" in text
        return wraps or "too large to convert" in text or "cannot convert float" in text

    def retract(self):
        """Forgets the last step, which raised."""
        self.runner.outcome.raised.pop()
        self.runner.outcome.texts.pop()

    def apply(self, step):
        """Runs the step on NumPy and keeps the error bounds; returns the kind of its exception or None."""
        values = self.runner.names
        operands = [
            (self.bounds.get(n, 0.0), *magnitude(values[n]), np.size(values[n]))
            for n in step.operands
            if n in values
        ]
        if step.rule == "mul":
            operands.append((0.0, largest_literal(step.source), True, 1))
        complexes = any(np.asarray(values[n]).dtype.kind == "c" for n in step.operands if n in values)
        computed = max(
            [
                epsilon(d)
                for n in step.operands
                if n in values and (d := np.asarray(values[n]).dtype).kind == "c"
            ],
            default=0.0,
        )
        before = values.get(step.target)
        self.runner.run(step)
        raised = self.runner.outcome.raised[-1]
        if raised is not None:
            return raised
        rebound = step.result or (step.target if isinstance(before, np.generic) else None)
        if rebound:
            own = not step.layout or any(n in self.own_layout for n in step.operands)
            (self.own_layout.add if own else self.own_layout.discard)(rebound)
        if step.source.startswith("observe("):
            if step.operands[0] in self.own_layout:
                self.own_layout.add(f"#{len(self.runner.outcome.raised) - 1}")
            self.observed[f"#{len(self.runner.outcome.raised) - 1}"] = self.bounds.get(step.operands[0], 0.0)
        if step.drops:
            self.bounds.pop(step.drops, None)
        written = step.target or step.result
        if written and written in values:
            new = values[written]
            bound = self.bound(step.rule, operands, new, complexes, computed)
            if step.target and isinstance(new, np.ndarray) and step.result is None:
                owner = root(new)
                for name, value in values.items():
                    if isinstance(value, np.ndarray) and root(value) is owner:
                        self.bounds[name] = max(self.bounds.get(name, 0.0), bound)
            elif step.rule == "view" and isinstance(new, np.ndarray):
                self.bounds[written] = max([0.0] + [b for b, _, _, _ in operands])
            else:
                self.bounds[written] = bound
        return None

    def bound(self, rule, operands, new, complexes, computed=0.0):
        """`computed`: the largest epsilon of an operand; with out= the result may be stored in a wider dtype."""
        new = np.asarray(new)
        eps = max(epsilon(new.dtype), computed)
        size, finite = magnitude(new)
        given = [b for b, _, _, _ in operands]
        inexact = any(given)
        if new.dtype.kind not in "fc":
            return INF if inexact else 0.0
        rule, _, argument = rule.partition(":")
        if rule in ("move", "view"):
            result = max([0.0] + given)
            if result:
                result += eps * size
        elif rule == "exact":
            result = INF if inexact else (8 * eps * size if complexes else 0.0)
        elif rule == "add":
            result = sum(given) + (2 * eps * size if inexact else 0.0)
        elif rule == "mul":
            largest = max([1.0] + [m for _, m, _, _ in operands])
            result = largest * sum(given) + sum(given) * sum(given) + (2 * eps * size if inexact else 0.0)
            if complexes:
                result += 8 * eps * largest * largest
        elif rule == "ulp":
            result = (
                INF if inexact else float(argument or 4) * eps * max(size, float(np.finfo(new.dtype).tiny))
            )
        elif rule in ("sum", "mean", "dot", "var", "std"):
            result = self.sum_bound(rule, operands, eps)
            limit = 0.01 * float(np.finfo(new.dtype).max)
            if rule in ("var", "std") and any(n * m * m > limit for _, m, _, n in operands):
                return INF  # squares overflow on the way, into an infinity or a NaN
            # NumPy's float16 overflows on the way to results that fit.
            if eps > 1e-4 and any(n * m * max(m, 1) > 1000 for _, m, _, n in operands):
                return INF
        else:
            raise ValueError(rule)
        if result != result:
            return INF
        if result and ((complexes and not finite) or size > 0.02 * float(np.finfo(new.dtype).max)):
            return INF
        return result

    @staticmethod
    def sum_bound(rule, operands, eps):
        n = max([1] + [s for _, _, _, s in operands])
        largest = max([1e-30] + [m for _, m, _, _ in operands])
        error = sum(b for b, _, _, _ in operands)
        order = eps * (4 + n**0.5 / 2)
        if rule == "sum":
            return n * (error + order * largest)
        if rule == "mean":
            return error + order * largest
        if rule == "dot":
            # A BLAS may add in few accumulators.
            return n * (error * largest * 2 + eps * (4 + n / 8) * largest * largest)
        variance = 4 * (error + order * largest) * largest
        return variance if rule == "var" else variance**0.5

    def finish(self):
        bounds = {name: self.bounds.get(name, 0.0) for name in self.runner.arrays()}
        outcome = self.runner.finish()
        outcome.own_layout = self.own_layout
        return outcome, {**bounds, **self.observed}


def simulate(program):
    """NumPy's outcome of a program, and the error bound of each value in it."""
    with quiet():
        state = State(program.shared)
        for step in program.steps:
            state.apply(step)
        return state.finish()


# -- Comparing ------------------------------------------------------------------------------------------


def same_bits(a, b):
    """Equal shapes, dtypes and bytes, where any NaN equals any NaN."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.tobytes() == b.tobytes():
        return True
    if a.dtype.kind == "c":
        return same_bits(a.real.copy(), b.real.copy()) and same_bits(a.imag.copy(), b.imag.copy())
    if a.dtype.kind != "f":
        return False
    nan = np.isnan(a)
    return bool(
        np.array_equal(nan, np.isnan(b)) and np.where(nan, 0, a).tobytes() == np.where(nan, 0, b).tobytes()
    )


def close(a, b, bound):
    if bound == INF:
        return True
    if bound == 0 or a.dtype.kind not in "fc":
        return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    a, b = a.astype(wide), b.astype(wide)
    regular = np.isfinite(a)
    if not np.array_equal(regular, np.isfinite(b)):
        return False
    return bool(
        np.array_equal(a[~regular], b[~regular], equal_nan=True)
        and (np.abs(a[regular] - b[regular]) <= bound).all()
    )


def difference(program, got, want, bounds=None):
    """A sentence about the first difference of two outcomes, or None. Without bounds: bit for bit."""
    steps = [step.source for step in program.steps]
    for i, (a, b) in enumerate(zip(got.raised, want.raised)):
        if a != b:
            return (
                f"step {i} `{steps[i]}`: raised {a or 'nothing'} ({got.texts[i]}), "
                f"expected {b or 'nothing'} ({want.texts[i]})"
            )
    if got.values.keys() != want.values.keys():
        return f"names differ: {sorted(got.values)} and {sorted(want.values)}"
    for name, (a, a_flags) in got.values.items():
        b, b_flags = want.values[name]
        at = f"`{name}`" if name[0] != "#" else f"observed by step {name[1:]} `{steps[int(name[1:])]}`"
        if a.dtype != b.dtype:
            return f"{at}: dtype {a.dtype}, expected {b.dtype}"
        if a.shape != b.shape:
            return f"{at}: shape {a.shape}, expected {b.shape}"
        same = same_bits(a, b) if bounds is None else close(a, b, bounds[name])
        if not same:
            where = "" if bounds is None else f" (bound {bounds[name]:.3g})"
            return f"{at}: values differ{where}\n  got      {describe(a, b)}\n  expected {describe(b, a)}"
        if a_flags != b_flags and name not in want.own_layout:
            return f"{at}: contiguous (C, F) {a_flags}, expected {b_flags}"
    return None


def describe(a, other):
    if a.size <= 12:
        return f"{a.tolist()} {a.dtype}"
    with quiet():
        differ = ~((a == other) | ((a != a) & (other != other)))
    at = tuple(int(i) for i in np.argwhere(differ)[0]) if differ.any() else None
    if at is None:
        return f"differs in the bits only, {a.dtype}{list(a.shape)}"
    return f"{a[at]!r} at {at}, {int(differ.sum())} of {a.size} differ, {a.dtype}{list(a.shape)}"


# -- Shrinking ------------------------------------------------------------------------------------------


def shrink(program, fails):
    """The program with every step removed that the failure does not need."""
    steps = list(program.steps)
    changed = True
    while changed:
        changed = False
        for width in (8, 4, 2, 1):
            i = len(steps)
            while i > 0:
                i -= width
                at = max(i, 0)
                rest = steps[:at] + steps[at + width :]
                if rest != steps and fails(replace(program, steps=rest)):
                    steps = rest
                    changed = True
    return replace(program, steps=steps)


RUNNABLE = """\
# seed {seed}: {message}
import sys
sys.path.insert(0, "tests/python")
import numpy as np
from programs import make_data
from program_runner import again, streams
import {module} as xp
stream = streams()
data = lambda *args: xp.asarray(make_data(*args))
host = getattr(xp, "asnumpy", np.array)
sync = getattr(xp, "evaluate", lambda x: None)
def observe(x): print(repr(host(x)))

{body}
"""


def runnable(program, message, module="cuprum"):
    """The program as a script, with the steps that raise guarded."""
    outcome, _ = simulate(program)
    lines = [step.line for step in program.shared]
    for step, raised in zip(program.steps, outcome.raised):
        if raised:
            lines.append(
                f"try: {step.line}\nexcept Exception as e: print(type(e).__name__, e)  # NumPy: {raised}"
            )
        else:
            lines.append(step.line)
    lines += [f"print({name!r}, repr(host({name})))" for name in outcome.values if name[0] != "#"]
    head = message.splitlines()[0]
    return RUNNABLE.format(seed=program.seed, message=head, module=module, body="\n".join(lines))


def chooser(seed):
    return random.Random(seed)
