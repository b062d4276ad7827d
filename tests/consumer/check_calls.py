"""Reads what `calls` printed and compares it with NumPy: python check_calls.py < output."""

import re
import sys

import numpy as np

KNOWN = {
    "np": np,
    "x": np.linspace(0, 1, 4),
    "i": np.arange(6).reshape(2, 3),
    "m": np.arange(12.0).reshape(3, 4),
    "y": np.array([3.0, np.nan, 1.0]),
    "v": np.array([3, 1, 2, 3, 0]),
    "a": np.array([[2.0, 1.0], [1.0, 3.0]]),
    "b": np.array([3.0, 5.0]),
}


def main():
    np.seterr(all="ignore")
    calls = re.split("^> ", sys.stdin.read(), flags=re.MULTILINE)[1:]
    wrong = 0
    for call in calls:
        python, _, printed = call.partition("\n")
        expected = str(np.asarray(eval(python, dict(KNOWN))))
        if printed.rstrip("\n") != expected:
            wrong += 1
            print(f"{python}\nC++:\n{printed}NumPy:\n{expected}\n")
    print(f"{len(calls) - wrong} passed, {wrong} failed")
    return 1 if wrong or len(calls) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
