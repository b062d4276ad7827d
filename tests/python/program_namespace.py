"""Steps over the wider namespace: rearranged and edited copies, cumulative functions, differences, lookups, order
statistics, sets, counts, and writes through positions and masks."""

import numpy as np

from program_choices import Choices
from programs import Step

PAD_MODES = ["edge", "reflect", "symmetric", "wrap", "constant"]


def is_array(value):
    return isinstance(value, np.ndarray) and value.ndim > 0


class NamespaceSteps(Choices):
    def small_array(self, limit=4000, exact=False, kinds="biufc"):
        return self.name(lambda v: is_array(v) and v.size < limit and v.dtype.kind in kinds, exact=exact)

    # -- Copies in another order ------------------------------------------------------------------------

    def rearrange(self):
        rng, a = self.rng, self.small_array()
        if a is None:
            return None
        value = self.value(a)
        nd, axis = value.ndim, self.one_axis(value)
        n = value.shape[axis]
        shifts = tuple(rng.randint(-9, 9) for _ in range(nd))
        counts = [rng.randint(0, 3) for _ in range(n)] if n < 40 else 2
        mode = (
            rng.choice(["wrap", "clip"]) if value.size else "clip"
        )  # NumPy wraps around an axis of length 0 for ever
        texts = [
            f"xp.roll({a}, {rng.randint(-9, 9)})",
            f"xp.roll({a}, {shifts}, axis={tuple(range(nd))})",
            f"xp.roll({a}, {rng.randint(-9, 9)}, axis={axis})",
            f"xp.repeat({a}, {counts}, axis={axis})",
            f"xp.repeat({a}, {rng.randint(0, 3)})",
            f"xp.tile({a}, {tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 2)))})",
            f"xp.resize({a}, {rng.choice([(3, 5), (7,), (2, 2, 2)])})",
            f"xp.rollaxis({a}, {axis}, {rng.randint(0, nd)})",
            f"xp.take({a}, {self.positions(9)}, axis={axis}, mode={mode!r})",
            f"xp.compress({self.mask(n)}, {a}, axis={axis})",
            f"xp.flipud({a})",
        ]
        if nd > 1:
            texts += [f"xp.{rng.choice(['tril', 'triu'])}({a}, {rng.randint(-2, 2)})", f"xp.fliplr({a})"]
        return self.bind(rng.choice(texts), "move", a, layout=False)

    def edit(self):
        rng, a = self.rng, self.small_array()
        if a is None:
            return None
        value = self.value(a)
        axis, low = self.one_axis(value), 0 if value.dtype.kind in "bu" else -3
        n = value.shape[axis]
        at = rng.randint(-n, n - 1) if n else 0
        new = str(rng.randint(low, 1 if value.dtype.kind == "b" else 5))
        texts = [
            f"xp.append({a}, {a}, axis={rng.choice([axis, None])})",
            f"xp.delete({a}, {at}, axis={axis})",
            f"xp.delete({a}, {self.slice_value(n)}, axis={axis})",
            f"xp.delete({a}, {self.indices(n, 2)}, axis={axis})",
            f"xp.insert({a}, {at}, {new}, axis={axis})",
            f"xp.insert({a}, {sorted(rng.randint(0, n) for _ in range(2))}, {new}, axis={axis})",
        ]
        if value.size:
            widths = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in value.shape]
            texts += [f"xp.pad({a}, {widths}, mode={mode!r})" for mode in rng.sample(PAD_MODES, 2)]
            texts += [f"xp.pad({a}, {rng.randint(0, 2)}, constant_values={new})"]
            if value.dtype.kind in "iuf" and not self.has_negative_zero(a) and not self.has_nan(a):
                texts += [f"xp.pad({a}, {widths}, mode={rng.choice(['maximum', 'minimum'])!r})"]
        if value.ndim == 1 and not self.state.bounds.get(a):
            texts += [f"xp.trim_zeros({a})", f"xp.trim_zeros({a}, 'f')"]
        return self.bind(rng.choice(texts), "move", a, layout=False)

    # -- Along an axis ----------------------------------------------------------------------------------

    def accumulate(self):
        rng, a = self.rng, self.small_array(3000)
        if a is None:
            return None
        value, exact = self.value(a), not self.state.bounds.get(a)
        axis, kind = self.one_axis(value), value.dtype.kind
        if value.dtype == np.float16 and value.size > 64:
            return None
        texts = [(f"xp.cumsum({a}, axis={axis}, dtype={rng.choice(['f8', 'c16'])!r})", "sum")]
        texts += [(f"xp.cumulative_sum({a}, axis={axis}, include_initial={rng.random() < 0.5})", "sum")]
        if kind in "biu":
            texts += [
                (f"xp.cumulative_prod({a}, axis={axis}, include_initial={rng.random() < 0.5})", "exact")
            ]
            texts += [
                (f"xp.{f}.accumulate({a}, axis={axis})", "exact")
                for f in ("add", "bitwise_or", "bitwise_xor")
            ]
        if exact:
            texts += [(f"xp.nancumsum({a}, axis={axis})", "sum")] if kind == "f" else []
            texts += [(f"xp.logical_{f}.accumulate({a}, axis={axis})", "exact") for f in ("or", "and")]
        if kind in "iuf" and not self.has_negative_zero(a):
            texts += [(f"xp.{f}.accumulate({a}, axis={axis})", "move") for f in ("minimum", "maximum")]
        n = value.shape[axis]
        if n and kind in "iu":
            starts = [rng.randint(0, n - 1) for _ in range(rng.randint(1, 3))]
            texts += [(f"xp.{f}.reduceat({a}, {starts}, axis={axis})", "exact") for f in ("add", "maximum")]
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)

    def difference(self):
        rng, a = self.rng, self.small_array()
        if a is None:
            return None
        value, exact = self.value(a), not self.state.bounds.get(a)
        axis = self.one_axis(value)
        texts = [
            (f"xp.diff({a}, axis={axis})", "add"),
            (f"xp.diff({a}, n=2, axis={axis})", "add"),
            (f"xp.diff({a}, axis={axis}, prepend=0)", "add"),
            (f"xp.ediff1d({a})", "add"),
        ]
        texts += [(f"xp.outer({a}[:3], {a}[:3])", "mul")] if value.ndim == 1 else [(f"xp.trace({a})", "sum")]
        if exact and value.dtype.kind in "f" and value.itemsize > 2 and value.shape[axis] > 1:
            texts += [(f"xp.gradient({a}, axis={axis})", "ulp:8")] if value.ndim else []
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)

    # -- Looking up -------------------------------------------------------------------------------------

    def lookup(self):
        """Positions in a sorted row, counts, sets: of exact values only."""
        rng, a = self.rng, self.small_array(exact=True, kinds="biuf")
        if a is None or self.has_negative_zero(a) or self.value(a).dtype == np.float16:
            return None
        value = self.value(a)
        b = self.name(lambda v: np.asarray(v).dtype == value.dtype, exact=True) or a
        side = rng.choice(["left", "right"])
        flat = f"xp.sort({a}, axis=None, kind='stable')"
        texts = [
            f"xp.searchsorted({flat}, {b}, side={side!r})",
            f"xp.searchsorted(xp.ravel({a}), {b}, {side!r}, xp.argsort({a}, axis=None, kind='stable'))",
            f"xp.digitize({a}, [-1, 0, 2, 3], right={rng.random() < 0.5})",
            f"xp.flatnonzero({a})",
            f"xp.argwhere({a})",
            f"xp.count_nonzero({a}, axis={self.axis(value)})",
            f"xp.unique({a}, return_counts=True)[1]",
        ]
        if not self.has_nan(a) and not self.has_nan(b):
            texts += [f"xp.isin({a}, {b})", f"xp.intersect1d({a}, {b})", f"xp.setdiff1d({a}, {b})"]
            texts += [f"xp.unique({a}, return_inverse=True)[1]", f"xp.union1d({a}, {b})"]
            texts += [f"xp.histogram({a}, [-3, -1, 0, 2, 4])[0]"]
        if value.dtype.kind in "bu" and value.ndim == 1 and value.size and int(value.max()) < 1000:
            texts += [f"xp.bincount({a})", f"xp.bincount({a}, minlength=9)", f"xp.bincount({a}, {a})"]
        return self.bind(rng.choice(texts), "exact", a, b, layout=False)

    def statistics(self):
        rng, a = self.rng, self.small_array(kinds="iuf")
        if a is None or self.has_negative_zero(a) or self.has_nan(a) or self.value(a).dtype == np.float16:
            return None
        value = self.value(a)
        axis = self.one_axis(value)
        n = value.shape[axis]
        if not value.size:
            return None
        k = rng.randint(-n, n - 1)
        last = f"xp.moveaxis({a}, {axis}, -1)"
        texts = [
            (f"xp.partition({last}, {k})[..., {k}]", "move"),
            (f"xp.take_along_axis({last}, xp.argpartition({last}, {k}), -1)[..., {k}]", "move"),
            (f"xp.median({a}, axis={axis})", "mean"),
            (f"xp.median({a}, axis={axis}, keepdims=True)", "mean"),
        ]
        if not np.isinf(value).any():
            q = rng.choice([0, 25, 50, 80, 100])
            for method in rng.sample(["lower", "higher", "nearest", "linear", "midpoint"], 2):
                texts += [(f"xp.percentile({a}, {q}, axis={axis}, method={method!r})", "mean")]
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)

    def signal(self):
        """Sliding products, interpolation, weighted counts."""
        rng, a = self.rng, self.small_array(1500, kinds="iuf")
        if a is None or self.value(a).dtype == np.float16 or not self.value(a).size:
            return None
        value = self.value(a)
        flat, n = f"xp.ravel({a})", value.size
        weights = f"xp.asarray({[rng.randint(-1, 1) for _ in range(rng.randint(1, 4))]}, dtype={value.dtype.str[1:]!r})"
        if value.dtype.kind == "u":
            weights = weights.replace("-", "")
        bins = f"xp.arange({n}) % {rng.randint(1, 7)}"
        texts = [
            (f"xp.convolve({flat}, {weights}, {rng.choice(['full', 'same', 'valid'])!r})", "sum"),
            (f"xp.correlate({flat}, {weights}, {rng.choice(['full', 'same', 'valid'])!r})", "sum"),
            (
                f"xp.bincount({bins}, xp.sign({flat}))"  # a sign that rounding decides is nobody's business
                if value.dtype.kind == "f" and not self.state.bounds.get(a, 0.0)
                else f"xp.bincount({bins})",
                "sum",
            ),
        ]
        finite = value.dtype.kind == "f" and np.isfinite(value).all() and (np.abs(value) < 100).all()
        if finite and not self.state.bounds.get(a):
            at = rng.choice(["[-1.0, 0.25, 1.0, 2.5, 99.0]", "xp.arange(7) / 4", "0.5"])
            texts += [(f"xp.interp({at}, xp.arange({n}) * 0.5, {flat})", "sum")]
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)

    def choice_of(self):
        """Element by element from several arrays."""
        rng, a = self.rng, self.small_array(kinds="biuf")
        c = self.name(lambda v: np.asarray(v).dtype.kind in "iuf", exact=True)
        if a is None or c is None:
            return None
        text, b = self.operand(self.value(a))
        if "j" in text or (b and np.asarray(self.value(b)).dtype.kind == "c"):
            return None
        texts = [
            f"xp.select([{c} > 1, {c} < 0], [{a}, {a}[::-1]], 7)"
            if self.value(a).dtype.kind != "b"
            else f"{a}.copy()",
            f"xp.where({c} > 0, {a}, {text})",
            f"xp.choose(({c} > 0).astype('i8'), [{a}, {a}[:1]])",
        ]
        if not self.has_negative_zero(a) and not (b and self.has_negative_zero(b)):
            texts += [f"xp.clip({a}, None, {text})", f"xp.clip({a}, {text}, None)"]
        return self.bind(rng.choice(texts), "move", a, b, c, layout=False)

    # -- Writing ----------------------------------------------------------------------------------------

    def write_through(self):
        """Writes through positions and masks that are functions rather than indices."""
        rng, a = self.rng, self.writable()
        if a is None or self.value(a).ndim == 0 or self.value(a).size == 0:
            return None
        value = self.value(a)
        new = str(rng.randint(0, 1))
        values = repr([rng.randint(0, 1) for _ in range(3)])
        axis = self.one_axis(value)
        n, row = value.shape[axis], value.shape[0]
        ones = tuple(1 if d == axis % value.ndim else s for d, s in enumerate(value.shape))
        forms = [
            (f"xp.put({a}, {[rng.randint(0, value.size - 1) for _ in range(3)]}, {values})", "move"),
            (f"xp.put({a}, {self.positions(99)}, {values}, mode={rng.choice(['wrap', 'clip'])!r})", "move"),
            (
                f"xp.put_along_axis({a}, xp.full({ones}, {rng.randint(-n, n - 1)}), {new}, axis={axis})",
                "move",
            ),
            (f"xp.copyto({a}, {new}, where={self.mask(value.shape[-1])})", "move"),
            (f"{a}[{self.mask(row)}] = {new}", "move"),
        ]
        if value.ndim == 2 or (value.ndim > 2 and len(set(value.shape)) == 1):
            forms += [(f"xp.fill_diagonal({a}, {new})", "move")]
        if not self.state.bounds.get(a) and value.dtype.kind != "c":
            forms += [
                (f"xp.place({a}, {a} > 0, {values})", "move"),
                (f"xp.putmask({a}, {a} < 1, {values})", "move"),
            ]
        if value.dtype.kind in "iuf":
            at = [rng.randint(-row, row - 1) for _ in range(4)]
            added = rng.choice(["1", "0.5" if value.dtype.kind == "f" else "2"])
            forms += [(f"xp.add.at({a}, {at}, {added})", "add")] if value.dtype != np.uint64 else []
            if not self.has_negative_zero(a):
                forms += [(f"xp.maximum.at({a}, {at}, 1)", "move")]
        text, rule = rng.choice(forms)
        return Step(text, target=a, operands=(a,), rule=rule)

    # -- Parts of the texts -----------------------------------------------------------------------------

    def positions(self, limit):
        return [self.rng.randint(-limit, limit) for _ in range(3)]

    def mask(self, n):
        """A list of bools for short axes, else one that an expression gives."""
        if n < 20:
            return f"xp.asarray({[self.rng.random() < 0.5 for _ in range(n)]}, dtype='?')"
        return f"xp.arange({n}) % {self.rng.randint(2, 5)} == 1"

    def slice_value(self, n):
        ends = [self.rng.randint(-n, n) if n and self.rng.random() < 0.6 else None for _ in range(2)]
        return f"slice({ends[0]}, {ends[1]}, {self.rng.choice([None, 2, -1])})"
