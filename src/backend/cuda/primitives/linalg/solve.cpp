// What rests on triangular factors: solve, inverse, determinant, Cholesky.
//
// A matrix in C order is taken for its transpose in columns: the factors are those of a^T, the inverse in
// columns is that of `a` in C order, and a x = b is solved with the transposed factors.
#include <optional>

#include "backend/cuda/cublas.h"
#include "backend/cuda/cusolver.h"
#include "backend/cuda/primitives/linalg/determinant.h"
#include "backend/cuda/primitives/linalg/linalg_strategy.h"
#include "backend/cuda/primitives/linalg/matrices.h"
#include "backend/cuda/primitives/linalg/small.h"
#include "backend/cuda/primitives/linalg/status.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

/// Matrices in C order that may be written over.
class Rows {
 public:
  Rows(Context& context, const View& from)
      : memory_(context, static_cast<std::size_t>(size_of(from)) * itemsize(from.type)),
        view_(dense_view(memory_.get(), from.type, from.shape)) {
    put(context, from, view_);
  }
  const View& view() const { return view_; }

 private:
  Scratch memory_;
  View view_;
};

std::int64_t step_of(const View& matrices) {
  const auto [m, n] = sides_of(matrices);
  return m * n * static_cast<std::int64_t>(itemsize(matrices.type));
}
std::byte* matrix(const View& matrices, std::int64_t i) { return matrices.data + i * step_of(matrices); }
Addresses addresses(Context& context, const View& matrices, std::int64_t count) {
  return {context, matrices.data, step_of(matrices), count};
}

/// LU factors of the transposes of a stack, by one batched call.
class BatchedFactors {
 public:
  BatchedFactors(Context& context, const char* function, const View& a, std::int64_t count, int* info)
      : context_(context),
        call_(context, function),
        n_(static_cast<int>(a.shape.back())),
        count_(as_int(count, function)),
        lu_(context, a),
        at_(addresses(context, lu_.view(), count)),
        pivots_(context, static_cast<std::size_t>(n_ * count) * sizeof(int)) {
    call_.done(
        cublas().getrf_batched(a.type, call_.handle(), n_, Pointer{at_.get()}, n_, pivots(), info, count_));
  }

  void invert(const View& out) const {
    Statuses ignored(context_, count_);  // a zero on the diagonal has been told
    const Addresses to = addresses(context_, out, count_);
    call_.done(cublas().getri_batched(out.type, call_.handle(), n_, Pointer{at_.get()}, n_, pivots(),
                                      Pointer{to.get()}, n_, ignored.at(), count_));
  }
  /// `right`: the columns of b, which become those of x.
  void solve(const View& right, std::byte* first, std::int64_t columns) const {
    const Addresses to(context_, first, n_ * columns * static_cast<std::int64_t>(itemsize(right.type)),
                       count_);
    int wrong = 0;
    call_.done(cublas().getrs_batched(right.type, call_.handle(), CUBLAS_OP_T, n_, static_cast<int>(columns),
                                      Pointer{at_.get()}, n_, pivots(), Pointer{to.get()}, n_, &wrong,
                                      count_));
  }
  void determinants(const int* info, Operands out, bool log) const {
    multiply_diagonals(context_, lu_.view(), pivots(), info, out, log);
  }

 private:
  int* pivots() const { return pivots_.get<int>(); }

  Context& context_;
  BlasCall call_;
  int n_, count_;
  Rows lu_;
  Addresses at_;
  Scratch pivots_;
};

/// The same, one matrix after the other.
class SingleFactors {
 public:
  SingleFactors(Context& context, const char* function, const View& a, std::int64_t count, int* info)
      : context_(context),
        call_(context, function),
        type_(cuda_type(a.type)),
        n_(a.shape.back()),
        count_(count),
        lu_(context, a),
        pivots_(context, static_cast<std::size_t>(n_ * count) * sizeof(std::int64_t)) {
    const Workspace work(call_, [&](auto* device, auto* host) {
      return cusolver().cusolverDnXgetrf_bufferSize(call_.handle(), call_.params(), n_, n_, type_,
                                                    matrix(lu_.view(), 0), n_, type_, device, host);
    });
    for (std::int64_t i = 0; i < count; ++i) {
      call_.done(cusolver().cusolverDnXgetrf(call_.handle(), call_.params(), n_, n_, type_,
                                             matrix(lu_.view(), i), n_, pivots(i), type_, work.device(),
                                             work.device_bytes(), work.host(), work.host_bytes(), info + i));
    }
  }

  void invert(const View& out) const {
    set_identity(context_, out.type, n_, count_, out.data);
    solve(CUBLAS_OP_N, out.data, n_, step_of(out));
  }
  void solve(const View& right, std::byte* first, std::int64_t columns) const {
    solve(CUBLAS_OP_T, first, columns, n_ * columns * static_cast<std::int64_t>(itemsize(right.type)));
  }
  void determinants(const int* info, Operands out, bool log) const {
    multiply_diagonals(context_, lu_.view(), pivots(0), info, out, log);
  }

 private:
  std::int64_t* pivots(std::int64_t i) const { return pivots_.get<std::int64_t>() + i * n_; }

