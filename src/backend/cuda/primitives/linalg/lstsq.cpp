// Least squares. The QR factors of the matrix (of its adjoint, where it is wide) give the answer wherever the
// rank is full beyond doubt: if the product of the Frobenius norms of R and R^-1, which is never less than
// the condition number, is below 1 / rcond. R^-1 comes with the answer, out of one call of trsm. Else R's
// singular values tell the rank, and where it is not full the singular vectors, which take many times as
// long, the answer. The host waits for the norms: who asks for least squares waits for the rank anyway.
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "backend/cuda/cublas.h"
#include "backend/cuda/primitives/linalg/linalg_strategy.h"
#include "backend/cuda/primitives/linalg/orthogonal.h"
#include "backend/cuda/primitives/linalg/small.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

/// Real numbers of device memory, on the host.
std::vector<double> read_values(Context& context, const std::byte* values, dtype type, std::int64_t count) {
  std::vector<double> read(static_cast<std::size_t>(count));
  if (type == dtype::float64) {
    read_back(context, read.data(), values, read.size() * sizeof(double));
  } else {
    std::vector<float> single(read.size());
    read_back(context, single.data(), values, single.size() * sizeof(float));
    read.assign(single.begin(), single.end());
  }
  return read;
}

void clear(Context& context, const View& dense) {
  const std::size_t nbytes = static_cast<std::size_t>(size_of(dense)) * itemsize(dense.type);
  check(cudaMemsetAsync(dense.data, 0, nbytes, context.stream), "linalg.lstsq");
}

