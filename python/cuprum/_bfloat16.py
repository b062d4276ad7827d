"""What stands for the dtype bfloat16 where the package ml_dtypes, which gives NumPy that dtype, is not installed.

Arrays of it compute as ever; they become NumPy arrays through `astype(cp.float32)`.
"""


class BFloat16Type:
    """A dtype with the attributes that programs ask for."""

    name = "bfloat16"
    kind = "V"
    char = "E"
    str = "<V2"
    itemsize = 2
    alignment = 2
    isbuiltin = 0
    isnative = True

    @property
    def type(self):
        return self

    def __repr__(self):
        return "dtype(bfloat16)"

    def __str__(self):
        return "bfloat16"

    def __eq__(self, other):
        return self is other or other == "bfloat16" or getattr(other, "name", None) == "bfloat16"

    def __hash__(self):
        return hash("bfloat16")

    def __reduce__(self):
        return "bfloat16"


bfloat16 = BFloat16Type()
