"""Writes tests/golden: NumPy's answers to every question of dtypes, which the C++ tests compare with ours.

    python tools/dump_golden.py [directory]

One character per dtype, as in NumPy (here int64 is 'q', uint64 'Q', bfloat16 'E'), and one per weak Python scalar:
'1' int, '.' float, 'j' complex. A row holds one answer per operand of OPERANDS, in that order. '!' and a letter
stand for an exception, whose text is in errors.txt.

NumPy knows bfloat16 through ml_dtypes, which leaves out some loops and some promotions. Our rule is that bfloat16
does what float16 does; bfloat16.txt is made by that rule, and every answer that ml_dtypes has is compared with it.
"""

import itertools
import multiprocessing
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

DTYPES = "?bhiqBHIQefdFD"
WEAK = "1.j"
OPERANDS = DTYPES + WEAK
CASTINGS = ["no", "equiv", "safe", "same_kind", "unsafe"]
NOT_NUMERIC = {"matmul", "matvec", "vecdot", "vecmat", "isnat"}
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
# NumPy's two 64-bit integer types are one dtype here.
TO_NUMPY = {"q": "l", "Q": "L"}
FROM_NUMPY = {"l": "q", "L": "Q"}

ERRORS = [
    ("n", "TypeError", "ufunc '{}' not supported for the input types"),
    ("l", "UFuncTypeError", "ufunc '{}' did not contain a loop with signature matching types"),
    ("s", "TypeError", "numpy boolean subtract"),
    ("g", "TypeError", "The numpy boolean negative"),
    ("m", "TypeError", "No loop matching the specified signature and casting was found for ufunc {}"),
    ("c", "UFuncTypeError", "Cannot cast ufunc '{}' input"),
]


def ufuncs():
    """Every numeric ufunc by its own name (numpy.abs is absolute)."""
    found = {f.__name__: f for f in vars(np).values() if isinstance(f, np.ufunc)}
    found["clip"] = np._core.umath.clip
    return {name: found[name] for name in sorted(found) if name not in NOT_NUMERIC}


def operand(c):
    """What resolve_dtypes wants for a character."""
    if c == "E":
        return BFLOAT16
    return {"1": int, ".": float, "j": complex}.get(c) or np.dtype(TO_NUMPY.get(c, c))


def char(t):
    return "E" if t == BFLOAT16 else FROM_NUMPY.get(t.char, t.char)


def error_token(name, error):
    for letter, kind, text in ERRORS:
        if type(error).__name__ == kind and str(error).startswith(text.format(name)):
            return "!" + letter
    raise error


def resolve(name, f, operands, **options):
    """The dtypes of the loop, inputs first, or an error token."""
    try:
        types = f.resolve_dtypes(tuple(map(operand, operands)) + (None,) * f.nout, **options)
    except TypeError as error:
        return error_token(name, error)
    loop = [char(t) for t in types]
    if name == "ldexp":
        loop[1] = "q"  # NumPy has a second loop with an int32 exponent, of the same meaning
    for k in range(f.nin):
        # NumPy's exact comparisons of signed with unsigned are of 'long long'.
        loop[k] = {"l": "q", "L": "Q"}.get(loop[k], loop[k])
    return "".join(loop)


def dump_ufuncs():
    """name operands-but-the-last : one loop per last operand."""
    for name, f in ufuncs().items():
        for first in itertools.product(OPERANDS, repeat=f.nin - 1):
            row = [
                # No array takes part where all are Python scalars: comparisons then leave the dtypes.
                "-" if len(set(first + (c,)) & set(DTYPES)) == 0 else resolve(name, f, first + (c,))
                for c in OPERANDS
            ]
            yield f"{name} {''.join(first) or '-'} : {' '.join(row)}"


def dump_requested():
    """name casting dtype= second : one loop per first operand ('=': the second operand equals the first)."""
    some = ["absolute", "add", "bitwise_count", "hypot", "ldexp", "less", "logical_or"]
    for name, f in ufuncs().items():
        if f.nin == 3:
            continue
        for casting, requested, second in itertools.product(CASTINGS, DTYPES, "-" if f.nin == 1 else "=f1"):
            # Weak scalars with another rule: NumPy 2.4 crashes in resolve_dtypes.
            if casting != "same_kind" and (name not in some or second == "1"):
                continue
            row = []
            for c in DTYPES:
                operands = c if f.nin == 1 else c + (c if second == "=" else second)
                signature = (None,) * f.nin + (operand(requested),) * f.nout
                row.append(resolve(name, f, operands, signature=signature, casting=casting))
            yield f"{name} {casting} {requested} {second} : {' '.join(row)}"


