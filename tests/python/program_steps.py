"""Random programs: which steps, how often, and the program of a seed."""

import re

import numpy as np

from program_choices import LARGE, SPACES
from program_composites import CompositeSteps
from program_elementwise import ElementwiseSteps
from program_namespace import NamespaceSteps
from program_options import OptionSteps
from program_reductions import ReductionSteps
from program_rows import RowSteps
from program_structure import StructureSteps
from programs import Program, Step, chooser, quiet


class Maker(
    ElementwiseSteps,
    StructureSteps,
    ReductionSteps,
    RowSteps,
    NamespaceSteps,
    CompositeSteps,
    OptionSteps,
):
    """One program; each method gives a Step, or None where the state has nothing for it."""


KINDS = [
    ("create", 6),
    ("like", 1),
    ("arithmetic", 10),
    ("exact_binary", 8),
    ("power", 2),
    ("exact_unary", 4),
    ("smooth_unary", 3),
    ("transcendental", 4),
    ("expression", 7),
    ("own_kernel", 3),
    ("view", 14),
    ("outside", 3),
    ("inplace", 9),
    ("out", 3),
    ("write_slice", 8),
    ("mask_read", 3),
    ("mask_write", 3),
    ("gather", 4),
    ("gather_in", 5),
    ("draw_in", 4),
    ("scatter", 3),
    ("reduction", 9),
    ("normalise", 2),
    ("row_value", 5),
    ("with_rows", 6),
    ("scan", 3),
    ("sort", 4),
    ("where", 4),
    ("convert", 5),
    ("rounding", 2),
    ("join", 3),
    ("product", 2),
    ("drop", 5),
    ("look", 3),
    ("swap", 1),
    ("mistake", 4),
    ("rearrange", 6),
    ("edit", 4),
    ("accumulate", 4),
    ("difference", 3),
    ("lookup", 4),
    ("statistics", 3),
    ("signal", 3),
    ("choice_of", 3),
    ("write_through", 6),
    ("contract", 4),
    ("assemble", 4),
    ("clean", 4),
    ("weigh", 2),
    ("masked", 5),
    ("into", 3),
    ("without_nan", 3),
    ("count", 3),
    ("pair_product", 2),
    ("grid", 1),
    ("piece", 3),
    ("several", 3),
    ("write_flat", 2),
]
LIMIT = 100_000  # elements of one value


def too_large(step, values):
    """Would the operands, broadcast together, exceed the limit? A column and a row of 20,000 make 400,000,000."""
    shapes = [np.shape(values[name]) for name in (*step.operands, step.target) if name in values]
    try:
        return np.prod(np.broadcast_shapes(*shapes), dtype=float) > 4 * LIMIT
    except ValueError:
        return False  # a mistake that the program makes on purpose, or no broadcasting at all


def masks_itself(step, values):
    """Does a step write under a mask that lies in the memory it writes? NumPy then reads bools that it has written."""
    key = re.match(r"(\w+)\[(\w+)\]", step.source)
    target, mask = (values.get(name) for name in key.groups()) if key and step.target else (None, None)
    if not isinstance(target, np.ndarray) or not isinstance(mask, np.ndarray) or mask.dtype != bool:
        return False
    return np.may_share_memory(target, mask)


def make_program(seed, shared=(), length=None):
    """The program of a seed."""
    rng = chooser(seed)
    with quiet():
        maker = Maker(rng, shared)
        length = length or rng.randint(5, 25)
        kinds, weights = zip(*KINDS)
        while len(maker.steps) < length:
            kind = "create" if len(maker.steps) < 2 else rng.choices(kinds, weights)[0]
            step = getattr(maker, kind)() if maker.state.values or kind == "create" else maker.create()
            if step is None or too_large(step, maker.state.values) or masks_itself(step, maker.state.values):
                continue
            if maker.state.apply(step) and maker.state.asks_for_a_value(step):
                maker.state.retract()
                continue
            maker.steps.append(step)
            for name in [n for n, v in maker.state.values.items() if np.size(v) > LIMIT]:
                drop = Step(f"del {name}", drops=name)
                maker.state.apply(drop)
                maker.steps.append(drop)
        outcome, bounds = maker.state.finish()
    program = Program(maker.steps, list(shared), seed)
    return program, outcome, bounds


def make_shared(seed):
    """Names s1, s2, ... for programs that run at the same time; pending when the threads start."""
    rng = chooser(seed)
    shape = rng.choice(SPACES[:8] + LARGE)
    steps = []
    for i in range(1, 4):
        dtype = rng.choice(["f4", "f8", "i4", "?"])
        steps.append(
            Step(f"s{i} = data({dtype!r}, {shape}, 'small', {rng.randint(0, 9999)})", result=f"s{i}")
        )
    steps.append(Step("s4 = s1 * 2 + s2", result="s4", operands=("s1", "s2")))
    steps.append(Step("s5 = s4 * s4 - s3", result="s5", operands=("s4", "s3")))
    return steps
