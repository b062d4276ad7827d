"""Steps that reduce, scan, sort and multiply matrices; and calls that NumPy refuses."""

import numpy as np

from program_choices import Choices
from programs import Step

LARGEST_PRODUCT = 100_000  # elements


class ReductionSteps(Choices):
    def reduction(self):
        rng, a = self.rng, self.name()
        value = np.asarray(self.value(a))
        inexact = bool(self.state.bounds.get(a))
        real = value.dtype.kind != "c"
        functions = [("sum", "sum"), ("mean", "mean"), ("sum", "sum"), ("var", "var"), ("std", "std")]
        if real and not self.has_negative_zero(a):
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
        if (
            value.dtype.kind == "f"
            and value.itemsize == 2
            and rule in ("var", "std", "sum")
            and value.size > 64
        ):
            return None
        method = function not in ("count_nonzero", "nansum", "nanmax", "ptp") and rng.random() < 0.5
        text = f"{a}.{function}(axis={axis}{keep})" if method else f"xp.{function}({a}, axis={axis}{keep})"
        if function == "sum" and rng.random() < 0.15:
            text = (
                f"xp.sum({a}, axis={axis}, dtype={rng.choice(['f8', 'i8', 'f4'])!r})"
                if self.fits(value, 0) and real
                else text
            )
        return self.bind(text, rule, a, layout=function in ("sum", "max", "min", "any", "all", "prod"))

    def normalise(self):
        """A reduction with keepdims, broadcast back over what it reduced."""
        a = self.name(
            lambda v: (
                isinstance(v, np.ndarray) and v.ndim and v.dtype.kind in "f" and v.itemsize > 2 and v.size
            )
        )
        if a is None:
            return None
        axis = self.one_axis(self.value(a))
        form = self.rng.choice(["mean", "max", "sum"])
        return self.bind(
            f"{a} - {a}.{form}(axis={axis}, keepdims=True)", "sum" if form != "max" else "add", a
        )

    def scan(self):
        a = self.name(lambda v: np.size(v) < 3000)
        if a is None:
            return None
        value = np.asarray(self.value(a))
        axis = "None" if value.ndim == 0 or self.rng.random() < 0.3 else str(self.one_axis(value))
        if value.dtype.kind in "iub" and self.rng.random() < 0.3:
            return self.bind(f"xp.cumprod({a}, axis={axis})", "exact", a, layout=False)
        if (
            value.dtype.kind in "iuf"
            and self.rng.random() < 0.2
            and not self.state.bounds.get(a)
            and value.ndim
        ):
            return self.bind(
                f"xp.maximum.accumulate({a}, axis={self.one_axis(value)})", "exact", a, layout=False
            )
        if value.dtype.kind == "f" and value.itemsize == 2 and value.size > 64:
            return None
        return self.bind(f"xp.cumsum({a}, axis={axis})", "sum", a, layout=False)

    def sort(self):
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.ndim)
        if a is None:
            return None
        value, exact = self.value(a), not self.state.bounds.get(a)
        if self.has_negative_zero(a):
            return None
        axis = rng.choice([str(self.one_axis(value)), "-1", "None"])
        forms = ["sort", "method"] + (["argsort", "unique", "searchsorted", "nonzero"] if exact else [])
        form = rng.choice(forms)
        if (value.dtype.kind == "c" and not exact) or (form == "unique" and value.dtype == np.float16):
            return None  # NumPy's unstable sort of float16 is wrong on machines with AVX-512
        if form == "sort":
            return self.bind(f"xp.sort({a}, axis={axis}, kind='stable')", "move", a)
        if form == "method":
            if not (value.flags.writeable and not self.state.is_shared(value)):
                return None
            return Step(
                f"{a}.sort(axis={self.one_axis(value)}, kind='stable')", target=a, operands=(a,), rule="move"
            )
        if form == "argsort":
            return self.bind(f"xp.argsort({a}, axis={axis}, kind='stable')", "exact", a)
        if form == "unique":
            return self.bind(f"xp.unique({a})", "exact", a)
        if form == "nonzero":
            return self.bind(f"{a}.nonzero()[0]", "exact", a, layout=False)
        return self.bind(f"xp.searchsorted(xp.sort({a}, axis=None, kind='stable'), {a})", "exact", a)

    def product(self):
        a = self.name(lambda v: isinstance(v, np.ndarray) and 1 <= v.ndim <= 3 and v.size < 5000)
        if a is None:
            return None
        value = self.value(a)
        b = self.name(lambda v: isinstance(v, np.ndarray) and 1 <= v.ndim <= 2 and v.size < 5000)
        rows = value.shape[-2] if value.ndim > 1 else 1
        if value.size and value.size // value.shape[-1] * rows > LARGEST_PRODUCT:
            return None
        if b and self.rng.random() < 0.3 and rows * self.value(b).shape[-1] <= LARGEST_PRODUCT:
            return self.bind(f"{a} @ {b}", "dot", a, b)
        if value.dtype == np.float16:
            return None
        form = f"{a} @ {a}.T" if value.ndim < 3 else f"xp.matmul({a}, xp.swapaxes({a}, -1, -2))"
        return self.bind(form, "dot", a)

    def mistake(self):
        """A call that NumPy refuses."""
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray))
        if a is None:
            return None
        value = self.value(a)
        n, nd = value.shape[0] if value.ndim else 0, value.ndim
        texts = [
            f"{a} + xp.ones({(n + 2, 3)}) + xp.ones({(n + 5, 3)})",
            f"{a}.sum(axis={nd})",
            f"xp.sum({a}, axis={-nd - 1})",
            f"{a}[{n}]",
            f"{a}[{-n - 1}]",
            f"{a}[{', '.join('0' * (nd + 1))}]",
            f"{a}.reshape({value.size + 1})",
            f"{a}.reshape(-1, -1)",
            f"{a}['x']",
            f"{a}[1.5]",
            f"{a}.transpose({tuple(range(nd + 1))})",
            f"xp.concatenate([{a}, xp.ones({(n + 1,) + (1,) * nd})])",
            f"xp.swapaxes({a}, 0, {nd})",
            f"xp.expand_dims({a}, {nd + 2})",
            f"xp.stack([{a}, xp.ones({(n + 1,) + (1,) * (nd - 1)})])",
            f"xp.broadcast_to({a}, {value.shape[1:]})",
            f"xp.broadcast_to({a}, {(n + 2, 3)}) + xp.ones({(n + 5, 3)})",
            f"{a}[xp.ones({(n + 1,)}, '?')]",
            f"xp.take({a}, [{value.size}])",
            f"{a}[xp.asarray([0, {n}])]",
            f"xp.take({a}, xp.asarray([{-value.size - 1}, 0]))",
            f"xp.add({a}, 1, out=xp.zeros({(n + 3,) + (1,) * nd}, '?'))",
            "xp.arange(6) ** -2",
            "xp.arange(3, dtype='u1') + 256",
            "xp.arange(3, dtype='i1') * 200",
            f"xp.sin({a}, dtype='i4')",
            "xp.concatenate([])",
            "xp.stack([])",
            f"{a}.squeeze({0 if n != 1 else nd})",
            f"{a} @ xp.ones({(n + 7, 2)})",
            "xp.zeros((3, 0)).max(axis=1)",
            "xp.zeros(0).argmin()",
            "xp.zeros(3).view('u3')",
            "xp.zeros(3).astype('nonsense')",
            "xp.invert(xp.zeros(2))",
            "-xp.ones(2, '?')",
            "xp.ones(2, '?') - xp.ones(2, '?')",
            "xp.split(xp.arange(7), 2)",
            f"xp.sort({a}, axis={nd})",
            f"xp.cumsum({a}, axis={nd})",
            "xp.full((-1, 2), 0)",
            f"xp.where({a}, {a})",
        ]
        text = rng.choice(texts)
        if rng.random() < 0.3:
            written = self.writable()
            if written:
                w = self.value(written)
                m = w.shape[0] if w.ndim else 0
                text = rng.choice(
                    [
                        f"{written}[...] = xp.ones({(m + 2,) + (1,) * w.ndim})",
                        f"{written}[{m}] = 1",
                        f"{written} += xp.ones({(m + 3,) + (1,) * w.ndim})",
                        f"{written}[[0, {m}]] = 1",
                        f"xp.broadcast_to({written}, {(2,) + w.shape})[0] = 1",
                        f"{written}[{m}] += 1",
                        f"{written}[[{m}]] += 1",
                    ]
                )
                return Step(text, target=written, operands=(written,), rule="add")
        name = self.state.new_name()
        return Step(f"{name} = {text}", result=name, operands=(a,), rule="exact")
