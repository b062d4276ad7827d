// Orthogonal factors of groups of small matrices (small_matrix.h): reflections and rotations.
//
// Rotations stop when nothing is left to turn, lane by lane: a lane that is done keeps its numbers in the sweeps that others need. failed[lane]:
// not found within kMostSweeps, or not a matter of rotations (no finite elements, a vanishing column); LAPACK decides.
#pragma once

#include "backend/cpu/simd/small_matrix.h"

namespace cuprum {

inline constexpr int kMostSweeps = 24;

/// a: m x n elements. Afterwards r on and above the diagonal and, as LAPACK's geqrf leaves them, reflectors below; tau: min(m, n)
/// elements. q (m x columns), if not null: the product of the reflections.
CUPRUM_DECLARE_FOR_LEVELS(void small_qr(dtype type, int m, int n, int columns, void* a, void* tau, void* q))

/// a: n x n elements, Hermitian, of which the lower triangle is read and destroyed. w: n blocks of reals, the eigenvalues, in no order; v, if
/// not null: n x n elements, row i the eigenvector of w[i].
CUPRUM_DECLARE_FOR_LEVELS(void small_eigh(dtype type, int n, void* a, void* w, void* v,
                                          unsigned char* failed))

/// a: n x m elements, its rows the columns of a matrix (m, n); afterwards row i is the i-th left singular vector. s: n blocks of reals,
/// the singular values, in no order; v, if not null: n x n elements, row i the i-th right singular vector.
CUPRUM_DECLARE_FOR_LEVELS(void small_svd(dtype type, int m, int n, void* a, void* s, void* v,
                                         unsigned char* failed))

}  // namespace cuprum
