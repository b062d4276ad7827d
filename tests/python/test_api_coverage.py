"""Every name of NumPy and CuPy is there, or tools/api_coverage.py says why not, or when."""

import sys
from pathlib import Path

import pytest

import cuprum as cp
from cuprum import _missing

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import api_coverage

sys.path.pop(0)


def test_what_is_missing_has_a_reason():
    unexplained = [x.name for x in api_coverage.missing() if not (x.reason or x.milestone)]
    assert not unexplained, "write them, or the reason into tools/api_coverage.py"


def test_milestones_are_in_the_roadmap():
    planned = {milestone for _, _, milestone in api_coverage.REASONS} - {""}
    assert planned <= set(api_coverage.milestones())


def test_names_are_found_where_they_should_be():
    assert api_coverage.counterpart("numpy") is cp
    assert api_coverage.counterpart("cupy.ndarray") is cp.ndarray
    assert api_coverage.counterpart("numpy.nowhere.deeper") is None
    gone = {x.name for x in api_coverage.missing()}
    assert "numpy.matrix" in gone and "numpy.sum" not in gone and "numpy.ndarray.sum" not in gone


def test_a_name_without_a_reason_is_noticed():
    assert api_coverage.explained("numpy.something_new") == ("numpy.something_new", "", "")
    assert api_coverage.explained("cupy.cuda.nvrtc").milestone == _missing.KERNELS


def test_page_lists_every_missing_name():
    page = api_coverage.page()
    for x in api_coverage.missing():
        assert f"`{x.name.rpartition('.')[2]}`" in page
    assert "no reason" not in page


@pytest.mark.parametrize("section", ["numpy", "numpy.ndarray", "numpy.ufunc"])
def test_the_list_has_what_the_installed_numpy_has(section):
    """A newer NumPy may have more: `python tools/api_coverage.py --update` takes them in."""
    known = set(api_coverage.names()[section])
    assert len(known & set(api_coverage.numpys_names(section))) > 0.95 * len(known)
