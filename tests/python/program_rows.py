"""Steps that reduce rows and go back to their elements: what becomes the stages of one kernel."""

import numpy as np

from program_choices import Choices

BACK = [("-", "add"), ("+", "add"), ("-", "add"), ("*", "mul")]


class RowSteps(Choices):
    def row_value(self):
        """One value per row, with the reduced axes kept."""
        rng = self.rng
        a = self.name(lambda v: isinstance(v, np.ndarray) and v.ndim and v.size and v.dtype.kind in "iuf")
        if a is None or (self.value(a).dtype == np.float16 and self.value(a).size > 64):
            return None
        functions = [("sum", "sum"), ("mean", "mean"), ("var", "var"), ("std", "std")]
        if not self.has_negative_zero(a):
            functions += [("max", "move"), ("min", "move")]
        function, rule = rng.choice(functions)
        axis = self.axis(self.value(a)) if rng.random() < 0.3 else self.one_axis(self.value(a))
        return self.bind(f"{a}.{function}(axis={axis}, keepdims=True)", rule, a, layout=False)

    def with_rows(self):
        """Elements and a value of their row, in one expression; sometimes reduced once more."""
        rng = self.rng
        row = self.name(lambda v: isinstance(v, np.ndarray) and 1 in v.shape and v.dtype.kind in "iuf")
        if row is None:
            return None
        shape = self.value(row).shape

        def has_rows(v):
            return (
                isinstance(v, np.ndarray)
                and v.ndim == len(shape)
                and v.size > self.value(row).size
                and v.dtype.kind in "iuf"
                and all(r in (1, n) for r, n in zip(shape, v.shape))
            )

        a = self.name(has_rows)
        if a is None:
            return None
        symbol, rule = rng.choice(BACK)
        left, right = (a, row) if rng.random() < 0.7 else (row, a)
        return self.bind(f"{left} {symbol} {right}", rule, a, row)
