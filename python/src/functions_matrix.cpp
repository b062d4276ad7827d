// The functions of cuprum.linalg that compute on matrices: the submodule _core.linalg.
#include "errors.h"
#include "function.h"
#include "ops/linalg_matrix.h"

namespace cuprum::python {

namespace {

double to_double(PyObject* o, const char* function, const char* parameter) {
  const double value = PyFloat_AsDouble(o);
  if (value == -1 && PyErr_Occurred()) throw_named_error(function, parameter);
  return value;
}

/// A function of one stack of matrices.
template <Name name, Array (*f)(const Array&)>
PyObject* of_matrices(PyObject* const* args) {
  return wrap_raw(f(*ArrayArgument(args[0], name, 1)));
}

PyObject* solve(PyObject* const* args) {
  return wrap_raw(
      ops::solve(*ArrayArgument(args[0], "linalg.solve", 1), *ArrayArgument(args[1], "linalg.solve", 2)));
}

PyObject* tensorsolve(PyObject* const* args) {
  const char* const function = "linalg.tensorsolve";
  const ArrayArgument a(args[0], function, 1), b(args[1], function, 2);
  std::optional<Dims> axes;
  if (given(args[2])) axes = to_dims(args[2], function, "axes");
  return wrap_raw(ops::tensorsolve(*a, *b, axes));
}

PyObject* tensorinv(PyObject* const* args) {
  const char* const function = "linalg.tensorinv";
  return wrap_raw(
      ops::tensorinv(*ArrayArgument(args[0], function, 1), int_argument(args[1], function, "ind", 2)));
}

PyObject* matrix_power(PyObject* const* args) {
  const char* const function = "linalg.matrix_power";
  const ArrayArgument a(args[0], function, 1);
  return wrap_raw(ops::matrix_power(*a, to_int(args[1], function, "n")));
}

PyObject* cholesky(PyObject* const* args) {
  return wrap_raw(ops::cholesky(*ArrayArgument(args[0], "linalg.cholesky", 1), flag_argument(args[1])));
}

PyObject* slogdet(PyObject* const* args) {
  const ops::Slogdet found = ops::slogdet(*ArrayArgument(args[0], "linalg.slogdet", 1));
  return to_tuple({found.sign, found.log});
}

PyObject* lstsq(PyObject* const* args) {
  const char* const function = "linalg.lstsq";
  const ArrayArgument a(args[0], function, 1), b(args[1], function, 2);
  std::optional<double> rcond;
  if (given(args[2])) rcond = to_double(args[2], function, "rcond");
  const ops::LeastSquares found = ops::lstsq(*a, *b, rcond);
  return to_tuple({found.x, found.residuals, found.rank, found.singular_values});
}

PyObject* qr(PyObject* const* args) {
  const ArrayArgument a(args[0], "linalg.qr", 1);
  const ops::QrFactors found = ops::qr(*a, text_argument(args[1], "linalg.qr", "mode", "reduced"));
  return found.q ? to_tuple({found.q, found.r}) : wrap_raw(found.r);
}

PyObject* svd(PyObject* const* args) {
  const ArrayArgument a(args[0], "linalg.svd", 1);
  const bool full = flag_argument(args[1], true), hermitian = flag_argument(args[3]);
  if (!flag_argument(args[2], true)) return wrap_raw(ops::svdvals(*a, hermitian));
  const ops::SvdFactors found = ops::svd(*a, full, hermitian);
  return to_tuple({found.u, found.s, found.vh});
}

/// "L" or "U", of any case.
bool lower_argument(PyObject* o, const char* function) {
  const std::string triangle = text_argument(o, function, "UPLO", "L");
  if (triangle == "L" || triangle == "l") return true;
  if (triangle == "U" || triangle == "u") return false;
  throw ValueError(std::string("cuprum.") + function + ": UPLO argument must be 'L' or 'U', given '" +
                   triangle + "'");
}

PyObject* eigh(PyObject* const* args) {
  const bool lower = lower_argument(args[1], "linalg.eigh");
  const ops::Eigen found = ops::eigh(*ArrayArgument(args[0], "linalg.eigh", 1), lower);
  return to_tuple({found.values, found.vectors});
}

PyObject* eigvalsh(PyObject* const* args) {
  const bool lower = lower_argument(args[1], "linalg.eigvalsh");
  return wrap_raw(ops::eigvalsh(*ArrayArgument(args[0], "linalg.eigvalsh", 1), lower));
}

PyObject* eig(PyObject* const* args) {
  const ops::Eigen found = ops::eig(*ArrayArgument(args[0], "linalg.eig", 1));
  return to_tuple({found.values, found.vectors});
}

ops::NormOrder order_of(PyObject* o, const char* function) {
  ops::NormOrder order;
  if (!given(o)) return order;
  if (PyUnicode_Check(o)) {
    order.kind = ops::NormOrder::Kind::word;
    order.word = to_utf8(o);
  } else {
    order.kind = ops::NormOrder::Kind::number;
    order.number = to_double(o, function, "ord");
  }
  return order;
}

PyObject* norm(PyObject* const* args) {
  const char* const function = "linalg.norm";
  const ArrayArgument a(args[0], function, 1);
  return wrap_raw(
      ops::norm(*a, order_of(args[1], function), axes_argument(args[2], function), flag_argument(args[3])));
}

PyObject* matrix_norm(PyObject* const* args) {
  const char* const function = "linalg.matrix_norm";
  const ArrayArgument a(args[0], function, 1);
  return wrap_raw(ops::matrix_norm(*a, order_of(args[2], function), flag_argument(args[1])));
}

PyObject* vector_norm(PyObject* const* args) {
  const char* const function = "linalg.vector_norm";
  const ArrayArgument a(args[0], function, 1);
  return wrap_raw(ops::vector_norm(*a, order_of(args[3], function), axes_argument(args[1], function),
                                   flag_argument(args[2])));
}

PyObject* cond(PyObject* const* args) {
  return wrap_raw(ops::cond(*ArrayArgument(args[0], "linalg.cond", 1), order_of(args[1], "linalg.cond")));
}

PyObject* matrix_rank(PyObject* const* args) {
  const char* const function = "linalg.matrix_rank";
  const ArrayArgument a(args[0], function, 1);
  const OptionalArray tol(args[1], function, 2), rtol(args[3], function, 4);
  return wrap_raw(ops::matrix_rank(*a, tol.get(), flag_argument(args[2]), rtol.get()));
}

PyObject* pinv(PyObject* const* args) {
  const char* const function = "linalg.pinv";
  const ArrayArgument a(args[0], function, 1), rcond(args[1], function, 2, HostRole::parameter);
  return wrap_raw(ops::pinv(*a, *rcond, flag_argument(args[2])));
}

PyObject* multi_dot(PyObject* const* args) {
  const ArraySequence arrays(args[0], "linalg.multi_dot");
  return deliver(ops::multi_dot(arrays.arrays(), out_argument(args[1], "linalg.multi_dot")), args[1]);
}

constinit Function kSolve = {"solve", "a, b", &solve, "x with a @ x == b."};
constinit Function kInv = {"inv", "a", &of_matrices<"linalg.inv", &ops::inv>, "Inverse matrices."};
constinit Function kTensorsolve = {"tensorsolve", "a, b, axes=None", &tensorsolve,
                                   "Tensor equation a x = b."};
constinit Function kTensorinv = {"tensorinv", "a, ind=2", &tensorinv, "Inverse of a tensor."};
constinit Function kMatrixPower = {"matrix_power", "a, n", &matrix_power, "Integer powers of matrices."};
constinit Function kCholesky = {"cholesky", "a, upper=False", &cholesky, "Cholesky factors."};
constinit Function kDet = {"det", "a", &of_matrices<"linalg.det", &ops::det>, "Determinants.",
                           ResultClass::plain};
constinit Function kSlogdet = {"slogdet", "a", &slogdet, "Signs and logarithms of determinants.",
                               ResultClass::plain};
constinit Function kLstsq = {"lstsq", "a, b, rcond=None", &lstsq, "Least squares.", ResultClass::plain};
constinit Function kQr = {"qr", "a, mode='reduced'", &qr, "QR factors."};
constinit Function kSvd = {"svd", "a, full_matrices=True, compute_uv=True, hermitian=False", &svd,
                           "Singular values and vectors."};
constinit Function kEigh = {"eigh", "a, UPLO='L'", &eigh, "Eigenvalues and vectors of Hermitian matrices."};
constinit Function kEigvalsh = {"eigvalsh", "a, UPLO='L'", &eigvalsh, "Eigenvalues of Hermitian matrices.",
                                ResultClass::plain};
constinit Function kEig = {"eig", "a", &eig, "Eigenvalues and vectors."};
constinit Function kEigvals = {"eigvals", "a", &of_matrices<"linalg.eigvals", &ops::eigvals>, "Eigenvalues.",
                               ResultClass::plain};
constinit Function kNorm = {"norm", "x, ord=None, axis=None, keepdims=False", &norm, "Norms.",
                            ResultClass::plain};
constinit Function kMatrixNorm = {"matrix_norm", "x, keepdims=False, ord='fro'", &matrix_norm,
                                  "Norms of matrices.", ResultClass::plain};
constinit Function kVectorNorm = {"vector_norm", "x, axis=None, keepdims=False, ord=2", &vector_norm,
                                  "Norms of vectors.", ResultClass::plain};
constinit Function kCond = {"cond", "x, p=None", &cond, "Condition numbers.", ResultClass::plain};
constinit Function kMatrixRank = {"matrix_rank", "A, tol=None, hermitian=False, rtol=None", &matrix_rank,
                                  "Ranks.", ResultClass::plain};
constinit Function kPinv = {"pinv", "a, rcond, hermitian=False", &pinv, "Pseudo-inverses."};
constinit Function kMultiDot = {"multi_dot", "arrays, out=None", &multi_dot, "Products of many matrices."};

}  // namespace

void bind_matrix_functions(nb::module_& m) {
  nb::module_ linalg = m.def_submodule("linalg");
  add_functions(linalg,
                {entry<kSolve>(),       entry<kInv>(),        entry<kTensorsolve>(), entry<kTensorinv>(),
                 entry<kMatrixPower>(), entry<kCholesky>(),   entry<kDet>(),         entry<kSlogdet>(),
                 entry<kLstsq>(),       entry<kQr>(),         entry<kSvd>(),         entry<kEigh>(),
                 entry<kEigvalsh>(),    entry<kEig>(),        entry<kEigvals>(),     entry<kNorm>(),
                 entry<kMatrixNorm>(),  entry<kVectorNorm>(), entry<kCond>(),        entry<kMatrixRank>(),
                 entry<kPinv>(),        entry<kMultiDot>()});
}

}  // namespace cuprum::python