def reduce_loop(name, f, element, requested, out):
    """Element and result dtypes of the loop of f.reduce, or an error token."""
    options = {"signature": (operand(requested), None, None)} if requested else {}
    try:
        types = f.resolve_dtypes(
            (operand(out) if out else None, operand(element), None),
            casting="unsafe",
            reduction=True,
            **options,
        )
    except TypeError as error:
        # Which of two texts a comparison gets depends on the calls before it: take the first call's.
        return "!m" if name in COMPARISONS else error_token(name, error)
    return "".join(char(t) for t in types[1:])


def dump_reduce():
    """name kind dtype : one pair per element dtype. kind: plain, dtype (dtype= is given), out (out= is)."""
    for name, f in ufuncs().items():
        if f.nin != 2 or f.nout != 1 or name == "ldexp":
            continue
        for kind, given in [("plain", "-")] + list(itertools.product(("dtype", "out"), DTYPES)):
            row = [
                reduce_loop(name, f, c, given if kind == "dtype" else None, given if kind == "out" else None)
                for c in DTYPES
            ]
            if kind == "plain":
                check_reduce(f, row)
            yield f"{name} {kind} {given} : {' '.join(row)}"
    for name, function in (("mean", np.mean), ("var", np.var), ("std", np.std)):
        yield f"{name} plain - : " + " ".join(
            c + char(function(np.ones(2, operand(c))).dtype) for c in DTYPES
        )


def check_reduce(f, row):
    """The loop must be the one that a real reduction takes."""
    for c, answer in zip(DTYPES, row, strict=True):
        if answer[0] != "!":
            assert char(np.asarray(f.reduce(np.ones(1, operand(c)))).dtype) == answer[1], (f, c, answer)


def dump_promotion():
    """promote, cast and result: one character per operand."""
    for a in DTYPES:
        yield f"promote {a} : " + "".join(char(np.promote_types(operand(a), operand(b))) for b in DTYPES)
    for a in DTYPES:
        # The strictest rule that allows the cast, as its position among CASTINGS.
        yield f"cast {a} : " + "".join(
            str(next(i for i, rule in enumerate(CASTINGS) if np.can_cast(operand(a), operand(b), rule)))
            for b in DTYPES
        )
    value = {c: operand(c)(1) if c in WEAK else operand(c) for c in OPERANDS}
    for a, b in itertools.product(OPERANDS, repeat=2):
        answers = "".join(char(np.result_type(value[a], value[b], value[c])) for c in OPERANDS)
        yield f"result {a}{b} : {answers}"


def dump_properties():
    """name inputs outputs identity reorderable."""
    for name, f in ufuncs().items():
        identity = {None: "none"}.get(f.identity, str(f.identity))
        reorderable = "-"
        if f.nin == 2 and f.nout == 1:
            reorderable = "1"
            ones = np.ones((2, 2), bool if name in COMPARISONS else np.int64)
            try:
                f.reduce(ones, axis=(0, 1))
            except ValueError as error:
                assert "not reorderable" in str(error)
                reorderable = "0"
        yield f"{name} {f.nin} {f.nout} {identity} {reorderable}"


COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


# Where ml_dtypes has no loop for bfloat16, NumPy computes in float32; where it has no promotion, it raises.
def as_float16(name, f, operands):
    """Our answer for bfloat16 operands: that of float16, with bfloat16 for float16 in it."""
    if "e" in operands and name.startswith("logical_"):
        return "???"  # different dtypes are tested for truth, each by itself
    if "e" in operands:
        operands = operands.replace("e", "f").replace("E", "f")  # the two meet in float32
    return resolve(name, f, operands.replace("E", "e")).replace("e", "E")


def agrees(name, f, operands, answer):
    """Whether ml_dtypes says the same, where it says anything of its own."""
    if name in ("clip", "ldexp", "bitwise_count") or set(operands) & set(WEAK):
        return True
    has_loop = "E" in resolve(name, f, "E" * f.nin)
    return resolve(name, f, operands) == answer or not has_loop


def dump_bfloat16():
    """Rows as in ufunc_types.txt, with bfloat16 as one operand ('*' stands for each of OPERANDS)."""
    for name, f in ufuncs().items():
        for pattern in {1: ["*"], 2: ["E*", "*E"], 3: []}[f.nin]:
            row = []
            for c in "E" if f.nin == 1 else OPERANDS + "E":
                operands = pattern.replace("*", c)
                answer = as_float16(name, f, operands)
                assert agrees(name, f, operands, answer), (name, operands, answer)
                row.append(answer)
            yield f"{name} {pattern} : {' '.join(row)}"


