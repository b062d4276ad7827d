"""opt_einsum: products of many arrays in a good order."""

import numpy as np
import opt_einsum as oe

RNG = np.random.default_rng(0)
A, B, C = (RNG.normal(size=shape) for shape in ((5, 6), (6, 7), (7, 4)))


def contracts(xp):
    return oe.contract("ij,jk,kl->il", *map(xp.asarray, (A, B, C)))


def contracts_to_a_number(xp):
    return oe.contract("ij,ij->", xp.asarray(A), xp.asarray(A))


def by_name_of_backend(xp):
    return oe.contract("ij,jk->ik", xp.asarray(A), xp.asarray(B), backend=xp.__name__)


def expression(xp):
    product = oe.contract_expression("ij,jk,kl->il", A.shape, B.shape, C.shape)
    return product(*map(xp.asarray, (A, B, C)))


def constants(xp):
    product = oe.contract_expression("ij,jk,kl->il", A.shape, xp.asarray(B), C.shape, constants=[1])
    return product(xp.asarray(A), xp.asarray(C))


def host_inputs(xp):
    product = oe.contract_expression("ij,jk,kl->il", A.shape, B.shape, C.shape)
    return product(A, B, C, backend=xp.__name__)


def host_beside(xp):
    return oe.contract("ij,jk->ik", xp.asarray(A), B)


def shares(xp):
    a, b = xp.asarray(A), xp.asarray(B)
    with oe.shared_intermediates():
        return oe.contract("ij,jk->ik", a, b), oe.contract("ij,jk->k", a, b)


def path(xp):
    return str(oe.contract_path("ij,jk,kl->il", *map(xp.asarray, (A, B, C)))[0])
