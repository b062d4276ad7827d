"""Hostile arguments for every public function, method and attribute, until the time is over: nothing may end the
process, hang, take the machine's memory, or answer with words about the library's inside. Any other exception is an
answer.

    python tools/fuzz_binding.py --seconds 600 --seed 1 --device far --workers 2
    python tools/fuzz_binding.py --sources calls.txt     # these, one in a line
    python tools/fuzz_binding.py --replay 1:123          # shows and runs the call of that seed and number
    python tools/fuzz_binding.py --replay 1:100-123      # the calls before it too, in one process

Calls run in worker processes, each in a temporary folder, since some write files, with a bound on memory. The source of
a call is written down before it runs; when a worker dies, the parent tells which call it was and starts another behind
it. Whether the interpreter is still sound is asked every few hundred calls, by a program whose answer is known.
"""

import argparse
import array
import collections
import contextlib
import copy
import ctypes
import faulthandler
import gc
import math
import mmap
import os
import pickle
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

LIMIT = 1 << 20  # elements of a result that is read
HANG_S = 30
LONG_S = 10  # work that ends when the user asks it to is long, not hung: NumPy may take as long
MEMORY = 10 << 30  # bytes of a worker; addresses that CUDA reserves do not count
GROWTH = 3 << 30  # bytes of memory that one call may add
SOUND_EVERY = 500

# Out of reach of calls that write to, or close, a small number as a file.
LOG_FD, OUT_FD, ERROR_FD = 901, 902, 903

INSIDE = re.compile(
    "bad_cast|nanobind(?!\\.nb_type)|std::|incompatible function arguments|bad_function_call|basic_string|vector::"
    "|library's own|bad argument to internal function|Unable to convert function return|Objects/.*\\.c:"
)

# RuntimeErrors of Python's, of NumPy's, of a device that this machine has not, and those that CUDA has a name for.
EXPECTED = re.compile(
    "cannot be used|there is no device|cudaError"
    "|changed size during iteration|Content of sequences changed|generator|up to 32 dim"
)

# NumPy's own, for objects that lie about their class: from tofile, and from asarray, where ml_dtypes forgets an error.
OTHERS = ("function fspath>", "<built-in function asarray> returned a result with an exception set")


# -- One call ---------------------------------------------------------------------------------------------


def touch(value, depth=0):
    """Reads what a call gave."""
    import cuprum as cp

    if type(value) is cp.ndarray:
        repr(value.dtype), value.strides, value.flags
        if value.size <= LIMIT:
            value.get()
            repr(value)
    elif type(value) in (tuple, list) and depth < 3:
        for item in value[:8]:
            touch(item, depth + 1)


def _inside_us(error):
    """Was it raised in a file of the package?"""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "/cuprum/" in frames[-1].filename


def complaint_about(error):
    """What is wrong with an exception, or None."""
    try:
        text = str(error)
    except BaseException:  # it has a __str__ of ours
        return None
    if any(words in text for words in OTHERS):
        return None
    if isinstance(error, SystemError) or INSIDE.search(text):
        return f"{type(error).__name__}: {text}"
    if isinstance(error, (RecursionError, NotImplementedError)) or "odd " in text:
        return None
    if isinstance(error, RuntimeError) and not EXPECTED.search(text):
        return f"{type(error).__name__}: {text}"
    if isinstance(error, (NameError, AssertionError)) and _inside_us(error):
        return f"{type(error).__name__}: {text}"
    return None


