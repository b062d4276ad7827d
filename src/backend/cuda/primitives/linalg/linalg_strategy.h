// Which routine factorizes what, by the side of the matrices and their number. One table for all primitives;
// every branch has a row of the benchmark (python/cuprum/bench/gpu_linalg_rows.py). Times are an H200's.
//
// What decides: a call of cuSOLVER for one matrix is tens of launches, some of it on the host, so that it
// takes 50 us and more however small the matrix is; batched routines give a block to each matrix, so that
// they lose where a matrix could fill the device alone; a kernel of our own keeps a matrix in registers, and
// 32 rows are what a warp has lanes for.
#pragma once

#include <cstdint>

namespace cuprum::cuda::primitives {

inline constexpr std::int64_t kSmallSide = 32;

/// LU and Cholesky factors. 10,000 systems of 32 x 32 (float32) take small.h 0.15 ms and cuBLAS 0.36; their
/// Cholesky factors 0.21 and 0.32.
enum class FactorRoute : std::uint8_t {
  small,    // small.h: up to 32 rows, one matrix or many
  batched,  // cuBLAS's getrfBatched and kin, cuSOLVER's potrfBatched
  single,   // cuSOLVER's getrf or potrf, one matrix after the other
};
inline constexpr std::int64_t kBatchedFactorSide = 256;
inline FactorRoute factor_route(std::int64_t n, std::int64_t count) {
  if (n <= kSmallSide) return FactorRoute::small;
  return count > 1 && n <= kBatchedFactorSide ? FactorRoute::batched : FactorRoute::single;
}

/// QR: the small kernel makes Q too, for which cuBLAS and cuSOLVER have no batched routine: 10,000 of 32 x 32
/// take it 0.3 ms, and 570 by a call for each.
enum class QrRoute : std::uint8_t { small, batched, single };
inline QrRoute qr_route(std::int64_t m, std::int64_t n, std::int64_t count) {
  const std::int64_t high = m < n ? n : m;
  if (high <= kSmallSide) return QrRoute::small;
  return count > 8 && high <= 256 ? QrRoute::batched : QrRoute::single;
}

/// Singular values of matrices whose longer side is `high`. With vectors one of 512 (float32) takes gesvdp
/// 11.5 ms, gesvdj 17.5 and gesvd 58; one of 2048 takes gesvdp 67 ms and gesvdj 297. 10,000 of 32 x 32 take
/// small.h 1.7 ms and gesvdjBatched 8.3. gesvdp moves a matrix that lacks full rank a little away from that:
/// values that should be zero come out at 1e-13 of the largest and more. Ranks, norms and condition numbers
/// ask for values alone, so those are gesvd's, though gesvdp would take a third of its time.
enum class SvdRoute : std::uint8_t {
  small,       // small.h: Jacobi's rotations in registers
  jacobi,      // gesvdj: rotations, of which all pairs of columns run side by side
  polar,       // gesvdp: a polar decomposition and eigh, nearly all of it products of matrices
  bidiagonal,  // gesvd: values alone of large matrices
};
inline constexpr std::int64_t kJacobiSide = 256;
inline SvdRoute svd_route(std::int64_t high, bool vectors) {
  if (high <= kSmallSide) return SvdRoute::small;
  if (high <= kJacobiSide) return SvdRoute::jacobi;
  return vectors ? SvdRoute::polar : SvdRoute::bidiagonal;
}

/// Eigenvalues of Hermitian matrices. 10,000 of 32 x 32 (float32) take small.h 1.1 ms, syevjBatched 2.8 and
/// XsyevBatched 5.7; one of 512 takes syevd 4.7 ms and syevj 12.7; 100 of 128 take XsyevBatched 1.1 ms.
enum class EighRoute : std::uint8_t {
  small,    // small.h
  batched,  // XsyevBatched, of CUDA 12.6 and later
  divide,   // Xsyevd: divide and conquer
};
inline EighRoute eigh_route(std::int64_t n, std::int64_t count, bool has_batched) {
  if (n <= kSmallSide) return EighRoute::small;
  return count > 1 && has_batched && n <= 512 ? EighRoute::batched : EighRoute::divide;
}

/// General eigenvalues: cuSOLVER's geev takes one matrix at a time and iterates partly on the host. Below
/// this side LAPACK on the host, which shares a stack out to all cores, is done before it.
inline constexpr std::int64_t kGeevSide = 256;

}  // namespace cuprum::cuda::primitives