  void solve(cublasOperation_t operation, std::byte* first, std::int64_t columns, std::int64_t step) const {
    const Statuses ignored(context_, 1);  // says nothing but that an argument was wrong
    for (std::int64_t i = 0; i < count_; ++i) {
      call_.done(cusolver().cusolverDnXgetrs(call_.handle(), call_.params(), operation, n_, columns, type_,
                                             matrix(lu_.view(), i), n_, pivots(i), type_, first + i * step,
                                             n_, ignored.at()));
    }
  }

  Context& context_;
  SolverCall call_;
  cudaDataType_t type_;
  std::int64_t n_, count_;
  Rows lu_;
  Scratch pivots_;
};

/// A single column lies in `out` as it does in columns; more are brought there and back.
template <class Factors>
void solve_with(Context& context, const Factors& factors, const View& b, const View& out) {
  const std::int64_t columns = b.shape.back();
  if (columns == 1) {
    put(context, b, out);
    return factors.solve(out, out.data, columns);
  }
  const Columns right(context, b);
  factors.solve(right.view(), right.at(0), columns);
  put(context, right.view(), out);
}

template <class Factors>
void solve_large(Context& context, const Solve& p, Operands in, const View& out, std::int64_t count,
                 int* info) {
  const Factors factors(context, p.site.function, in[0], count, info);
  if (in.size() == 1)
    factors.invert(out);
  else
    solve_with(context, factors, in[1], out);
}

/// The lower factors of matrices in columns, in their place.
void factorize_single(Context& context, const char* function, const View& matrices, std::int64_t count,
                      int* info) {
  const SolverCall call(context, function);
  const cudaDataType_t type = cuda_type(matrices.type);
  const std::int64_t n = matrices.shape.back();
  const Workspace work(call, [&](auto* device, auto* host) {
    return cusolver().cusolverDnXpotrf_bufferSize(call.handle(), call.params(), CUBLAS_FILL_MODE_LOWER, n,
                                                  type, matrix(matrices, 0), n, type, device, host);
  });
  for (std::int64_t i = 0; i < count; ++i) {
    call.done(cusolver().cusolverDnXpotrf(call.handle(), call.params(), CUBLAS_FILL_MODE_LOWER, n, type,
                                          matrix(matrices, i), n, type, work.device(), work.device_bytes(),
                                          work.host(), work.host_bytes(), info + i));
  }
}

void factorize_batched(Context& context, const char* function, const View& matrices, std::int64_t count,
                       int* info) {
  const SolverCall call(context, function);
  const auto n = static_cast<int>(matrices.shape.back());
  const Addresses at = addresses(context, matrices, count);
  call.done(cusolver().potrf_batched(matrices.type, call.handle(), CUBLAS_FILL_MODE_LOWER, n,
                                     Pointer{at.get()}, n, info, as_int(count, function)));
}

/// cuSOLVER is up to twice as fast at lower triangles in columns as at upper ones. The upper triangle in C
/// order is such a one; the lower one is brought into columns.
void cholesky(Context& context, const Cholesky& p, const View& a, const View& out, std::int64_t count,
              int* info) {
  const auto factorize =
      factor_route(out.shape.back(), count) == FactorRoute::batched ? factorize_batched : factorize_single;
  if (p.upper) {
    put(context, a, out);
    factorize(context, p.site.function, out, count, info);
    return clear_below(context, out);
  }
  const Columns columns(context, a);
  factorize(context, p.site.function, transposed(columns.view()), count, info);
  take_triangle(context, columns.view(), out, Triangle::lower);
}

}  // namespace

}  // namespace primitives

using namespace primitives;

Fault call(Context& context, const Solve& p, Operands in, const View& out) {
  const Dims stack = stack_of(out);
  const std::int64_t count = count_of(stack);
  const Statuses info(context, count);
  switch (factor_route(in[0].shape.back(), count)) {
    case FactorRoute::small:
      small_solve(context, in[0], in.size() > 1 ? &in[1] : nullptr, out, info.at());
      break;
    case FactorRoute::batched: solve_large<BatchedFactors>(context, p, in, out, count, info.at()); break;
    case FactorRoute::single: solve_large<SingleFactors>(context, p, in, out, count, info.at()); break;
  }
  if (!p.quiet) return info.tell(context, p.site, !stack.empty());
  info.fill_failed(context, out);
  return {};
}

void call(Context& context, const Determinant& p, Operands in, Operands out) {
  const View& a = in[0];
  const std::int64_t count = count_of(stack_of(a));
  const char* const function = p.log ? "linalg.slogdet" : "linalg.det";
  const FactorRoute route = factor_route(a.shape.back(), count);
  if (route == FactorRoute::small) return small_determinant(context, a, out, p.log);
  const Statuses info(context, count);
  if (route == FactorRoute::batched)
    BatchedFactors(context, function, a, count, info.at()).determinants(info.at(), out, p.log);
  else
    SingleFactors(context, function, a, count, info.at()).determinants(info.at(), out, p.log);
}

Fault call(Context& context, const Cholesky& p, Operands in, const View& out) {
  const Dims stack = stack_of(out);
  const std::int64_t count = count_of(stack);
  const Statuses info(context, count);
  if (factor_route(out.shape.back(), count) == FactorRoute::small)
    small_cholesky(context, in[0], out, p.upper, info.at());
  else
    cholesky(context, p, in[0], out, count, info.at());
  return info.tell(context, p.site, !stack.empty());
}

}  // namespace cuprum::cuda
