"""What a user waits for at first use: a new process with empty caches, and expressions never computed before."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

_COLD = """
import json, time
start = time.perf_counter()
import {module} as xp
marks = [("import", time.perf_counter())]
def mark(name, array):
    float(array.ravel()[-1])
    marks.append((name, time.perf_counter()))
x = xp.arange(1000000, dtype="float32"); mark("first array", x)
y = xp.exp(xp.sin(x) * xp.cos(x)) + 1; mark("first chain", y)
mark("first reduction", (y * 2).sum())
mark("first sort", xp.sort(y))
print(json.dumps({{name: t - before for (name, t), before in zip(marks, [start] + [m[1] for m in marks])}}))
"""

# Chains that are all different, every second one summed. The last element is read, so that a call waits for its
# result; the later time is the best of twenty, when every kernel is compiled.
_NEW = """
import json, random, time
import {module} as xp
evaluate = getattr(xp, "evaluate", lambda array: array)
x = xp.arange(1000000, dtype="float32") / 1000000
unary = "sin cos exp sqrt tanh arctan log1p absolute square cbrt expm1 arcsinh".split()
binary = "add multiply maximum minimum hypot subtract".split()
def chain(draw):
    y = x
    for _ in range(5):
        left, right, both = (getattr(xp, draw.choice(names)) for names in (unary, unary, binary))
        y = both(left(y), right(x))
    return y
def seconds(number):
    draw = random.Random(number)
    start = time.perf_counter()
    y = chain(draw).sum(keepdims=True) if number % 2 else chain(draw)
    evaluate(y)
    float(y[-1])
    return time.perf_counter() - start
seconds(-1), seconds(-2)
numbers = range({count})
first = [seconds(number) for number in numbers]
getattr(getattr(xp, "_core", None), "finish_compiling", lambda: None)()
later = [min(seconds(number) for _ in range(20)) for number in numbers]
print(json.dumps([a - b for a, b in zip(first, later)]))
"""


def _in_new_process(program, title):
    """What the program prints as JSON in a process with empty caches; None, with the reason printed, if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "CUPRUM_CACHE_DIR": folder, "CUPY_CACHE_DIR": folder}
        found = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True
        )
    if found.returncode:
        words = found.stderr.strip().splitlines() or [f"the process ended with {found.returncode}"]
        print(f"{title}: {words[-1]}")
        return None
    return json.loads(found.stdout)


def run_cold(names):
    """Seconds of a new process with empty caches: import, first array, first chain, first reduction, first sort."""
    figures = {}
    for name in names:
        title = f"cold start of {name}"
        if steps := _in_new_process(_COLD.format(module=name), title):
            figures[name] = steps
            detail = ", ".join(f"{step} {seconds:.2f}" for step, seconds in steps.items())
            print(f"{title}: {sum(steps.values()):.2f} s ({detail})", flush=True)
    return figures


def run_new(names, count=40):
    """Milliseconds that a first call takes beyond what later ones take: the median of many expressions, the longest."""
    figures = {}
    for name in names:
        title = f"never-seen expressions in {name}"
        if beyond := _in_new_process(_NEW.format(module=name, count=count), title):
            median, longest = statistics.median(beyond) * 1e3, max(beyond) * 1e3
            figures[name] = {"median": median, "longest": longest}
            print(
                f"{title}: {median:.2f} ms beyond their running time (the longest of {count}: {longest:.2f})",
                flush=True,
            )
    return figures
