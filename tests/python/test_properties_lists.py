"""Every public function with lists and Python's numbers in the place of arrays, against NumPy."""

import re

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import cuprum as cp
from namespace_draws import ARRAYS, expressions, into
from oracle import compare, run, run_on_device
from test_properties_namespace import TABLE, changed

# Where NumPy has another answer for a list than for the array that it makes of it.
APART = {
    **dict.fromkeys(["array_split", "dsplit", "hsplit", "split", "vsplit"], "len() instead of the length of the axis"),
    "array": "ndmax=0, which is the default, is a limit to lists",
    "diff": "n=0 gives the list back",
    **dict.fromkeys(["dot", "inner"], "an empty list has no dtype"),
    **dict.fromkeys(["may_share_memory", "shares_memory"], "arrays are made to be asked"),
    **dict.fromkeys(["nanmax", "nanmin"], "`initial` does not count where all is NaN or nothing"),
    **dict.fromkeys(["ravel_multi_index", "unravel_index"], "SystemError for empty lists"),
}  # fmt: skip


ATTRIBUTE = re.compile(rf"\b[{''.join(ARRAYS)}][.\[]|\bw\b")  # of an array that is drawn, or of a copy


def plain_lines():
    """function -> the lines that ask nothing of an array but to be given to the function"""
    rows = {name: [row for row in rows if not ATTRIBUTE.search(row[0])] for name, rows in TABLE.items()}
    return {name: found for name, found in rows.items() if found and name not in APART}


LINES = plain_lines()


def test_what_is_apart_is_a_function():
    assert set(APART) <= set(TABLE)


@pytest.mark.parametrize("name", sorted(LINES))
@settings(max_examples=max(settings().max_examples // 8, 1))
@given(data=st.data())
def test_lists(name, data):
    tolerances = {line: rest for line, *rest in LINES[name]}
    template = data.draw(st.sampled_from(sorted(tolerances)))
    source, arrays, _ = data.draw(expressions(template))
    note(source)
    ulps, zeros = tolerances[template]
    want = run(source, {"np": np, "xp": np, "into": into, **{k: a.tolist() for k, a in arrays.items()}})
    if isinstance(want, AttributeError):
        return  # NumPy asks the list for its shape
    lists = {k: a.tolist() for k, a in arrays.items()}
    got = run_on_device(source, {"np": np, "xp": cp, "into": into, **lists}, want)
    if not changed(name, got, want):
        compare(got, want, texts=False, ulps=ulps, zeros=zeros)