# Calls whose exceptions are compared letter by letter: name, operands, dtype= and casting=.
WRONG_CALLS = [
    ("cbrt", "j", None, "same_kind"),
    ("floor_divide", "FF", None, "same_kind"),
    ("bitwise_and", "f1", None, "same_kind"),
    ("left_shift", "qQ", None, "same_kind"),
    ("subtract", "??", None, "same_kind"),
    ("subtract", "dd", "?", "same_kind"),
    ("negative", "?", None, "same_kind"),
    ("negative", "d", "?", "same_kind"),
    ("positive", "?", None, "same_kind"),
    ("positive", "q", "?", "same_kind"),
    ("sign", "?", None, "same_kind"),
    ("gcd", "f1", None, "same_kind"),
    ("gcd", "f.", None, "same_kind"),
    ("gcd", "jQ", None, "same_kind"),
    ("gcd", "q1", "f", "same_kind"),
    ("lcm", "qQ", None, "same_kind"),
    ("absolute", "q", "F", "same_kind"),
    ("absolute", "F", "F", "same_kind"),
    ("sin", "d", "q", "same_kind"),
    ("sin", "F", "f", "same_kind"),
    ("less", "d1", "d", "same_kind"),
    ("add", "qd", "q", "same_kind"),
    ("add", "q.", "q", "same_kind"),
    ("add", "qd", None, "no"),
    ("divide", "b1", None, "no"),
    ("sqrt", "q", None, "no"),
    ("less", "bQ", None, "no"),
]
WRONG_REDUCTIONS = [
    ("gcd", "?", None),
    ("gcd", "q", "d"),
    ("less", "q", None),
    ("subtract", "?", None),
    ("subtract", "q", "?"),
    ("divide", "q", "q"),
    ("logical_and", "q", "q"),
    ("bitwise_or", "f", None),
]


def message(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except TypeError as error:
        return f"{type(error).__name__}|{error}"
    raise AssertionError("the call is right")


def dump_errors():
    """call|name|operands|dtype|casting|exception|text, and the same for reduce."""
    example = {c: operand(c)(1) if c in WEAK else np.ones(2, operand(c)) for c in OPERANDS}
    for name, operands, requested, casting in WRONG_CALLS:
        options = {"dtype": operand(requested)} if requested else {}
        arguments = [example[c] for c in operands]
        text = message(ufuncs()[name], *arguments, casting=casting, **options)
        yield f"call|{name}|{operands}|{requested or '-'}|{casting}|{text}"
    for name, element, requested in WRONG_REDUCTIONS:
        options = {"dtype": operand(requested)} if requested else {}
        text = message(ufuncs()[name].reduce, example[element], **options)
        yield f"reduce|{name}|{element}|{requested or '-'}|unsafe|{text}"
    out = np.zeros(2, np.int8)
    text = message(np.add, example["d"], example["q"], out=out)
    yield f"output|add|db|-|same_kind|{text}"
    text = message(np.divmod, example["d"], 1, out=(out, out))
    yield f"output 2|divmod|db|-|same_kind|{text}"


# Each file is written by a process of its own: NumPy remembers, and some of its answers about comparisons depend on
# the calls before.
FILES = {
    "bfloat16.txt": (dump_bfloat16, OPERANDS + "E"),
    "errors.txt": (dump_errors, OPERANDS),
    "promotion.txt": (dump_promotion, OPERANDS),
    "reduce_types.txt": (dump_reduce, DTYPES),
    "ufunc_dtype.txt": (dump_requested, DTYPES),
    "ufunc_types.txt": (dump_ufuncs, OPERANDS),
    "ufuncs.txt": (dump_properties, "none"),
}


def write(directory, name):
    np.seterr(all="ignore")
    dump, operands = FILES[name]
    rows = [f"# NumPy {np.__version__}; written by tools/dump_golden.py. Operands: {operands}", *dump()]
    text = "\n".join(rows) + "\n"
    (directory / name).write_text(text)
    print(f"{name}: {len(text) // 1024} KiB")


def main(directory):
    directory.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        process = multiprocessing.get_context("spawn").Process(target=write, args=(directory, name))
        process.start()
        process.join()
        if process.exitcode != 0:
            sys.exit(f"{name}: failed")


if __name__ == "__main__":
    default = Path(__file__).resolve().parent.parent / "tests" / "golden"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
