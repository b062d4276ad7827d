"""Steps that take views, write through them, select, gather and join."""

import numpy as np

from program_choices import Choices
from programs import Step


class StructureSteps(Choices):
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
            x = self.in_order(a)
            text = rng.choice(
                [f"{x}.ravel()", f"xp.ravel({x})", f"{x}.ravel('F')", f"{x}.ravel('K')", f"{x}.flatten()"]
            )
        elif kind == "reshape":
            text = f"{self.in_order(a)}.reshape({rng.choice([self.new_shape(size), (-1,), np.shape(value)[::-1]])})"
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
            text = (
                f"xp.broadcast_to({a}, {(rng.randint(1, 3),) + np.shape(value)})"
                if size < 20000
                else f"{a}.T"
            )
        elif kind == "expand":
            text = f"xp.expand_dims({a}, {rng.randint(0, nd)})"
        else:
            text = (
                f"{a}.{rng.choice(['real', 'imag'])}" if np.asarray(value).dtype.kind == "c" else f"{a}.real"
            )
        return self.bind(text, "view", a)

    def outside(self):
        """Another array over the same memory, which the library cannot know to be the same."""
        a = self.name(lambda v: isinstance(v, np.ndarray) and v.size and not self.state.is_shared(v))
        if a is None or a in self.state.own_layout:
            return None
        text = f"again({a}, {self.rng.choice(['numpy', 'dlpack', 'buffer', 'interface', 'memory'])!r})"
        if self.rng.random() < 0.6:
            text += f"[{self.index_text(self.value(a))}]"
        return self.bind(text, "view", a)

    def in_order(self, a):
        """Whether `ravel` gives a view depends on the order in memory: copied where that is not NumPy's."""
        return f"{a}.copy()" if a in self.state.own_layout else a

    def new_shape(self, size):
        for d in self.rng.sample([2, 3, 4, 5, 7], 5):
            if size and size % d == 0:
                return (d, size // d)
        return (size, 1)

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
        masks = self.name(
            lambda v: isinstance(v, np.ndarray) and v.dtype.kind == "b" and v.shape == np.shape(value)
        )
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
            text = (
                f"{a}[xp.asarray({indices}, dtype={rng.choice(['i8', 'i4', 'i1'])!r})]"
                if n < 127
                else f"{a}[{[0]}]"
            )
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
            text = (
                f"{a}[{self.indices(n, 2)}, {rest}]"
                if rng.random() < 0.5
                else f"{a}[{rest}, {self.indices(value.shape[-1], 2) or [0]}]"
            )
        elif form == "take_along" and value.ndim and value.size and not self.state.bounds.get(a):
            axis = self.one_axis(value)
            text = f"xp.take_along_axis({a}, xp.argsort({a}, axis={axis}, kind='stable'), axis={axis})"
        else:
            return None
        return self.bind(text, "move", a, layout=False)

    def gather_in(self):
        """A gather amid an expression, which may be a leaf of its kernel."""
        rng, a = (
            self.rng,
            self.name(lambda v: isinstance(v, np.ndarray) and v.ndim > 0 and v.dtype.kind in "iuf"),
        )
        if a is None:
            return None
        value = self.value(a)
        axis = self.one_axis(value) % value.ndim
        n = value.shape[axis]
        count = rng.choice([n, n, rng.randint(1, 6)])
        if not n or value.size // n * count > 20000:
            return None
        start, step = rng.randint(0, n - 1), rng.choice([1, 1, 3, 7])
        index = f"((xp.arange({count}) * {step} + {start}) % {n} - {rng.choice([0, 0, n])})"
        if value.ndim < 3 and rng.random() < 0.2:
            index += f".reshape({rng.choice(['-1, 1', '1, -1', '1, -1, 1'])})"
        if rng.random() < 0.3:  # in memory, and of another dtype
            index = f"xp.array(({index}).tolist(), dtype={rng.choice(['i2', 'i4', 'i4'] if n < 30000 else ['i4'])!r})"
        read = f"xp.take({a}, {index}, axis={axis})" if rng.random() < 0.5 else None
        read = read or f"{a}[{':, ' * axis}{index}]"
        forms = [
            ("{r} * 2", "mul"),
            ("({r} > 0) * {r}", "mul"),
            ("xp.where({r} > 1, {r}, 0)", "move"),
            ("-{r}", "move"),
            ("({r} * 2).T", "mul"),
            ("({r}.T * 2)", "mul"),
            ("xp.maximum({r}, 1).max()", "move"),
            ("({r} * 2).max(axis=0)", "mul"),
            ("({r} * 2).max(axis=-1)", "mul"),
            ("({r}[1:] * 2)", "mul"),
        ]
        if count == n and "reshape" not in index:
            forms += [("{a} - {r}", "add"), ("{a} * 2 + {r}", "add"), ("({r} - {a}).max(axis=-1)", "add")] * 2
        text, rule = rng.choice(forms)
        compares = "max" in text or ">" in text
        if compares and (self.has_negative_zero(a) or self.state.bounds.get(a)):
            return None
        return self.bind(text.format(r=read, a=a), rule, a, layout=False)

    def draw_in(self):
        """Random numbers amid an expression, which its kernel may draw."""
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.size and v.dtype.kind in "iuf")
        if rng.random() < 0.5:
            a = None
        shape = self.shape() if a is None else self.value(a).shape

        def drawn():
            bits = rng.choice(["PCG64", "PCG64DXSM", "Philox"])
            law = rng.choice(
                [f"random({shape})", f"random({shape}, dtype='f4')", f"uniform(-4, 4, {shape})"]
                + [f"triangular(0, 1, 3, {shape})"]
            )
            return f"xp.random.Generator(xp.random.{bits}({rng.randint(0, 99)})).{law}"

        r = drawn()
        forms = [
            ("{r} * 2", "exact"),
            ("({r} < 0.5)", "exact"),
            ("({r} < 0.5).sum()", "exact"),
            ("xp.floor({r} * 8).sum(axis=0)", "exact"),
            ("xp.floor({r} * 8).sum(axis=-1)", "exact"),
            ("-{r}.T", "exact"),
            ("({r}.T * 2).max(axis=0)", "exact"),
            ("(2 * {r}[1:])", "exact"),
            ("(lambda x: x[:2] * 2 + x[-2:])({r})", "exact"),
            ("(lambda x: x * 2 - x)({r})", "exact"),
            ("({r} + {s})", "exact"),
            ("({r} < {s}).sum(axis=-1)", "exact"),
        ]
        if a is not None:
            forms = [
                ("{a} + {r}", "add"),
                ("({r} * {a})", "mul"),
                ("xp.where({r} < 0.5, {a}, 0)", "move"),
                ("({a}.T - {r}.T)", "add"),
                ("({a} * ({r} < {s}))", "mul"),
            ]
        text, rule = rng.choice(forms)
        return self.bind(text.format(r=r, s=drawn(), a=a), rule, a, layout=False)

    def scatter(self):
        a = self.writable()
        if a is None or self.value(a).ndim == 0 or self.value(a).shape[0] == 0:
            return None
        n = self.value(a).shape[0]
        indices = self.indices(n, self.rng.randint(1, 4))
        form = self.rng.choice(["set", "add", "at"])
        if form == "at" and self.value(a).dtype.kind != "b" and self.value(a).dtype != np.uint64:
            return Step(f"xp.add.at({a}, {indices}, 1)", target=a, operands=(a,), rule="add")
        if form in ("set", "at"):  # with repeated indices the last one wins
            return Step(f"{a}[{indices}] = {self.rng.randint(0, 3)}", target=a, operands=(a,), rule="move")
        return Step(f"{a}[{indices}] += 1", target=a, operands=(a,), rule="add")

    def join(self):
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.ndim and v.size < 20000)
        if a is None:
            return None
        shape = self.value(a).shape
        b = self.name(lambda v: np.shape(v) == shape)
        axis = self.one_axis(self.value(a))
        text = rng.choice(
            [
                f"xp.concatenate([{a}, {b}], axis={axis})",
                f"xp.stack([{a}, {b}], axis={axis})",
                f"xp.hstack([{a}, {b}])",
                f"xp.vstack([{a}, {b}])",
                f"xp.concatenate([{a}, {b}, {a}], axis=None)",
                f"xp.roll({a}, {rng.randint(-3, 3)}, axis={axis})",
                f"xp.repeat({a}, 2, axis={axis})",
                f"xp.tile({a}, 2)",
                f"xp.split({a}, [1], axis={axis})[{rng.randint(0, 1)}]",
                f"xp.rot90({a})",
            ]
        )
        return self.bind(text, "move", a, b if b in text else None, layout=False)

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
