// Least squares. QR factors give the answer wherever the rank is full beyond doubt; else gelsd, by singular values, does.
//
// The rank is full if the condition number is below 1 / rcond, and the product of the Frobenius norms of R and its inverse is never
// less than that number. Rounding moves singular values by some epsilon times the largest one, in either routine: a product within
// a factor of ten of the limit is no certainty. Beside gelsd on two cores (float64, one column): 5 x 5 0.28 of its time, 32 x 32
// 0.18, 512 x 512 0.25, 10000 x 50 0.18.
#include <cmath>
#include <limits>

#include "backend/cpu/backend.h"
#include "backend/cpu/lapack/tall.h"

namespace cuprum::cpu {

namespace {

template <class T>
class LeastSquares {
  using R = lapack::Real<T>;

 public:
  LeastSquares(const View& a, const View& b, Operands out, double rcond)
      : a_(a),
        b_(b),
        out_(out),
        rcond_(rcond),
        m_(a.shape[a.shape.size() - 2]),
        n_(a.shape.back()),
        k_(b.shape.back()),
        low_(std::min(m_, n_)),
        high_(std::max(m_, n_)),
        slices_(m_, n_, k_),
        rows_(slices_ ? slices_.rows() : high_),
        matrix_(m_ * n_),
        x_(high_ * k_),
        inverse_(low_ * low_),
        tau_(low_),
        values_(low_),
        rest_(k_) {}

  bool operator()(const std::array<std::byte*, 5>& p) const {
    int rank = static_cast<int>(low_), info = 0;
    std::int64_t left = rows_;  // the first of n_ rows of x_ are the answer, those up to here are left over
    std::fill_n(rest_.data(), k_, R());
    factorize(p);
    if (is_certainly_full()) {
      solve(p);
    } else {
      left = m_;
      std::fill_n(rest_.data(), k_, R());
      pack(last_matrix(a_, p[0]), matrix_.data(), m_);
      pack(last_matrix(b_, p[1]), x_.data(), high_);
      info = lapack::gelsd(as_int(m_), as_int(n_), as_int(k_), matrix_.data(), leading(m_), x_.data(),
                           leading(high_), values_.data(), static_cast<R>(rcond_), &rank);
    }
    for (std::int64_t j = 0; j < k_; ++j) {
      R sum = rest_.data()[j];
      for (std::int64_t i = n_; i < std::min(left, m_); ++i)
        sum += static_cast<R>(square(x_.data()[j * high_ + i]));
      put_row(&sum, 1, out_[1], p[3] + j * out_[1].strides.back());
    }
    unpack(x_.data(), high_, last_matrix(out_[0], p[2]));
    *reinterpret_cast<std::int32_t*>(p[4]) = rank;
    return info == 0;
  }

 private:
  bool is_wide() const { return m_ < n_; }

  /// Q R of the matrix, or of its adjoint where it is wide.
  void factorize(const std::array<std::byte*, 5>& p) const {
    const Matrix from = last_matrix(a_, p[0]);
    T* const f = matrix_.data();
    if (slices_) {
      slices_.reduce(from, last_matrix(b_, p[1]), f, x_.data(), high_, rest_.data());
      lapack::geqrf(as_int(rows_), as_int(low_), f, leading(high_), tau_.data());
      return;
    }
    pack(is_wide() ? from.t() : from, f, high_);
    if constexpr (lapack::kIsComplex<T>) {
      if (is_wide()) std::transform(f, f + m_ * n_, f, [](T x) { return std::conj(x); });
    }
    lapack::geqrf(as_int(high_), as_int(low_), f, leading(high_), tau_.data());
  }

  double norm_of_triangle(const T* columns, std::int64_t ld) const {
    double sum = 0;
    for (std::int64_t j = 0; j < low_; ++j) {
      for (std::int64_t i = 0; i <= j; ++i) sum += square(columns[j * ld + i]);
    }
    return std::sqrt(sum);
  }

  /// NaN and infinities are not.
  bool is_certainly_full() const {
    for (std::int64_t j = 0; j < low_; ++j)
      std::copy_n(matrix_.data() + j * high_, j + 1, inverse_.data() + j * low_);
    if (lapack::trtri(as_int(low_), inverse_.data(), leading(low_)) != 0) return false;
    const double bound = norm_of_triangle(matrix_.data(), high_) * norm_of_triangle(inverse_.data(), low_);
    return bound * std::max(rcond_, static_cast<double>(high_) * std::numeric_limits<R>::epsilon()) < 0.1;
  }

  /// a = Q R: R x = Q^H b, and what of Q^H b is behind R is left over. a = R^H Q^H: the shortest x is Q R^-H b.
  void solve(const std::array<std::byte*, 5>& p) const {
    T* const x = x_.data();
    if (!slices_) pack(last_matrix(b_, p[1]), x, high_);
    const auto turn = [&](bool adjoint) {
      lapack::ormqr(adjoint, as_int(rows_), as_int(k_), as_int(low_), matrix_.data(), leading(high_),
                    tau_.data(), x, leading(high_));
    };
    const auto divide = [&](bool adjoint) {
      lapack::trtrs(adjoint, as_int(low_), as_int(k_), matrix_.data(), leading(high_), x, leading(high_));
    };
    if (!is_wide()) {
      turn(true);
      return divide(false);
    }
    for (std::int64_t j = 0; j < k_; ++j) std::fill(x + j * high_ + m_, x + (j + 1) * high_, T());
    divide(true);
    turn(false);
  }

  const View &a_, &b_;
  Operands out_;
  double rcond_;
  std::int64_t m_, n_, k_, low_, high_;
  const TallSlices<T> slices_;
  std::int64_t rows_;  // that are factorized at last
  Scratch<T> matrix_, x_, inverse_, tau_;
  Scratch<R> values_, rest_;
};

}  // namespace

Fault call(const Lstsq& p, Operands in, Operands out) {
  const View &a = in[0], &b = in[1];
  const std::int64_t m = a.shape[a.shape.size() - 2], n = a.shape.back();
  lapack::require(p.site.function, std::max({m, n, b.shape.back()}));
  return with_lapack_type(a.type, [&](auto x) {
    using T = decltype(x);
    const double work = TallSlices<T>(m, n, b.shape.back()).work(16.0 * m * n * std::min(m, n));
    return each_matrix<5>({&a, &b, &out[0], &out[1], &out[2]}, a.shape.size() - 2, work,
                          [&] { return LeastSquares<T>(a, b, out, p.rcond); });
  });
}

}  // namespace cuprum::cpu
