"""Steps over composed functions: contractions, arrays put together and taken apart, values without NaN, weights."""

import numpy as np

from program_choices import Choices

LARGEST = 20_000  # elements of a contraction


class CompositeSteps(Choices):
    def composite_of(self, limit=2000, kinds="biufc", exact=False, least=1):
        def fits(v):
            return (
                isinstance(v, np.ndarray) and least <= v.ndim < 4 and v.size < limit and v.dtype.kind in kinds
            )

        return self.name(fits, exact=exact)

    # -- Products ---------------------------------------------------------------------------------------

    def contract(self):
        """einsum and its relatives, of an array with itself: so the axes fit."""
        rng, a = self.rng, self.composite_of(600)
        if a is None or self.value(a).dtype == np.float16:
            return None
        value = self.value(a)
        labels = "ijk"[: value.ndim]
        kept = "".join(rng.sample(labels, rng.randint(0, value.ndim)))
        second = labels[:-1] + "z"
        texts = [
            f"xp.einsum('{labels}->{kept}', {a})",
            f"xp.einsum('{labels},{labels}->{kept}', {a}, {a})",
            f"xp.einsum('{labels},{second}->z{kept}', {a}, {a}, optimize={rng.random() < 0.5})",
            f"xp.einsum('...i,...i', {a}, {a})",
            f"xp.vecdot({a}, {a}[..., :], axis={self.one_axis(value)})",
            f"xp.tensordot({a}, {a}, axes=([0], [0]))",
            f"xp.inner({a}, {a})",
            f"xp.vdot({a}, {a})",
            f"xp.kron({a}[:2], {a}[:2])",
        ]
        text = rng.choice(texts)
        if any(name in text for name in ("tensordot", "inner", "->z", "kron")) and value.size**2 > LARGEST:
            return None
        return self.bind(text, "dot", a, layout=False)

    # -- Put together and taken apart -------------------------------------------------------------------

    def assemble(self):
        rng, a = self.rng, self.composite_of()
        if a is None:
            return None
        value = self.value(a)
        axis = self.one_axis(value)
        texts = [
            f"xp.block([[{a}, {a}], [{a}, {a}]])",
            f"xp.dstack([{a}, {a}])",
            f"xp.column_stack([{a}, {a}])",
            f"xp.atleast_3d({a})",
            f"xp.extract({a} == {a}, {a})",
            f"xp.array_split({a}, {rng.randint(1, 4)}, axis={axis})[0]",
            f"xp.broadcast_arrays({a}, {a}[..., :1])[1].copy()",
            f"xp.permute_dims({a}, {rng.sample(range(value.ndim), value.ndim)})",
        ]
        if value.shape[axis]:
            texts += [f"xp.unstack({a}, axis={axis})[{rng.randint(-1, 0)}]"]
        if value.ndim == 1 and value.size < 100:
            texts += [f"xp.diag({a}, {rng.randint(-2, 2)})", f"xp.diagflat({a})", f"xp.vander({a}[:4], 2)"]
            texts += [
                f"xp.meshgrid({a}, {a}[:3], indexing={rng.choice(['xy', 'ij'])!r})[{rng.randint(0, 1)}]"
            ]
        if value.ndim == 2:
            texts += [f"xp.diag({a}, {rng.randint(-2, 2)})", f"xp.matrix_transpose({a})"]
            texts += [
                f"{a}[xp.tril_indices_from({a})]",
                f"{a}[xp.ix_({self.some(value, 0)}, {self.some(value, 1)})]",
            ]
        return self.bind(rng.choice(texts), "move", a, layout=False)

    def some(self, value, axis):
        return self.indices(value.shape[axis], 3)

    # -- Values -----------------------------------------------------------------------------------------

    def clean(self):
        """NaN replaced or left out, pieces, closeness, neighbours: of exact values."""
        rng, a = self.rng, self.composite_of(kinds="iuf", exact=True)
        if a is None or self.value(a).dtype == np.float16:
            return None
        value = self.value(a)
        axis, along = self.axis(value), self.one_axis(value)
        neighbours = (
            f"xp.roll({a}, {rng.randint(-3, 3)}, {along}) - xp.roll({a}, {rng.randint(-3, 3)}, 0) * 2"
        )
        texts = [
            (f"{neighbours} + {a}", "exact"),
            (f"({neighbours})[{rng.randint(0, 1)} :: {rng.choice([-1, 1, 2])}]", "exact"),
            (f"xp.nan_to_num({a})", "move"),
            (f"xp.nan_to_num({a}, nan=2.5, posinf=7, neginf=-7)", "move"),
            (f"xp.nanprod(xp.sign({a}), axis={axis})", "exact"),
            (f"xp.nanmean({a}, axis={axis})", "mean"),
            (f"xp.nanstd({a}, axis={axis})", "std"),
            (f"xp.piecewise({a}, [{a} < 0, {a} > 1], [2, lambda y: y, 1])", "move"),
            (f"xp.isclose({a}, {a}[::-1])", "exact"),
            (f"xp.fix({a})", "exact"),
            (f"xp.real_if_close({a})", "move"),
            (f"xp.packbits({a} > 0, axis={self.one_axis(value)})", "exact"),
            (f"xp.unpackbits(xp.packbits({a} > 0))", "exact"),
            (f"xp.array(xp.unravel_index(xp.flatnonzero({a} > 0), {value.shape}))", "exact"),
            (f"xp.lexsort(({a}, {a}[::-1]), axis={self.one_axis(value)})", "exact"),
            (
                f"xp.apply_along_axis(lambda y: y[::-1], 0, {a})"
                if 0 < value.size < 60
                else f"xp.flipud({a})",
                "move",
            ),
        ]
        if value.size and not self.has_nan(a) and not self.has_negative_zero(a):
            texts += [(f"xp.nanmin({a}, axis={axis})", "move"), (f"xp.amax({a}, axis={axis})", "move")]
            texts += [(f"xp.nanargmax({a})", "exact"), (f"xp.nanmedian({a}, axis={axis})", "mean")]
            if np.isfinite(value).all():
                texts += [(f"xp.quantile({a}, 0.25, axis={axis}, method='lower')", "mean")]
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)

    def weigh(self):
        """Integrals, weighted means, polynomials."""
        rng, a = self.rng, self.composite_of(1000, kinds="iuf")
        if a is None or self.value(a).dtype == np.float16 or not self.value(a).size:
            return None
        value = self.value(a)
        axis = self.one_axis(value)
        texts = [
            (f"xp.trapezoid({a}, axis={axis})", "sum"),
            (f"xp.average({a}, axis={axis})", "mean"),
            (f"xp.average({a}, axis={axis}, weights=xp.arange(1, {value.shape[axis] + 1}))", "sum"),
            (f"xp.linspace({a}, {a}, 3, axis={axis})", "sum"),
        ]
        if value.dtype.kind in "iu":
            texts += [
                (f"xp.polyval([1, -2, 3], {a})", "exact"),
                (f"xp.polyadd({a}.ravel(), [1, 2])", "exact"),
            ]
            texts += [(f"xp.polymul({a}.ravel()[:9], [1, 2])", "exact")]
        text, rule = rng.choice(texts)
        return self.bind(text, rule, a, layout=False)
