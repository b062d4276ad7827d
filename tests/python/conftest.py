"""What all Python tests share: the seed of the random programs, hypothesis profiles, a clean engine after each test."""

import os
import subprocess
import sys

import hypothesis
import pytest

sys.path.insert(0, os.path.dirname(__file__))

# As strict as a GPU: a NumPy array that is mixed in by accident is found on the CPU too (docs/guide/transfers.md).
os.environ.setdefault("CUPRUM_TRANSFERS", "error")

hypothesis.settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, print_blob=True)
hypothesis.settings.register_profile("few", hypothesis.settings.get_profile("ci"), max_examples=20)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=2000, print_blob=True)
_profile = os.environ.get("CUPRUM_HYPOTHESIS", "ci")
if _profile.isdecimal():  # so many times the examples of "ci", other ones in every run
    hypothesis.settings.register_profile(
        _profile, deadline=None, max_examples=60 * int(_profile), print_blob=True
    )
hypothesis.settings.load_profile(_profile)


def commit_seed():
    """A seed that changes with every commit and is the same for everybody who tests that commit."""
    here = os.path.dirname(os.path.abspath(__file__))
    found = subprocess.run(
        ["git", "-C", here, "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return int(found.stdout.strip()[:7] or "0", 16) * 1000


_seed = os.environ.get("CUPRUM_PROGRAM_SEED")
if _seed is None:
    # Set before xdist starts its workers, so that all of them share it.
    _seed = os.environ["CUPRUM_PROGRAM_SEED"] = str(commit_seed())


def pytest_addoption(parser):
    parser.addoption(
        "--arrays-on",
        metavar="DEVICE",
        help="the tests make their arrays there, and the current device is another (elsewhere.py)",
    )


def pytest_configure(config):
    if device := config.getoption("--arrays-on"):
        import elsewhere

        elsewhere.install(device)
        if _profile == "ci":  # the plain run has drawn the others
            hypothesis.settings.load_profile("few")


def pytest_collection_modifyitems(config, items):
    import auto_exceptions

    reasons = [auto_exceptions.why_left_out]
    if config.getoption("--arrays-on"):
        import elsewhere

        reasons.append(elsewhere.why_left_out)
    for item in items:
        for why_left_out in reasons:
            if reason := why_left_out(item):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_report_header(config):
    from cuprum import _core

    return f"random programs: CUPRUM_PROGRAM_SEED={_seed}; delays of far: CUPRUM_FAR_SEED={_core.far_seed()}"


@pytest.fixture(scope="session")
def program_seed():
    return int(_seed)


@pytest.fixture
def debugging():
    """As under CUPRUM_DEBUG=1, but still lazy. For tests that ask for an IndexError at the call: a device may find
    a bad index after it (devices.py: `asks_for_index_errors`)."""
    from cuprum import _core

    before = _core.get_debug()
    _core.set_debug(True)
    yield
    _core.set_debug(before)


@pytest.fixture(autouse=True)
def nothing_left_behind():
    """An index error that a device has yet to tell belongs to the test that made it."""
    yield
    package = sys.modules.get("cuprum")
    if package:
        package._core.wait(package.empty(0).device.name)


@pytest.fixture
def switch_often():
    """Threads of Python take turns a hundred times as often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)
