// QR factors and singular values over memory in columns: what the primitives and least squares are made of.
#pragma once

#include "backend/cuda/cusolver.h"
#include "backend/cuda/primitives/linalg/matrices.h"
#include "backend/cuda/primitives/linalg/status.h"

namespace cuprum::cuda::primitives {

/// Householder reflectors of a stack, made in its columns: R down to the diagonal, below it the reflectors,
/// and their factors.
class Reflectors {
 public:
  /// Of the first n columns of each matrix, which may have more.
  Reflectors(const SolverCall& call, const Columns& columns, std::int64_t n);

  const Scratch& factors() const { return factors_; }
  /// Q in the first `width` columns, over everything.
  void make_q(std::int64_t width) const;
  /// right = Q right, or Q^H right; `right` is one matrix in columns, and so is the stack.
  void apply(const Columns& right, bool adjoint) const;

 private:
  void reflect_each() const;
  std::byte* factors_at(std::int64_t i) const;

  const SolverCall& call_;
  const Columns& columns_;
  std::int64_t n_, k_;
  Scratch factors_;
};

/// Factors of high matrices (m >= n): u s v^H. `u` (m x n, or m x m where full) and `v` (n x n) have columns
/// where they are wanted; the matrices are written over. `s`: n for each matrix, falling, without gaps.
struct SvdResults {
  std::byte* s;
  Columns* u = nullptr;
  Columns* v = nullptr;
};
void factorize_high(const SolverCall& call, const Columns& matrices, const SvdResults& to,
                    const Statuses& info);

}  // namespace cuprum::cuda::primitives