def run(source):
    """Runs the source of a call; a complaint about it, or None."""
    import fuzz_values
    import ml_dtypes
    import numpy as np

    import cuprum as cp

    scope = {name: getattr(fuzz_values, name) for name in dir(fuzz_values) if not name.startswith("_")}
    scope |= {
        "cp": cp,
        "np": np,
        "ml_dtypes": ml_dtypes,
        "ctypes": ctypes,
        "array": array,
        "mmap": mmap,
        "copy": copy,
    }
    scope |= {"pickle": pickle, "math": math}
    fuzz_values.scope = scope
    interrupted = False

    def interrupt(*_):
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, LONG_S)
    try:
        exec(source, scope)
        touch(scope.get("r"))
    except BaseException as error:
        if interrupted:
            return None
        if isinstance(error, SystemError) and "released memoryview" in str(error.__cause__):
            return None  # Python's own: iter() of a released memoryview gives an iterator and an error
        return complaint_about(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


_at_start = {}


def be_as_before():
    """Undoes what calls may have set for the whole process."""
    import fuzz_values
    import numpy as np

    import cuprum as cp
    from cuprum import _core

    fuzz_values.scope = {}
    _core.enter_device(None)
    _core.set_eager(_at_start.setdefault("eager", _core.get_eager()))
    with contextlib.suppress(cp.OutOfMemoryError):  # an allocator is set when nothing waits; 16 GiB may
        cp.cuda.set_allocator()
    cp.cuda.set_pinned_memory_allocator()
    cp.get_default_memory_pool().set_limit(1 << 30)
    for module in (np, cp):
        module.seterr(all="ignore")
        module.seterrcall(None)
    np.set_printoptions(threshold=100, edgeitems=3, linewidth=75, precision=8, formatter=None, legacy=False)
    warnings.resetwarnings()
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(1000)


def check_sound():
    """A program whose answer is known; raises where it is another."""
    import numpy as np

    import cuprum as cp
    from cuprum import _core

    with contextlib.suppress(IndexError):  # of a call before, which the device tells of late
        _core.wait(_core.device_name())
    x = cp.arange(1000.0)
    total = float(((x * 2 + 1)[::3].reshape(2, -1) ** 2).sum())
    if total != float(((np.arange(1000.0) * 2 + 1)[::3].reshape(2, -1) ** 2).sum()):
        raise AssertionError(f"a sum is {total}")
    if cp.sort(cp.asarray([3, 1, 2])).tolist() != [1, 2, 3] or cp.add.nin != 2:
        raise AssertionError("a sort is wrong")
    gc.collect()
    if {i: str(i) for i in range(100)}[99] != "99" or sys.getrefcount(None) < 100 or sys.exc_info()[0]:
        raise AssertionError("the interpreter is broken")


# -- A worker ---------------------------------------------------------------------------------------------


def source_of(seed, number, file=None):
    """The call of that number, or that line of a file."""
    if file:
        return Path(file).read_text().splitlines()[number]
    import fuzz_calls

    return fuzz_calls.call(random.Random(f"{seed}/{number}"))


def say(kind, *what):
    """One line to the parent."""
    text = "\t".join([kind, *(str(w).replace("\n", "\\n").replace("\t", " ") for w in what)])
    os.write(OUT_FD, (text + "\n").encode(errors="backslashreplace"))


def work(seed, first, last, seconds, file):
    """Runs calls until the time is over or `last` is reached."""
    os.dup2(1, OUT_FD)
    os.dup2(2, ERROR_FD)
    os.dup2(os.open("../call", os.O_CREAT | os.O_RDWR), LOG_FD)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout = sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")  # calls may print
    faulthandler.enable(ERROR_FD)
    be_as_before()
    end = time.monotonic() + seconds
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    number = first
    while number < last and time.monotonic() < end:
        source = source_of(seed, number, file)
        line = f"{number}\n{source}".encode(errors="backslashreplace")
        os.ftruncate(LOG_FD, 0)
        os.pwrite(LOG_FD, line, 0)
        faulthandler.dump_traceback_later(HANG_S, exit=True, file=ERROR_FD)
        complaint = run(source)
        if number % 16 == 0:
            be_as_before()
        if number % SOUND_EVERY == 0:
            try:
                check_sound()
            except BaseException as error:
                complaint = f"not sound any more: {type(error).__name__}: {error}"
        faulthandler.cancel_dump_traceback_later()
        now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if (now - most) * 1024 > GROWTH:
            complaint = f"took {(now - most) >> 10} MiB"
        most = now
        if complaint:
            say("found", number, source, complaint)
        number += 1
        if number % 100 == 0:
            say("done", number)
    say("end", number)
    os._exit(0)


# -- The parent -------------------------------------------------------------------------------------------


class Worker:
    """A process that calls, and the one after it if it dies."""

    def __init__(self, seed, options, end):
        self.seed, self.options, self.end = seed, options, end
        self.first = self.done = options.first
        self.finished = False
        self.process = None

    def start(self, folder):
        """A new process, behind the last call."""
        self.folder = Path(tempfile.mkdtemp(dir=folder))
        (self.folder / "cwd").mkdir()
        self.log, self.errors = self.folder / "call", (self.folder / "errors").open("wb+")
        last = self.options.first + self.options.count if self.options.count else 1 << 60
        seconds = max(0.0, self.end - time.monotonic())
        command = [
            sys.executable,
            __file__,
            "--worker",
            f"{self.seed}:{self.done}-{last}",
            "--seconds",
            str(seconds),
        ]
        if self.options.sources:
            command += ["--sources", os.path.abspath(self.options.sources)]
        # Workers run in a folder of their own.
        paths = [os.path.abspath(p) for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(paths), MPLBACKEND="agg")
        if self.options.device:
            environment["CUPRUM_DEVICE"] = self.options.device
        self.process = subprocess.Popen(
            command,
            cwd=self.folder / "cwd",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = b""

    def read(self):
        """What the process has said since: (number, source, complaint)."""
        found = []
        self.rest += self.process.stdout.read() or b""
        *lines, self.rest = self.rest.split(b"\n")
        for line in lines:
            kind, *what = line.decode(errors="replace").split("\t")
            if kind == "found":
                found.append((int(what[0]), what[1], what[2]))
            elif kind in ("done", "end"):
                self.done = int(what[0])
                self.finished = kind == "end"
        return found

    def how_it_died(self):
        """The call and the reason; its number is left behind."""
        self.errors.seek(0)
        errors = self.errors.read().decode(errors="replace")
        number, _, source = (
            self.log.read_text(errors="replace").partition("\n") if self.log.exists() else ("", "", "")
        )
        if not number.isdigit():
            raise SystemExit(f"a worker did not start: {errors[-3000:]}")
        self.done = int(number) + 1
        code = self.process.returncode
        reason = f"hung for {HANG_S} s" if "Timeout (" in errors else f"ended with {code}"
        return int(number), source, f"{reason}\n{errors[-2500:]}"


def tell(seed, found):
    number, source, complaint = found
    print(f"\n--replay {seed}:{number}\n{source}\n    {complaint}", flush=True)


def fuzz(options):
    """Runs the workers; the number of findings."""
    begin = time.monotonic()
    end = begin + (options.seconds if not options.count else 1e9)
    workers = [Worker(options.seed + i, options, end) for i in range(options.workers)]
    findings = collections.Counter()
    shown = begin
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        while not all(w.finished for w in workers):
            for w in workers:
                if w.finished:
                    continue
                if w.process is None:
                    w.start(folder)
                ended = w.process.poll() is not None
                for found in w.read():
                    findings["answered badly"] += 1
                    tell(w.seed, found)
                if ended and not w.finished:
                    findings["died"] += 1
                    tell(w.seed, w.how_it_died())
                    w.process = None
                    w.finished = time.monotonic() > end
            if time.monotonic() - shown > options.show:
                shown = time.monotonic()
                calls = sum(w.done - w.first for w in workers)
                print(
                    f"{calls} calls in {shown - begin:.0f} s, found: {dict(findings) or 'nothing'}",
                    flush=True,
                )
            time.sleep(0.1)
    calls = sum(w.done - w.first for w in workers)
    print(
        f"{calls} calls in {time.monotonic() - begin:.0f} s, found: {dict(findings) or 'nothing'}", flush=True
    )
    return sum(findings.values())


def replay(text):
    """Shows and runs calls in this process."""
    seed, _, numbers = text.partition(":")
    first, _, last = numbers.partition("-")
    faulthandler.enable()
    be_as_before()
    bad = 0
    for number in range(int(first), int(last or first) + 1):
        source = source_of(int(seed), number)
        print(source.encode(errors="backslashreplace").decode(), flush=True)
        complaint = run(source)
        bad += complaint is not None
        print(f"    {complaint}", flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first worker; the others have those behind it"
    )
    parser.add_argument("--first", type=int, default=0, help="number of the first call")
    parser.add_argument("--count", type=int, default=0, help="calls per worker, instead of --seconds")
    parser.add_argument("--sources", help="a file with a call in each line, instead of random ones")
    parser.add_argument("--device", help="CUPRUM_DEVICE of the workers")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--show", type=float, default=20, help="seconds between lines about the progress")
    parser.add_argument("--replay", metavar="SEED:NUMBER[-LAST]")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    if options.worker:
        seed, _, numbers = options.worker.partition(":")
        first, _, last = numbers.partition("-")
        try:
            work(int(seed), int(first), int(last), options.seconds, options.sources)
        finally:  # no tidy end: what calls have left behind is no concern of this process
            os.write(ERROR_FD, traceback.format_exc().encode(errors="backslashreplace"))
            os._exit(1)
    if options.sources:
        options.count = len(Path(options.sources).read_text().splitlines())
    if options.replay:
        sys.exit(1 if replay(options.replay) else 0)
    sys.exit(1 if fuzz(options) else 0)


if __name__ == "__main__":
    main()
