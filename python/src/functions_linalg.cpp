// Products, as methods of ndarray and as functions of the module: matmul dot vdot inner outer tensordot kron vecdot matvec vecmat
// cross
#include "errors.h"
#include "function.h"
#include "ops/linalg.h"
#include "ops/support.h"
#include "ops/vector_products.h"

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
  return wrap_raw(
      ops::value_if_0d(ops::kron(*ArrayArgument(args[0], "kron", 1), *ArrayArgument(args[1], "kron", 2))));
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

template <Name kName, Array (*product)(const Array&, const Array&)>
PyObject* stacked_product(PyObject* const* args) {
  return wrap_raw(product(*ArrayArgument(args[0], kName, 1), *ArrayArgument(args[1], kName, 2)));
}

PyObject* cross(PyObject* const* args) {
  const ArrayArgument a(args[0], "cross", 1), b(args[1], "cross", 2);
  const char* const names[] = {"axisa", "axisb", "axisc"};
  std::int64_t axes[3];
  for (int i = 0; i < 3; ++i) {
    axes[i] =
        given(args[5]) ? to_int(args[5], "cross", "axis") : int_argument(args[2 + i], "cross", names[i], -1);
  }
  Array result = ops::cross(*a, *b, axes[0], axes[1], axes[2]);
  const auto length = [](const Array& x, std::int64_t axis) {
    return x.shape()[normalize_axis("cross", axis, x.ndim())];
  };
  if (length(*a, axes[0]) == 2 || length(*b, axes[1]) == 2) {
    const char* text =
        "Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. "
        "(deprecated in NumPy 2.0)";
    if (PyErr_WarnEx(PyExc_DeprecationWarning, text, program_level()) < 0) throw_python_error();
  }
  return wrap_raw(std::move(result));
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
constinit Function kVecdot = {"vecdot", "x1, x2, /", &stacked_product<"vecdot", &ops::vecdot>,
                              "Dot products along the last axis, the first vectors conjugated."};
constinit Function kMatvec = {"matvec", "x1, x2, /", &stacked_product<"matvec", &ops::matvec>,
                              "Products of stacks of matrices with stacks of vectors."};
constinit Function kVecmat = {"vecmat", "x1, x2, /", &stacked_product<"vecmat", &ops::vecmat>,
                              "Products of stacks of vectors, conjugated, with stacks of matrices."};
constinit Function kCross = {"cross", "a, b, axisa=-1, axisb=-1, axisc=-1, axis=None", &cross,
                             "Cross products of vectors along an axis."};

}  // namespace

void bind_product_methods(NdarrayClass& c) { add_methods(c, {entry<kDot>()}); }

void bind_product_functions(nb::module_& m) {
  add_functions(m, {entry<kMatmul>(), entry<kDot>(), entry<kVdot>(), entry<kInner>(), entry<kOuter>(),
                    entry<kTensordot>(), entry<kKron>(), entry<kVecdot>(), entry<kMatvec>(), entry<kVecmat>(),
                    entry<kCross>()});
}

}  // namespace cuprum::python