/// to (rows x columns) = a b, or a^H b, of whose rows the first `inner` count.
void multiply(Context& context, const Columns& a, bool adjoint, const Columns& b, const Columns& to,
              std::int64_t inner) {
  const BlasCall call(context, "linalg.lstsq");
  const dtype dt = a.view().type;
  const auto [zero, one] = factors_of(dt);
  const cudaDataType_t type = cuda_type(dt);
  const bool is_double = itemsize(real_type(dt)) == 8;
  call.done(cublas().cublasGemmEx_64(
      call.handle(), adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_OP_N, to.rows(), to.view().shape.back(),
      inner, one, a.at(0), type, a.rows(), b.at(0), type, b.rows(), zero, to.at(0), type, to.rows(),
      is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/// Q and R of a high matrix: reflectors, or Q itself where the small kernel makes it.
class OrthogonalFactors {
 public:
  /// Over the matrix, which must live as long as this.
  OrthogonalFactors(const SolverCall& call, const Columns& matrix)
      : context_(call.context()), triangle_(&matrix) {
    const auto [m, n] = sides_of(matrix.view());
    if (qr_route(m, n, 1) != QrRoute::small) {
      reflectors_.emplace(call, matrix, n);
      return;
    }
    q_.emplace(context_, matrix.view().type, Dims{}, Sides{m, m});
    triangle_ = &r_.emplace(context_, matrix.view().type, Dims{}, Sides{m, n});
    small_qr(context_, matrix.view(), {.q = &q_->view(), .r = &r_->view()});
  }

  /// R, in the upper triangle of its first rows.
  const Columns& triangle() const { return *triangle_; }
  /// Q b, or Q^H b.
  Columns apply(Columns b, bool adjoint) const {
    if (reflectors_) {
      reflectors_->apply(b, adjoint);
      return b;
    }
    Columns product(context_, b.view().type, {}, sides_of(b.view()));
    multiply(context_, *q_, adjoint, b, product, b.rows());
    return product;
  }

 private:
  Context& context_;
  const Columns* triangle_;
  std::optional<Reflectors> reflectors_;
  std::optional<Columns> q_, r_;
};

class LeastSquares {
 public:
  LeastSquares(Context& context, const Lstsq& p, Operands in, Operands out)
      : context_(context),
        p_(p),
        a_(in[0]),
        b_(in[1]),
        x_(out[0]),
        residuals_(out[1]),
        rank_(out[2]),
        real_(real_type(in[0].type)),
        sides_(sides_of(in[0])),
        columns_(in[1].shape.back()),
        call_(context, p.site.function),
        squares_(context, static_cast<std::size_t>(2 * sides_.low()) * itemsize(real_)) {}

  Fault run() {
    const Columns high = made_high();
    sum_squares(context_, a_.type, high.at(0), high.rows(), 0, high.rows(), squares(0));
    const OrthogonalFactors factors(call_, high);
    const Columns right = made_right(factors);
    Columns full = solve_triangle(factors.triangle(), right);
    auto rank = static_cast<std::int32_t>(sides_.low());
    Fault fault;
    if (!is_certainly_full()) {
      const std::optional<std::int32_t> counted = count_rank(factors.triangle());
      if (!counted) return {0, 0};
      rank = *counted;
    }
    const bool is_full = rank == sides_.low();
    put_answer(factors, is_full ? std::move(full) : solve_deficient(factors.triangle(), right, rank, fault));
    check(cudaMemcpyAsync(rank_.data, &rank, sizeof rank, cudaMemcpyHostToDevice, context_.stream),
          "linalg.lstsq");
    return fault;
  }

 private:
  bool is_wide() const { return sides_.m < sides_.n; }
  Columns made_high() const { return Columns(context_, is_wide() ? transposed(a_) : a_, is_wide()); }

  // -- The rank.

  /// Sums of squares of columns: of the matrix (0), of the inverse of its triangle (1).
  View squares(std::int64_t which) const {
    const auto nbytes = static_cast<std::int64_t>(itemsize(real_));
    return dense_view(squares_.get() + which * sides_.low() * nbytes, real_, Dims{sides_.low()});
  }
  double epsilon() const {
    return real_ == dtype::float32 ? std::numeric_limits<float>::epsilon()
                                   : std::numeric_limits<double>::epsilon();
  }
  /// Rounding moves singular values by some epsilon times the largest: a product of norms within a factor of
  /// ten of the limit is no certainty, and neither is NaN or an infinity.
  bool is_certainly_full() const {
    const std::int64_t n = sides_.low();
    const std::vector<double> all = read_values(context_, squares_.get(), real_, 2 * n);
    const double bound = std::sqrt(std::accumulate(all.begin(), all.begin() + n, 0.0)) *
                         std::sqrt(std::accumulate(all.begin() + n, all.end(), 0.0));
    return bound * std::max(p_.rcond, static_cast<double>(sides_.high()) * epsilon()) < 0.1;
  }
  /// By singular values; nothing, where these do not converge.
  std::optional<std::int32_t> count_rank(const Columns& triangle) const {
    const std::int64_t n = sides_.low();
    const Statuses info(context_, 1);
    const Scratch memory(context_, static_cast<std::size_t>(n) * itemsize(real_));
    const Columns r = square(triangle);
    factorize_high(call_, r, {memory.get()}, info);
    const std::vector<double> values = read_values(context_, memory.get(), real_, n);
    int wrong = 0;
    read_back(context_, &wrong, info.at(), sizeof wrong);
    if (wrong != 0) return std::nullopt;
    const double cut = (p_.rcond >= 0 ? p_.rcond : epsilon() / 2) * values[0];  // below zero: as gelsd
    std::int32_t rank = 0;
    for (const double value : values) rank += value > cut ? 1 : 0;
    return rank;
  }

  // -- The answer. A high a is Q R, and R x = Q^H b; a wide one is R^H Q^H, and its shortest x is Q y with R^H y = b.

  /// R, or R's own rows of it, with zeros below.
  Columns square(const Columns& triangle) const {
    const std::int64_t n = sides_.low();
    Columns r(context_, a_.type, {}, {n, n});
    take_triangle(context_, corner(triangle.view(), n, n), r.view(), Triangle::upper);
    return r;
  }
  /// The right side of the equations with R: its first rows. What is behind them in Q^H b is left over.
  Columns made_right(const OrthogonalFactors& factors) const {
    if (is_wide()) {
      clear(context_, residuals_);
      return Columns(context_, b_);
    }
    Columns turned = factors.apply(Columns(context_, b_), true);
    sum_squares(context_, a_.type, turned.at(0), sides_.m, sides_.n, sides_.m, residuals_);
    return turned;
  }
  /// [R^-1 right, R^-1], or by R^-H; of the inverse only the squares are kept.
  Columns solve_triangle(const Columns& triangle, const Columns& right) const {
    const std::int64_t n = sides_.low();
    Columns solved(context_, a_.type, {}, {n, columns_ + n});
    put(context_, corner(right.view(), n, columns_), corner(solved.view(), n, columns_));
    std::byte* const inverse = solved.at(0) + n * columns_ * static_cast<std::int64_t>(itemsize(a_.type));
    set_identity(context_, a_.type, n, 1, inverse);
    const BlasCall call(context_, p_.site.function);
    call.done(cublas().trsm(a_.type, call.handle(), CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER,
                            is_wide() ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, columns_ + n,
                            Pointer{factors_of(a_.type).one}, Pointer{triangle.at(0)}, triangle.rows(),
                            Pointer{solved.at(0)}, n));
    sum_squares(context_, a_.type, inverse, n, 0, n, squares(1));
    return solved;
  }
  /// By R = u s v^H, with 0 for 1 / s beyond the rank, which is known: routines that are fast for vectors do not make zeros of
  /// singular values. R and not the matrix itself: what is small next to the largest value keeps its digits in few rows alone,
  /// where rotations are the fastest routine (linalg_strategy.h).
  Columns solve_deficient(const Columns& triangle, const Columns& right, std::int64_t rank,
                          Fault& fault) const {
    const std::int64_t n = sides_.low();
    const Columns r = square(triangle);
    Columns u(context_, a_.type, {}, {n, n}), v(context_, a_.type, {}, {n, n});
    const Statuses info(context_, 1);
    const Scratch values(context_, static_cast<std::size_t>(n) * itemsize(real_));
    factorize_high(call_, r, {values.get(), &u, &v}, info);
    const Columns parts(context_, a_.type, {}, {n, columns_});
    Columns x(context_, a_.type, {}, {n, columns_});
    multiply(context_, is_wide() ? v : u, true, right, parts, n);
    divide_rows(context_, parts, values.get(), rank);
    multiply(context_, is_wide() ? u : v, false, parts, x, n);
    fault = info.tell(context_, p_.site, false);
    return x;
  }
  /// Of what solves the equations with R.
  void put_answer(const OrthogonalFactors& factors, const Columns& solved) const {
    const View rows = corner(solved.view(), sides_.low(), columns_);
    if (!is_wide()) return put(context_, rows, x_);
    Columns shortest(context_, a_.type, {}, {sides_.n, columns_});
    clear(context_, shortest.view());
    put(context_, rows, corner(shortest.view(), sides_.m, columns_));
    put(context_, factors.apply(std::move(shortest), false).view(), x_);
  }

  Context& context_;
  const Lstsq& p_;
  const View &a_, &b_, &x_, &residuals_, &rank_;
  dtype real_;
  Sides sides_;
  std::int64_t columns_;
  SolverCall call_;
  Scratch squares_;
};

}  // namespace

}  // namespace primitives

Fault call(Context& context, const Lstsq& p, Operands in, Operands out) {
  return primitives::LeastSquares(context, p, in, out).run();
}

}  // namespace cuprum::cuda
