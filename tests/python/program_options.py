"""Steps with the options of reductions (where=, initial=, out=), functions that leave NaN out, weighted counts in bins,
grids, pieces, and several results of one ufunc."""

import numpy as np

from program_choices import Choices
from programs import Step


class OptionSteps(Choices):
    def some_array(self, limit=3000, kinds="biuf", exact=False, least=1):
        """The name of an array; float16 rounds on its own way through a sum."""

        def fits(v):
            kind = isinstance(v, np.ndarray) and v.dtype.kind in kinds and v.dtype != np.float16
            return kind and least <= v.ndim < 5 and v.size < limit

        return self.name(fits, exact=exact)

    # -- Reductions -------------------------------------------------------------------------------------

    def masked(self):
        """A reduction of the elements that a mask names."""
        rng, a = self.rng, self.some_array()
        if a is None:
            return None
        value, inexact = self.value(a), bool(self.state.bounds.get(a))
        kind, axis = value.dtype.kind, self.axis(value)
        where = self.mask_of(value)
        if where is None:
            return None
        mask, named = where
        keep = rng.choice(["", ", keepdims=True"])
        start = rng.choice(["True", "False"]) if kind == "b" else str(rng.randint(0, 5))
        calls = [("sum", "", "sum"), ("mean", "", "mean")]
        if kind in "biu":
            calls += [("sum", f", initial={start}", "exact"), ("prod", f", initial={start}", "exact")]
        if not inexact:
            calls += [("any", "", "exact"), ("all", "", "exact"), ("var", "", "var"), ("std", "", "std")]
        if not self.has_negative_zero(a):
            calls += [(f, f", initial={start}", "move") for f in ("max", "min")]
            if not self.has_nan(a):
                calls += [(f, f", initial={start}", "move") for f in ("nanmax", "nanmin")]
        function, initial, rule = rng.choice(calls)
        text = f"xp.{function}({a}, axis={axis}{initial}, where={mask}{keep})"
        if function in ("sum", "max", "min") and initial and axis.lstrip("-").isdigit():
            name = {"sum": "add", "max": "maximum", "min": "minimum"}[function]
            if rng.random() < 0.3 and kind != "b":
                text = f"xp.{name}.reduce({a}, axis={axis}{initial}, where={mask}{keep})"
        return self.bind(text, rule, a, named, layout=False)

    def mask_of(self, value):
        """(text, name or None) of bools that broadcast to the shape of `value`."""

        def fits(v):
            if np.asarray(v).dtype.kind != "b":
                return False
            try:
                return np.broadcast_shapes(np.shape(v), value.shape) == value.shape
            except ValueError:
                return False

        name = self.name(fits, exact=True)
        if name and self.rng.random() < 0.6:
            return name, name
        if value.size == 0:
            return None
        return f"(xp.arange({value.shape[-1]}) % {self.rng.randint(1, 4)} == 0)", None

    def into(self):
        """A reduction or a scan that writes into a new array, sometimes one with gaps."""
        rng, a = self.rng, self.some_array(kinds="biu", exact=True)
        if a is None:
            return None
        value, axis = self.value(a), self.one_axis(self.value(a))
        scans = ["cumsum", "cumprod", "nancumsum", "nancumprod"]
        function = rng.choice(["sum", "prod", "max", "min", "argmax", "any", "all", *scans])
        if not value.size and function in ("max", "min", "argmax"):
            return None
        shape = list(value.shape)
        if function not in scans:
            del shape[axis]
        dtype = "u8" if value.dtype == np.uint64 and function != "argmax" else "i8"
        if function in ("max", "min", "any", "all"):  # nothing is rounded
            dtype = rng.choice([dtype, "f8"])
        gaps = ", ".join("::2" for _ in shape)
        target = f"xp.zeros({tuple(shape)}, {dtype!r})"
        if shape and rng.random() < 0.4:
            target = f"xp.zeros({tuple(2 * n for n in shape)}, {dtype!r})[{gaps}]"
        return self.bind(f"xp.{function}({a}, axis={axis}, out={target})", "exact", a, layout=False)

    def without_nan(self):
        rng, a = self.rng, self.some_array(kinds="iuf", exact=True)
        if a is None or self.has_negative_zero(a) or not self.value(a).size:
            return None
        value = self.value(a)
        axis, kind = self.one_axis(value), value.dtype.kind
        texts = [
            (f"xp.nanvar({a}, axis={axis}, ddof={rng.randint(0, 1)})", "var"),
            (f"xp.nancumsum({a}, axis={axis})", "sum"),
            (f"xp.nanmin({a}, axis={self.axis(value)})", "move"),
            (f"xp.nanmax({a}, axis={self.axis(value)}, keepdims=True)", "move"),
            (f"xp.nansum({a}, axis={self.axis(value)})", "sum"),
        ]
        if kind in "iu":
            texts += [(f"xp.nancumprod({a}, axis={axis})", "exact")]
        whole = kind != "f" or not np.isnan(value).all(axis=axis).any()
        if whole:
            texts += [(f"xp.nanarg{f}({a}, axis={axis})", "exact") for f in ("min", "max")]
        if whole and not np.isinf(value).any():
            q = rng.choice([0, 25, 50, 80, 100])
            method = rng.choice(["lower", "higher", "nearest", "linear", "midpoint"])
            texts += [(f"xp.nanpercentile({a}, {q}, axis={axis}, method={method!r})", "mean")]
            texts += [(f"xp.nanquantile({a}, {q / 100}, axis={axis}, keepdims=True)", "mean")]
            texts += [(f"xp.nanmedian({a}, axis={axis})", "mean")]
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)

    # -- Counts -----------------------------------------------------------------------------------------

    def count(self):
        """Bins, sets and positions: of exact finite values."""
        rng, a = self.rng, self.some_array(kinds="iuf", exact=True)
        if a is None or self.has_negative_zero(a) or not np.isfinite(self.value(a)).all():
            return None
        value = self.value(a)
        flat, n = f"xp.ravel({a})", value.size
        other = f"xp.ravel({a})[::-1]"
        edges = "[-3, -1, 0, 2.5, 4]"
        texts = [
            f"xp.histogram({flat}, {edges}, weights=xp.arange({n}) * 0.5)[0]",
            f"xp.histogram({flat}, {rng.randint(1, 9)}, (-4, 4))[0]",
            f"xp.histogram2d({flat}, {other}, [{edges}, 4], [[-4, 4], [-2, 2]])[0]",
            f"xp.histogramdd([{flat}, {other}], [{edges}, [-1, 0, 1]])[0]",
            f"xp.setxor1d({a}, [0, 1, 2])",
            f"xp.isin({a}, [0, 1, 2], invert=True)",
            f"xp.unique_counts({a})[1]",
            f"xp.unique_inverse({a})[1]",
            f"xp.unique_all({a})[1]",
            f"xp.ravel_multi_index((xp.arange({n}) % 3, xp.arange({n}) % 5), (3, 5))",
            f"xp.unravel_index(xp.arange({n}), ({max(n, 1)}, 2))[1]",
            f"xp.sort_complex({flat})",
        ]
        return self.bind(rng.choice(texts), "exact", a, layout=False)

    # -- Products ---------------------------------------------------------------------------------------

    def pair_product(self):
        rng, a = self.rng, self.some_array(600, kinds="biufc", least=2)
        if a is None:
            return None
        value = self.value(a)
        texts = [
            f"xp.matvec({a}, {a}[..., 0, :])" if value.shape[-2] else f"{a} * 2",
            f"xp.vecmat({a}[..., :, 0], {a})" if value.shape[-1] else f"{a} * 2",
            f"xp.einsum('...ij,...ij->...i', {a}, {a})",
        ]
        if value.shape[-1] == 3 and value.dtype.kind != "b":
            texts += [f"xp.cross({a}, {a}[..., ::-1])"]
        return self.bind(rng.choice(texts), "dot", a, layout=False)

    # -- Grids and pieces -------------------------------------------------------------------------------

    def grid(self):
        rng = self.rng
        n, m = rng.randint(0, 5), rng.randint(1, 5)
        return self.bind(
            rng.choice(
                [
                    f"xp.mgrid[0:{n}, -1:{m}]",
                    f"xp.ogrid[0:{n}, 0:1:{m}j][1]",
                    f"xp.indices(({n}, {m}))",
                    f"xp.tri({n}, {m}, {rng.randint(-2, 2)}, dtype={self.dtype()!r})",
                    f"xp.identity({m})",
                    f"xp.array(xp.triu_indices({m}, {rng.randint(-1, 1)}))",
                    f"xp.array(xp.diag_indices({m}))",
                    f"xp.fromfunction(lambda i, j: 2 * i + j, ({n}, {m}))",
                ]
            ),
            "exact",
            layout=False,
        )

    def piece(self):
        """Parts of arrays, most of them views, and arrays put together by indexing."""
        rng, a = self.rng, self.name(lambda v: isinstance(v, np.ndarray) and v.size < 4000)
        if a is None:
            return None
        value = self.value(a)
        texts = [f"xp.atleast_1d({a})", f"xp.atleast_2d({a})", f"xp.asanyarray({a})"]
        if value.ndim:
            texts += [
                f"xp.r_[xp.ravel({a}), 1, xp.ravel({a})[::-1]]" if value.dtype.kind != "b" else f"{a}.copy()",
                f"xp.c_[xp.ravel({a}), xp.ravel({a})]",
                f"xp.concat([{a}, {a}[:1]])",
                f"xp.hsplit({a}, [1])[{rng.randint(0, 1)}]",
            ]
        if value.ndim > 1:
            texts += [f"xp.vsplit({a}, [1])[{rng.randint(0, 1)}]"]
        if value.ndim > 2:
            texts += [f"xp.dsplit({a}, [1])[{rng.randint(0, 1)}]"]
        return self.bind(rng.choice(texts), "view", a, layout=False)

    # -- Values -----------------------------------------------------------------------------------------

    def several(self):
        """One of the results of a ufunc that has two, polynomials, jumps taken out: of exact values."""
        rng, a = self.rng, self.some_array(kinds="iuf", exact=True, least=0)
        if a is None:
            return None
        value = self.value(a)
        which = rng.randint(0, 1)
        texts = [f"xp.divmod({a}, 2)[{which}]", f"divmod({a}, 3)[{which}]"]
        if value.dtype.kind == "f":
            texts += [
                f"xp.modf({a})[{which}]",
                f"xp.frexp({a})[{which}]",
                f"xp.ldexp({a}, {rng.randint(-2, 2)})",
            ]
        elif value.ndim == 1 and 1 < value.size < 50 and value.dtype != np.uint64:
            texts += [f"xp.unwrap({a}, period=4)", f"xp.polysub({a}, [1, 2])", f"xp.polyder({a})"]
        return self.bind(rng.choice(texts), "exact", a, layout=False)

    def write_flat(self):
        """Writes in C order, whatever the order in memory; values that are too few begin again."""
        rng, a = self.rng, self.writable()
        if a is None or self.value(a).size == 0:
            return None
        n = self.value(a).size
        key = rng.choice([rng.randint(-n, n - 1), f"{rng.randint(0, n)}::2", "::-3", [0, n - 1, 0], "..."])
        value = (
            rng.randint(0, 1)
            if isinstance(key, int)
            else [rng.randint(0, 1) for _ in range(rng.randint(1, 3))]
        )
        return Step(f"{a}.flat[{key}] = {value}", target=a, operands=(a,), rule="move")
