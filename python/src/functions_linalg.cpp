// Products, as methods of ndarray and as functions of the module: matmul dot vdot inner outer tensordot kron
#include "errors.h"
#include "function.h"
#include "ops/linalg.h"

namespace cuprum::python {

namespace {

PyObject* matmul(PyObject* const* args) {
  const ArrayArgument a(args[0], "matmul", 1), b(args[1], "matmul", 2);
  return deliver(ops::matmul(*a, *b, out_argument(args[2], "matmul")), args[2]);
}

PyObject* dot(PyObject* const* args) {
  const ArrayArgument a(args[0], "dot", 1), b(args[1], "dot", 2);
  return deliver(ops::dot(*a, *b, out_argument(args[2], "dot")), args[2]);
}

PyObject* vdot(PyObject* const* args) {
  return wrap_raw(ops::vdot(*ArrayArgument(args[0], "vdot", 1), *ArrayArgument(args[1], "vdot", 2)));
}

PyObject* inner(PyObject* const* args) {
  return wrap_raw(ops::inner(*ArrayArgument(args[0], "inner", 1), *ArrayArgument(args[1], "inner", 2)));
}

PyObject* outer(PyObject* const* args) {
  const ArrayArgument a(args[0], "outer", 1), b(args[1], "outer", 2);
  return deliver(ops::outer(*a, *b, out_argument(args[2], "outer")), args[2]);
}

PyObject* kron(PyObject* const* args) {
  return wrap_raw(ops::kron(*ArrayArgument(args[0], "kron", 1), *ArrayArgument(args[1], "kron", 2)));
}

PyObject* tensordot(PyObject* const* args) {
  const ArrayArgument a(args[0], "tensordot", 1), b(args[1], "tensordot", 2);
  if (!args[2]) return wrap_raw(ops::tensordot(*a, *b));
  if (PyIndex_Check(args[2])) return wrap_raw(ops::tensordot(*a, *b, to_int(args[2], "tensordot", "axes")));
  if (!PySequence_Check(args[2]) || PySequence_Size(args[2]) != 2) {
    PyErr_Clear();
    throw TypeError("cuprum.tensordot: axes must be an integer or a pair of sequences of integers, given a " +
                    type_name(args[2]));
  }
  nb::object first = checked(PySequence_GetItem(args[2], 0)),
             second = checked(PySequence_GetItem(args[2], 1));
  return wrap_raw(ops::tensordot(*a, *b, to_dims(first.ptr(), "tensordot", "axes"),
                                 to_dims(second.ptr(), "tensordot", "axes")));
}

constinit Function kMatmul = {
    "matmul", "x1, x2, /, out=None", &matmul,
    "Matrix product; vectors count as rows or columns, further dimensions broadcast."};
constinit Function kDot = {"dot", "a, b, out=None", &dot,
                           "Sum over the last axis of a and the last but one of b."};
constinit Function kVdot = {"vdot", "a, b, /", &vdot,
                            "Dot product of flattened arrays, the first one conjugated.", ResultClass::plain};
constinit Function kInner = {"inner", "a, b, /", &inner, "Sum over the last axes of both."};
constinit Function kOuter = {"outer", "a, b, out=None", &outer, "Products of all pairs of elements.",
                             ResultClass::plain};
constinit Function kTensordot = {"tensordot", "a, b, axes=2", &tensordot, "Sum over pairs of axes.",
                                 ResultClass::plain};
constinit Function kKron = {"kron", "a, b", &kron, "Kronecker product."};

}  // namespace

void bind_product_methods(NdarrayClass& c) { add_methods(c, {entry<kDot>()}); }

void bind_product_functions(nb::module_& m) {
  add_functions(m, {entry<kMatmul>(), entry<kDot>(), entry<kVdot>(), entry<kInner>(), entry<kOuter>(),
                    entry<kTensordot>(), entry<kKron>()});
}

}  // namespace cuprum::python
