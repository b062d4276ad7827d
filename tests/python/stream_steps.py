"""Random programs over streams, threads and devices: the kinds of steps, how often, and the program of a seed."""

import random

import numpy as np

from programs import quiet
from stream_simulation import MADE, NULL, PTDS, Simulation, StreamProgram, StreamStep

SMALL = [(5,), (8,), (16,), (1,), (3, 4), (6, 6), (2, 3, 4), (100,)]
LARGE = [(9000,), (96, 96), (3, 3001)]  # above 64 KiB: such kernels run without the graph's lock
LIMIT = 20_000  # elements
BURST = 20  # results of a burst where memory is short
DTYPES = ["f8", "f8", "i8", "i8", "f4", "i4"]
EXACT = {"f8": 2.0**50, "f4": 2.0**21}  # sums of whole numbers below this are exact in any order


class Maker:
    """A program being made. A method that is a kind of step gives a StreamStep, or None where nothing fits it."""

    def __init__(self, seed, devices):
        self.rng = rng = random.Random(seed)
        self.program = StreamProgram(seed=seed, devices=tuple(devices))
        self.program.eager = rng.random() < 0.4
        self.program.small = rng.random() < 0.6
        self.tight = (
            rng.random() < 0.08
        )  # whether memory is short, so that a stream needs what others have freed
        self.program.slow = rng.random() < (0.6 if self.tight else 0.1)
        self.state = Simulation()
        self.home = {}  # the device of each array
        self.space = rng.choice(LARGE if rng.random() < 0.06 else SMALL)
        self.threads = rng.choice([1, 1, 2, 2, 3, 4])
        self.streams = [
            rng.sample([NULL, PTDS, *(f"{letter}_{name}" for name in MADE)], rng.choice([1, 2, 2, 3, 3, 4]))
            for letter, _ in zip("ab", devices)
        ]
        self.follows = rng.random() < 0.5  # whether threads use() streams
        self.thread = self.device = 0
        self.stream = self.streams[0][0]
        self.count = 0

    # What steps choose from.

    def array(self, accept=lambda v: True):
        """An array of the current device, of late ones more often than of early ones."""
        values = self.state.names
        pool = [n for n, d in self.home.items() if d == self.device and accept(values[n])]
        if not pool:
            return None
        return self.rng.choice(pool[-3:] if self.rng.random() < 0.5 else pool)

    def written(self, accept=lambda v: True):
        return self.array(lambda v: isinstance(v, np.ndarray) and v.ndim > 0 and v.size > 0 and accept(v))

    def like(self, a, narrower=False):
        """An array of the shape of `a`; with `narrower`, one that can be stored in it."""
        value = self.state.names[a]
        return self.array(
            lambda v: (
                np.shape(v) == value.shape
                and (not narrower or np.can_cast(v.dtype, value.dtype, "same_kind"))
            )
        )

    def integers(self):
        """Indices. One without dimensions would give a view in NumPy, which knows its value."""
        return self.array(lambda v: np.ndim(v) > 0 and v.dtype.kind == "i" and 0 < v.size < 200)

    def part(self, value):
        """An index that gives a view of part of an array."""
        n = value.shape[0]
        texts = ["1:", ":-1", "::2", "::-1", f":{max(1, n // 2)}", f"{n // 2}:", "..."]
        if value.ndim > 1:
            texts += [":, 0", ":, 1:", "0", "..., ::2", "-1"]
        return self.rng.choice(texts)

    def number(self):
        return self.rng.randint(-3, 6)

    def name(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    def bind(self, text, *operands, **more):
        name = self.name()
        return StreamStep(f"{name} = {text}", result=name, operands=operands, **more)

    def exact_sum(self, a, terms, power=1):
        """Is a sum of that many elements (of products, with power 2) exact in any order?"""
        value = np.asarray(self.state.names[a])
        limit = EXACT.get(value.dtype.str[1:])
        return limit is None or bool(terms * np.abs(value).max(initial=0) ** power < limit)

    # Kinds of steps: new arrays.

    def create(self):
        name, rng, shape = self.name(), self.rng, self.space
        dtype = rng.choice(DTYPES)
        roll = rng.random()
        if roll < 0.3:
            text = f"{name} = xp.arange({int(np.prod(shape))}, dtype={dtype!r}).reshape({shape}) % {rng.randint(3, 40)}"
        elif roll < 0.5:
            text = f"{name} = xp.full({shape}, {self.number()}, dtype={dtype!r})"
        else:  # the host may write its memory as soon as the call has returned
            host = name.replace("v", "h")
            text = f"{host} = data({dtype!r}, {shape}, {rng.randint(0, 9)}); {name} = xp.array({host}); {host}[...] = 9"
        return StreamStep(text, result=name)

    def elementwise(self):
        a = self.array()
        b = a and (self.like(a) or a)
        if not a:
            return None
        forms = [
            "{a} + {b}",
            "{a} - {b}",
            "{a} * {b}",
            "xp.maximum({a}, {b})",
            "{a} * 2 - {b} % 7",
            "{b} - {a} * {a} % 5",
        ]
        forms += ["{a} + {k}", "-{a}", "abs({a}) % 11", "xp.where({a} > {b}, {a}, {k})", "({a} < {b}) * 3"]
        return self.bind(self.rng.choice(forms).format(a=a, b=b, k=self.number()), a, b)

    def several(self):
        """One kernel over many arrays, perhaps of several streams."""
        a = self.array()
        others = [self.like(a) or a for _ in range(self.rng.randint(2, 4))] if a else []
        return self.bind(" + ".join([a, *others]), a, *others) if a else None

    def copy(self):
        a = self.array()
        return a and self.bind(self.rng.choice([f"{a}.copy()", f"xp.array({a})", f"{a}.astype('f8')"]), a)

    def view(self):
        a = self.written()
        if not a:
            return None
        value = self.state.names[a]
        text = self.rng.choice([f"[{self.part(value)}]"] * 4 + [".T", ".ravel()", ".reshape(-1)"])
        # `ravel` and `reshape` copy what lies in another order, so they may read.
        return self.bind(a + text, a, looks=text[-1] == ")")

    def reduce(self):
        a = self.array(lambda v: np.size(v) > 0)
        if not a or not self.exact_sum(a, np.size(self.state.names[a])):
            return None
        axis = self.rng.choice(["", "0", "-1"]) if np.ndim(self.state.names[a]) else ""
        return self.bind(f"{a}.{self.rng.choice(['sum', 'sum', 'max', 'min'])}({axis})", a)

    def cumsum(self):
        a = self.array(lambda v: np.ndim(v) > 0)
        if not a or not self.exact_sum(a, np.size(self.state.names[a])):
            return None
        return self.bind(f"xp.cumsum({a}, axis={self.rng.choice(['0', '-1', 'None'])})", a)

    def sort(self):
        a = self.array(lambda v: np.ndim(v) > 0)
        forms = ["xp.sort({a}, axis=0)", "xp.sort({a})", "xp.argsort({a}, kind='stable')"]
        return a and self.bind(self.rng.choice(forms).format(a=a), a)

    def join(self):
        a, b = self.array(), self.array()
        if not a or np.size(self.state.names[a]) + np.size(self.state.names[b]) > LIMIT:
            return None
        return self.bind(f"xp.concatenate([xp.ravel({a}), xp.ravel({b})])", a, b)

    def product(self):
        a = self.array(lambda v: np.ndim(v) == 2 and (v.size < 200 or v.dtype.kind == "f"))
        if not a or not self.exact_sum(a, max(self.state.names[a].shape, default=0), 2):
            return None
        text = self.rng.choice([f"{a} @ {a}.T", f"{a}.T @ {a}"])
        return self.bind(text, a) if max(self.state.names[a].shape) <= 100 else None

    def gather(self):
        a, i = self.written(), self.integers()
        if not a or not i:
            return None
        n = self.state.names[a].shape[0]
        if self.state.names[a].size // n * self.state.names[i].size > LIMIT:
            return None
        form = self.rng.choice(["{r}", "{r}", "abs({r}) % 11", "xp.where({r} > {k}, {r}, {k})"])
        read = self.rng.choice([f"{a}[{i} % {n}]", f"xp.take({a}, {i} % {n}, axis=0)"])
        return self.bind(form.format(r=read, k=self.number()), a, i)

    def select(self):
        """Results whose shapes depend on values: the call waits for them."""
        a, i = self.written(), self.integers()
        if i and self.rng.random() < 0.2:
            return self.bind(f"xp.bincount(xp.ravel({i}) % 7)", i)
        forms = ["{a}[{a} % 3 == {k}]", "{a}[{a} % 3 == {k}]", "xp.nonzero({a})[0]", "xp.unique({a})"]
        return a and self.bind(self.rng.choice(forms).format(a=a, k=self.rng.randint(0, 2)), a)

    # Writes.

    def whole(self):
        """In place, whole arrays: a new name for bytes, where nobody else reads them."""
        a = self.written()
        b = a and self.like(a, narrower=True)
        if not a:
            return None
        right = b if b and self.rng.random() < 0.6 else str(self.number())
        form = self.rng.choice(
            ["{a} += {b}", "{a} -= {b}", "{a} *= {b}", "{a}[...] = {b}", "{a}.fill({k})", "{a} %= 7"]
        )
        return StreamStep(
            form.format(a=a, b=right, k=self.number()), target=a, operands=(a, b) if b else (a,)
        )

    def piece(self):
        """In place, part of an array: the bytes themselves change, after all earlier reads of them."""
        a = self.written()
        if not a:
            return None
        rng, value = self.rng, self.state.names[a]
        if len(value) > 1 and rng.random() < 0.4:
            to, source = rng.choice([("1:", ":-1"), (":-1", "1:"), ("::-1", ":")])
            return StreamStep(f"{a}[{to}] {rng.choice(['', '+'])}= {a}[{source}]", target=a, operands=(a,))
        b = self.like(a, narrower=True) if rng.random() < 0.5 else None
        index, sign = self.part(value), rng.choice(["", "+", "-", "*"])
        right = f"{b}[{index}]" if b else str(self.number())
        return StreamStep(f"{a}[{index}] {sign}= {right}", target=a, operands=(a, b) if b else (a,))

    def scatter(self):
        a, i = self.written(), self.integers()
        if not a or not i or not self.exact_sum(a, 200):
            return None
        where = f"{i} % {self.state.names[a].shape[0]}"
        form = self.rng.choice(
            [f"{a}[{where}] = {self.number()}", f"xp.add.at({a}, {where}, {self.number()})"]
        )
        return StreamStep(form, target=a, operands=(a, i))

    def masked(self):
        a = self.written()
        b = a and (self.like(a) or a)
        if not a:
            return None
        mask = self.rng.choice([f"{b} > {self.number()}", f"{b} % 2 == 0"])
        return StreamStep(
            f"{a}[{mask}] {self.rng.choice(['', '+'])}= {self.number()}", target=a, operands=(a, b)
        )

    def upload(self):
        """Host memory into an array; it may be written as soon as the call has returned."""
        a = self.array(lambda v: isinstance(v, np.ndarray) and v.flags.c_contiguous and v.ndim > 0)
        if not a:
            return None
        value, host = self.state.names[a], self.name("h")
        make = f"{host} = data({value.dtype.str[1:]!r}, {value.shape}, {self.rng.randint(0, 9)})"
        given = self.rng.choice([host, f"{host}, stream={self.stream_name()}"])
        return StreamStep(
            f"{make}; {a}.set({given}); {host}[...] = 9",
            meaning=f"{make}; {a}[...] = {host}",
            target=a,
            operands=(a,),
        )

    def own_kernel(self):
        """A kernel of the program's own, in place. Its operands may be pending, and what it writes still be read."""
        a = self.written(lambda v: v.flags.c_contiguous and v.dtype.str[1:] in DTYPES)
        b = a and self.array(
            lambda v: (
                np.shape(v) == self.state.names[a].shape
                and np.can_cast(v.dtype, self.state.names[a].dtype, "same_kind")
                and not np.shares_memory(v, self.state.names[a])
            )
        )
        if not b:
            return None
        dtype = self.state.names[a].dtype.str[1:]
        k, stream = self.number(), self.rng.choice(["None", self.stream_name()])
        return StreamStep(
            f"choose_larger({a}, xp.ascontiguousarray({b}, {dtype!r}), {k}, {stream})",
            meaning=f"{a}[...] = np.where({a} < {b}.astype({dtype!r}), {b}.astype({dtype!r}), {k})",
            target=a,
            operands=(a, b),
        )

    # Memory: arrays that go, and others that take their place.

    def drop(self):
        a = self.array() if len(self.home) > 3 else None
        return a and StreamStep(f"del {a}", drops=a)

    def burst(self):
        """Results of one size, soon gone: their memory, perhaps that of an array just dropped, is used again."""
        a = self.array()
        if not a:
            return None
        if not self.tight:
            text = f"[xp.evaluate({a} * i) for i in range({self.rng.randint(2, 5)})]"
            return StreamStep(text, meaning="pass", operands=(a,))
        name = self.name()
        many = name.replace("v", "h")
        first = f"{many} = [{a} * i for i in range({BURST})]"
        last = (
            f"{name} = {many}[{self.rng.randrange(BURST)}] + {many}[{self.rng.randrange(BURST)}]; del {many}"
        )
        return StreamStep(
            f"{first}; xp.evaluate(*{many}); {last}", meaning=f"{first}; {last}", result=name, operands=(a,)
        )

    def give_back(self):
        return StreamStep("xp.get_default_memory_pool().free_all_blocks()", meaning="pass")

    # Between devices.

    def transfer(self):
        a, there = self.array(), 1 - self.device
        if not a or len(self.streams) < 2:
            return None
        step = self.bind(f'{a}.to_device("{self.program.devices[there]}")', a)
        step.meaning = f"{step.result} = {a}.copy(order='A')"
        return step

    def write_across(self):
        """An array of the other device into one of this."""
        a = self.written()
        if not a or len(self.streams) < 2:
            return None
        shape, dtype = self.state.names[a].shape, self.state.names[a].dtype
        pool = [
            n
            for n, d in self.home.items()
            if d != self.device
            and np.shape(self.state.names[n]) == shape
            and np.can_cast(self.state.names[n].dtype, dtype, "same_kind")
        ]
        if not pool:
            return None
        b = self.rng.choice(pool)
        forms = [f"{a}[...] = {b}", f"xp.copyto({a}, {b})"]
        return StreamStep(self.rng.choice(forms), target=a, operands=(a, b))

    # The host reads; streams, events and the engine are told something.

    def read(self):
        a, name = self.array(), self.name("r")
        if not a:
            return None
        if np.size(self.state.names[a]) == 1 and self.rng.random() < 0.7:
            return StreamStep(f"{name} = float({a}.reshape(()))", result=name, operands=(a,))
        if np.size(self.state.names[a]) and self.rng.random() < 0.4:
            forms = ["{r} = bool(({a} > {k}).any())", "{r} = int({a}.argmax())", "{r} = float({a}.max())"]
            text = self.rng.choice(forms).format(r=name, a=a, k=self.number())
            return StreamStep(text, result=name, operands=(a,))
        text = self.rng.choice([f"{a}.get()", f"xp.asnumpy({a})", f"{a}.get(stream={self.stream_name()})"])
        return StreamStep(f"{name} = {text}", meaning=f"{name} = {a}.copy()", result=name, operands=(a,))

    def fetch(self):
        """The host reads without waiting, and the array is written before it has: it reads what was there."""
        a, name, stream = self.written(), self.name("r"), self.stream_name()
        if not a:
            return None
        text = f"{name} = {a}.get(stream={stream}, blocking=False); {a} *= 2"
        meaning = f"{name} = {a}.copy(); {a} *= 2"
        return StreamStep(
            f"{text}; {stream}.synchronize()", meaning=meaning, result=name, target=a, operands=(a,)
        )

    def evaluate(self):
        a = self.array()
        b = a and self.array()
        return a and StreamStep(f"xp.evaluate({a}, {b})", meaning="pass", operands=(a, b))

    def stream_name(self):
        return self.rng.choice(self.streams[self.device])

    def record(self):
        name, stream = self.name("e"), self.stream_name()
        forms = ["{e} = {s}.record()", "{e} = xp.cuda.get_current_stream().record()"]
        forms += [
            "{e} = xp.cuda.Event(); {e}.record({s})",
            "{e} = xp.cuda.Event(disable_timing=True); {e}.record()",
        ]
        text = self.rng.choice(forms).format(e=name, s=stream)
        return StreamStep(text, meaning=f"{name} = None", result=name)

    def event(self):
        events = [name for name in self.state.names if name[0] == "e"]
        if not events:
            return self.record()
        e = self.rng.choice(events)
        text = self.rng.choice(
            [f"{self.stream_name()}.wait_event({e})"] * 3 + [f"{e}.synchronize()", f"{e}.done"]
        )
        return StreamStep(text, meaning="pass", operands=(e,), looks=False)

    def wait(self):
        forms = [
            f"{self.stream_name()}.synchronize()",
            f"{self.stream_name()}.done",
            "xp.Device().synchronize()",
        ]
        return StreamStep(self.rng.choice(forms), meaning="pass")

    def host_function(self):
        """A call of the host's in the midst of a stream's work; one that takes its time makes the stream late."""
        stream, host, name = self.stream_name(), self.name("h"), self.name("r")
        if self.rng.random() < 0.7:
            return StreamStep(f"{stream}.launch_host_func(time.sleep, 0.001)", meaning="pass")
        text = f"{host} = []; {stream}.launch_host_func({host}.append, 7); {stream}.synchronize(); {name} = {host}[0]"
        return StreamStep(text, meaning=f"{name} = 7", result=name)

    def use(self):
        return StreamStep(f"{self.stream_name()}.use()", meaning="pass") if self.follows else None

    # The whole.

    def place(self, step, kind):
        """Gives the step its thread, device and stream."""
        step.thread, step.device, step.stream = self.thread, self.program.devices[self.device], self.stream
        if kind == "use":  # the stream stays the thread's own after the `with` of the device
            step.stream = None
        elif self.follows and self.rng.random() < 0.6:
            step.stream = None
            follows = step.operands and step.operands[0] in self.home and "Stream" not in step.source
            if follows and self.rng.random() < 0.5:
                step.device = None
        return step

    def move_on(self):
        """The next step often has the thread, the device and the stream of the last one."""
        rng = self.rng
        if rng.random() < 0.5:
            self.thread = rng.randrange(self.threads)
        if rng.random() < 0.25:
            self.device = rng.randrange(len(self.streams))
        self.stream = rng.choice(self.streams[self.device]) if rng.random() < 0.6 else self.stream
        if self.stream not in self.streams[self.device]:
            self.stream = self.streams[self.device][0]

    def add(self, kind):
        step = getattr(self, kind)()
        if step is None or not self.state.apply(self.place(step, kind)):
            return
        if step.drops:
            del self.home[step.drops]
        elif step.result and step.result[0] == "v":
            self.home[step.result] = 1 - self.device if kind == "transfer" else self.device
        self.move_on()

    def make(self):
        length = self.rng.randint(5, 25)
        kinds = list(KINDS)
        weights = [4 * KINDS[k] if self.tight and k in ("burst", "drop") else KINDS[k] for k in kinds]
        while len(self.state.steps) < length:
            here = sum(device == self.device for device in self.home.values())
            for kind in ["create"] if here < 2 else self.rng.choices(kinds, weights, k=4):
                self.add(kind)
        self.program.steps = self.state.steps
        if self.tight:  # for all arrays, and for one burst but not for two
            size = 8 * int(np.prod(self.space)) + 64
            arrays = sum(np.asarray(owner).nbytes + 64 for owner in self.state.roots.values())
            self.program.memory = arrays + 5 * BURST // 4 * size
        return self.program


KINDS = {
    "create": 5,
    "elementwise": 10,
    "several": 4,
    "copy": 2,
    "view": 6,
    "reduce": 4,
    "cumsum": 2,
    "sort": 2,
    "join": 2,
    "product": 2,
    "gather": 3,
    "select": 2,
    "whole": 8,
    "piece": 9,
    "scatter": 3,
    "masked": 2,
    "upload": 2,
    "own_kernel": 6,
    "drop": 8,
    "burst": 3,
    "give_back": 1,
    "transfer": 4,
    "write_across": 4,
    "read": 4,
    "fetch": 2,
    "evaluate": 7,
    "record": 2,
    "event": 3,
    "wait": 2,
    "host_function": 1,
    "use": 4,
}


def make_stream_program(seed, devices):
    """The program of a seed, with NumPy's run of it."""
    with quiet():
        maker = Maker(seed, devices)
        return maker.make(), maker.state
