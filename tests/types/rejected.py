"""Typed user code with mistakes. mypy must reject exactly the lines marked `# rejected` (tools/check_types.py)."""

import cuprum as cp

x = cp.zeros(3)
cp.zeros("three")  # rejected
cp.zeros(3, order=1)  # rejected
cp.sum(x, axis="0")  # rejected
cp.sum(x, keepdim=True)  # rejected
cp.sum(x, keepdims="yes")  # rejected
cp.no_such_function(x)  # rejected
x.no_such_method()  # rejected
x.reshape("2, 3")  # rejected
x.size = 4  # rejected
x["name"]  # rejected
number: int = cp.ones(2)  # rejected
text: str = x.shape  # rejected
quotient, rest, more = cp.divmod(x, 2)  # rejected
cp.concatenate(1)  # rejected
cp.sort(x, order="name")  # rejected
cp.sort(x, axis=0).shape
