// Least squares. The QR factors of the matrix (of its adjoint, where it is wide) give R, whose singular
// values are those of the matrix. If they say that its rank is full, R is solved with; else the singular
// vectors are needed as well, which take many times as long. The host waits for the values in between: who
// asks for least squares waits for the rank anyway.
#include <cmath>
#include <limits>
#include <vector>

#include "backend/cuda/cublas.h"
#include "backend/cuda/primitives/linalg/orthogonal.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

/// Real numbers without gaps, on the host.
std::vector<double> read_values(Context& context, const View& values) {
  std::vector<double> read(static_cast<std::size_t>(size_of(values)));
  if (values.type == dtype::float64) {
    read_back(context, read.data(), values.data, read.size() * sizeof(double));
  } else {
    std::vector<float> single(read.size());
    read_back(context, single.data(), values.data, single.size() * sizeof(float));
    read.assign(single.begin(), single.end());
  }
  return read;
}

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
        values_(out[3]),
        sides_(sides_of(in[0])),
        columns_(in[1].shape.back()),
        call_(context, p.site.function),
        info_(context, 1) {}

  Fault run() {
    const Columns high = made_high();
    const Reflectors reflectors(call_, high, sides_.low());
    {
      const Columns r(context_, a_.type, {}, {sides_.low(), sides_.low()});
      take_triangle(context_, corner(high.view(), sides_.low(), sides_.low()), r.view(), Triangle::upper);
      factorize_high(call_, r, {values_.data}, info_);
    }
    const std::vector<double> values = read_values(context_, values_);
    int wrong = 0;
    read_back(context_, &wrong, info_.at(), sizeof wrong);
    if (wrong != 0) return {0, 0};
    const double cut = relative_cut() * values[0];
    std::int32_t rank = 0;
    for (const double value : values) rank += value > cut ? 1 : 0;
    check(cudaMemcpyAsync(rank_.data, &rank, sizeof rank, cudaMemcpyHostToDevice, context_.stream),
          "linalg.lstsq");
    clear(residuals_);
    if (rank < sides_.low()) return solve_deficient(rank);
    is_wide() ? solve_wide(high, reflectors) : solve_high(high, reflectors);
    return {};
  }

 private:
  bool is_wide() const { return sides_.m < sides_.n; }
  Columns made_high() const { return Columns(context_, is_wide() ? transposed(a_) : a_, is_wide()); }
  /// Below zero: the unit roundoff, as gelsd has it.
  double relative_cut() const {
    if (p_.rcond >= 0) return p_.rcond;
    return values_.type == dtype::float32 ? std::numeric_limits<float>::epsilon() / 2
                                          : std::numeric_limits<double>::epsilon() / 2;
  }
  void clear(const View& dense) const {
    const std::size_t nbytes = static_cast<std::size_t>(size_of(dense)) * itemsize(dense.type);
    check(cudaMemsetAsync(dense.data, 0, nbytes, context_.stream), "linalg.lstsq");
  }

  /// right = R^-1 right, or R^-H right, in its first rows.
  void solve_triangle(const Columns& high, const Columns& right, bool adjoint) const {
    const BlasCall call(context_, p_.site.function);
    call.done(cublas().trsm(a_.type, call.handle(), CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER,
                            adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, sides_.low(), columns_,
                            Pointer{factors_of(a_.type).one}, Pointer{high.at(0)}, high.rows(),
                            Pointer{right.at(0)}, right.rows()));
  }

  /// a = Q R: R x = Q^H b, and what of Q^H b is behind R is left over.
  void solve_high(const Columns& high, const Reflectors& reflectors) const {
    const Columns right(context_, b_);
    reflectors.apply(right, true);
    sum_squares(context_, a_.type, right.at(0), sides_.m, sides_.n, sides_.m, residuals_);
    solve_triangle(high, right, false);
    put(context_, corner(right.view(), sides_.n, columns_), x_);
  }
  /// a = R^H Q^H: the shortest x is Q R^-H b.
  void solve_wide(const Columns& high, const Reflectors& reflectors) const {
    const Columns right(context_, a_.type, {}, {sides_.n, columns_});
    clear(right.view());
    put(context_, b_, corner(right.view(), sides_.m, columns_));
    solve_triangle(high, right, true);
    reflectors.apply(right, false);
    put(context_, right.view(), x_);
  }

  /// to (rows x columns) = a b, or a^H b.
  void multiply(const Columns& a, bool adjoint, const Columns& b, const Columns& to,
                std::int64_t inner) const {
    const BlasCall call(context_, p_.site.function);
    const auto [zero, one] = factors_of(a_.type);
    const cudaDataType_t type = cuda_type(a_.type);
    const bool is_double = a_.type == dtype::float64 || a_.type == dtype::complex128;
    call.done(cublas().cublasGemmEx_64(
        call.handle(), adjoint ? CUBLAS_OP_C : CUBLAS_OP_N, CUBLAS_OP_N, to.rows(), columns_, inner, one,
        a.at(0), type, a.rows(), b.at(0), type, b.rows(), zero, to.at(0), type, to.rows(),
        is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }

  /// x = right s^-1 left^H b, with 0 for 1 / s beyond the rank.
  /// The rank is known: the routine that is fast for vectors does not make zeros of singular values.
  Fault solve_deficient(std::int64_t rank) {
    const Columns high = made_high();
    const Sides sides{sides_.high(), sides_.low()};
    Columns u(context_, a_.type, {}, {sides.m, sides.n}), v(context_, a_.type, {}, {sides.n, sides.n});
    const Scratch values(context_, static_cast<std::size_t>(sides.n) * itemsize(values_.type));
    factorize_high(call_, high, {values.get(), &u, &v}, info_);
    const Columns& left = is_wide() ? v : u;
    const Columns& right = is_wide() ? u : v;
    const Columns b(context_, b_), parts(context_, a_.type, {}, {sides_.low(), columns_}),
        x(context_, a_.type, {}, {sides_.n, columns_});
    multiply(left, true, b, parts, sides_.m);
    divide_rows(context_, parts, values.get(), rank);
    multiply(right, false, parts, x, sides_.low());
    put(context_, x.view(), x_);
    return info_.tell(context_, p_.site, false);
  }

  Context& context_;
  const Lstsq& p_;
  const View &a_, &b_, &x_, &residuals_, &rank_, &values_;
  Sides sides_;
  std::int64_t columns_;
  SolverCall call_;
  Statuses info_;
};

}  // namespace

}  // namespace primitives

Fault call(Context& context, const Lstsq& p, Operands in, Operands out) {
  return primitives::LeastSquares(context, p, in, out).run();
}

}  // namespace cuprum::cuda
