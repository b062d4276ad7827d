// Tall matrices of few columns, in slices of rows. Each slice is factorized by itself, Q R, in the cache and on a thread of its own.
// The triangles R, one below the other, are what the matrix becomes if it is multiplied from the left by an orthogonal matrix: they
// have its singular values, and with Q^H b beside them its least squares. Slices are cut by the shape alone, and BLAS factorizes each
// on one thread: no bit depends on the number of threads.
#pragma once

#include <vector>

#include "backend/cpu/lapack/stack.h"

namespace cuprum::cpu {

template <class T>
double square(T x) {
  if constexpr (lapack::kIsComplex<T>) {
    return static_cast<double>(x.real()) * x.real() + static_cast<double>(x.imag()) * x.imag();
  } else {
    return static_cast<double>(x) * x;
  }
}

template <class T>
class TallSlices {
  using R = lapack::Real<T>;
  static constexpr std::int64_t kSliceBytes = 128 << 10;
  static constexpr std::int64_t kMostColumns = 64;  // more fill the threads of BLAS
  static constexpr std::int64_t kFewestSlices = 8;

 public:
  /// Of an m x n matrix with k columns beside it.
  TallSlices(std::int64_t m, std::int64_t n, std::int64_t k) : m_(m), n_(n), k_(k) {
    if (n == 0 || n > kMostColumns) return;
    const std::int64_t bytes = (n + k) * static_cast<std::int64_t>(sizeof(T));
    slices_ = m / std::max(kSliceBytes / bytes, 8 * n);
    if (slices_ < kFewestSlices) slices_ = 0;
  }

  /// Is the matrix cut?
  explicit operator bool() const { return slices_ != 0; }
  /// What each_matrix should know of the work: threads take slices, not products.
  double work(double whole) const { return slices_ != 0 ? std::min(whole, kThreadedWork / 2) : whole; }

  /// Of the triangles, one below the other.
  std::int64_t rows() const { return slices_ * n_; }

  /// `r` and `c` become the triangles and the rows of Q^H b beside them, columns `ld` elements apart. What is left of Q^H b is
  /// squared and added up for each column in `rest`.
  void reduce(const Matrix& a, const Matrix& b, T* r, T* c, std::int64_t ld, R* rest) const {
    std::vector<double> squares(static_cast<std::size_t>(slices_ * k_));
    parallel_for(slices_, [&](std::int64_t s) {
      const std::int64_t begin = m_ * s / slices_, rows = m_ * (s + 1) / slices_ - begin;
      const Scratch<T> memory(rows * (n_ + k_) + n_);
      T *const f = memory.data(), *const x = f + rows * n_, *const tau = x + rows * k_;
      pack(a.block(begin, begin + rows, 0, n_), f, rows);
      lapack::geqrf(as_int(rows), as_int(n_), f, as_int(rows), tau);
      for (std::int64_t j = 0; j < n_; ++j) {
        T* const column = r + j * ld + s * n_;
        std::copy_n(f + j * rows, j + 1, column);
        std::fill(column + j + 1, column + n_, T());
      }
      if (k_ == 0) return;
      pack(b.block(begin, begin + rows, 0, k_), x, rows);
      lapack::ormqr(true, as_int(rows), as_int(k_), as_int(n_), f, as_int(rows), tau, x, as_int(rows));
      for (std::int64_t j = 0; j < k_; ++j) {
        std::copy_n(x + j * rows, n_, c + j * ld + s * n_);
        for (std::int64_t i = n_; i < rows; ++i) squares[s * k_ + j] += square(x[j * rows + i]);
      }
    });
    for (std::int64_t i = 0; i < slices_ * k_; ++i) rest[i % k_] += static_cast<R>(squares[i]);
  }

 private:
  std::int64_t m_, n_, k_, slices_ = 0;
};

}  // namespace cuprum::cpu
