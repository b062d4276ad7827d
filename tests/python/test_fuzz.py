"""A short run of tools/fuzz_binding.py: hostile objects for everything public. Exceptions are answers; a crash, a hang
or words about the library's inside are not.

CUPRUM_FUZZ_SEED (one per commit otherwise) and CUPRUM_FUZZ_COUNT set the first seed and the number of calls. What was
found is kept below.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"

COUNT = int(os.environ.get("CUPRUM_FUZZ_COUNT", "12000"))
BATCHES = 8
SEED = int(os.environ.get("CUPRUM_FUZZ_SEED", os.environ["CUPRUM_PROGRAM_SEED"]))


def fuzz(folder, *options):
    command = [sys.executable, str(TOOLS / "fuzz_binding.py"), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=900, cwd=folder)
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_calls(batch, tmp_path):
    fuzz(tmp_path, "--seed", SEED + batch, "--count", -(-COUNT // BATCHES))


# Calls that once crashed, hung or raised what no caller can use.
FOUND = [
    "r = cp.ldexp.accumulate(cp.arange(3))",
    "r = cp.ldexp.reduce(cp.arange(3))",
    "r = cp.array_equiv(cp.ones((1,) * 64), cp.ones(3))",
    "r = cp.broadcast_shapes((1,) * 64, (3,))",
    "r = cp.rot90(cp.ones((2, 3)), 10**40, odd('object', 'index', 'wrong', 1))",
    # text that has no UTF-8
    "r = cp.abs(cp.ones(3), casting='\\ud800')",
    "r = cp.ones(3).sum(**{'\\ud800': 1})",
    "r = cp.add(cp.ones(3), 1, **{'\\ud800': 1})",
    "r = cp.ones(3).reshape(**{'\\ud800': 1})",
    "r = cp.ones(3).get(order='\\ud800')",
    "r = cp.ones(3).astype('f4', casting='\\ud800')",
    "r = cp.ones(3).flags['\\ud800']",
    "r = cp.zeros(3, device='\\ud800')",
    "r = cp.zeros(odd('object', 'index', 'raise', 1))",
    "r = cp.can_cast('f4', 'f8', '\\ud800')",
    # lists without end
    "r = cp.evaluate(loop())",
    "r = cp.show_graph(loop())",
    "r = cp.evaluate(deep(100000))",
    "r = cp.asarray(loop())",
    "L = []; L += [L, L]; r = cp.asarray(L)",
    "r = cp.asarray(deep(100000, cp.ones(2)))",
    "r = cp.block(loop())",
    "r = cp.ones(3)[loop()]",
    "r = cp.zeros(range(2**70))",
    "r = cp.zeros(cp.arange(4 * 10**6))",
    "r = cp.broadcast_shapes(range(2**70))",
    "r = cp.ones(3).resize(range(2**70))",
    # attributes that call back
    "r = cp.ones(3).take(odd('object', 'missing', 'again', 131))",
    "a = cp.arange(6); a[0] = odd('object', 'float str file cuda array dlpack', 'again', 189)",
    # what changes between two looks at it
    "a = cp.ones(3); a -= (odd('object', 'ufunc order cuda array shape setitem', 'fickle', 105), cp.ones(()) * 2)",
    "L = [1, odd('tuple', 'interface', 'mutate', 0), 3]; a = cp.ones((3,), cp.bfloat16); a += L; r = a",
    "L = [1, odd('object', 'interface', 'mutate', 0), 3]; r = cp.asarray(L)",
    "L = [[1, 2], odd('object', 'array', 'mutate', 0), [3, 4]]; r = cp.asarray([L, L])",
    "r = cp.ones(2).__array_ufunc__(-1, 'a', **{odd('str', 'equal hash str', 'fickle', 33): 1})",
    "r = cp.ones(2).__array_function__(1, **{odd('str', 'hash', 'fickle', 1): 1})",
    # work that ends before the number does
    "r = cp.diff(cp.ones((2, 3), '?'), 2**64)",
    "L = [1, odd('object', 'cuda', 'mutate', 72), 3]; a = cp.ones((2, 3), 'b'); a[..., None, 0] *= L",
    # wrong selves
    "r = cp.ndarray.__copy__(3)",
    "r = cp.ndarray.shape.fget(3)",
    "r = cp.ndarray.flags.__get__('a')",
    "r = cp.ndarray.__dlpack__(None)",
    "r = memoryview(cp.cuda.PinnedMemoryPointer.__new__(cp.cuda.PinnedMemoryPointer))",
    "r = cp.MemoryPool.__new__(cp.MemoryPool).used_bytes()",
    # arguments that no signature takes
    "r = cp.ones(3).astype()",
    "r = cp.ones(3).astype('f4', casting=3)",
    "r = cp.ones(3).flags[3]",
    "r = cp.MemoryPool(4)",
    "r = cp.ones(3).copy(**{f'k{i}': i for i in range(1500)})",
    "r = cp.add(1, 2, **{f'k{i}': i for i in range(1500)})",
    # memory that cannot be
    "r = cp.cupyx.zeros_pinned(3, object)",
    "r = cp.cupyx.empty_pinned(3, [('a', object)])",
    "r = cp.asarray(Interface(data=(2**64, False)))",
    "r = cp.asarray(Interface(shape=(2**62, 8)))",
    "r = cp.asarray(Interface(strides=(-2**63,)))",
    "r = cp.asarray(Interface(strides=(3,)))",
    "r = cp.asarray(Interface(data=(8, False)))",
    "r = cp.from_dlpack(capsule((2**62, 4)))",
    "r = cp.from_dlpack(capsule((3,), (2**61,)))",
    "r = cp.from_dlpack(capsule((3,), (2**61,), dtype=(0, 8, 1)))",
    "r = cp.from_dlpack(capsule((3,), data=False))",
    "r = cp.from_dlpack(capsule((-1,)))",
    "r = cp.from_dlpack(capsule((3,), offset=2**63))",
    "r = cp.from_dlpack(capsule(None, ndim=2))",
    "r = cp.cuda.PinnedMemoryPointer(odd('object', 'memory', 'wrong', 14), 0)",
    "r = cp.ndarray(3, 'u1', odd('object', 'block', 'wrong', 19))",
    "r = copy.deepcopy(cp.cuda.UnownedMemory(host_address(), 64, None))",
    # a context left before it was entered
    "cp.errstate().__exit__(); r = cp.geterr()",
]


def test_found(tmp_path):
    (tmp_path / "calls").write_text("\n".join(FOUND))
    assert f"{len(FOUND)} calls" in fuzz(tmp_path, "--sources", tmp_path / "calls")


def test_the_fuzzer_finds(tmp_path):
    """What it is for: each of these is told, and the calls behind it are run."""
    bad = [
        "import os; os.abort()",
        "raise SystemError('a')",
        "raise RuntimeError('a')",
        "raise TypeError('std::bad_cast')",
        "import ctypes; ctypes.string_at(8)",
        "cp.ones(3)",
    ]
    (tmp_path / "calls").write_text("\n".join(bad))
    with pytest.raises(AssertionError) as told:
        fuzz(tmp_path, "--sources", tmp_path / "calls")
    text = str(told.value)
    assert all(source in text for source in bad[:5]) and "ended with -6" in text and "ended with -11" in text
    assert "6 calls" in text and "'died': 2" in text and "'answered badly': 3" in text
