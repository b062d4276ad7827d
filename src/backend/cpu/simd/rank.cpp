// Every key is compared with every other one, a vector of them at a time: quadratic, but without a branch
// that could be mispredicted. A row of 32 (128) 32-bit keys takes 2 (6) ns per key.
#include "backend/cpu/simd/rank.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

// The machine's own vector size: what the compiler makes of longer vectors is slow.
#if defined(__AVX512F__)
#define CUPRUM_RANK_BYTES 64
#elif defined(__AVX2__)
#define CUPRUM_RANK_BYTES 32
#else
#define CUPRUM_RANK_BYTES 16
#endif

// Signed: vector units before AVX-512 compare signed integers only.
template <int kSize>
struct Vector;
template <>
struct Vector<4> {
  typedef int32_t type __attribute__((vector_size(CUPRUM_RANK_BYTES), aligned(4), may_alias));
};
template <>
struct Vector<8> {
  typedef int64_t type __attribute__((vector_size(CUPRUM_RANK_BYTES), aligned(8), may_alias));
};

template <class U>
void compute_ranks(U* keys, int n, U* ranks) {
  using V = typename Vector<sizeof(U)>::type;
  constexpr int kLanes = CUPRUM_RANK_BYTES / sizeof(U);
  constexpr U kSign = U(1) << (sizeof(U) * 8 - 1);
  const int padded = (n + kRankBlock - 1) / kRankBlock * kRankBlock;
  for (int i = 0; i < n; ++i) keys[i] ^= kSign;
  for (int i = n; i < padded; ++i) keys[i] = kSign - 1;  // the largest
  V lane;
  for (int i = 0; i < kLanes; ++i) lane[i] = i;
  const auto other = [&](int j) { return V{} + static_cast<decltype(lane[0] + 0)>(keys[j]); };
  for (int block = 0; block < n; block += kLanes) {
    const V own = *reinterpret_cast<const V*>(keys + block);
    V rank = {};
    for (int j = 0; j < block; ++j) rank -= other(j) <= own;
    for (int j = block; j < block + kLanes; ++j) {
      rank -= (other(j) < own) | ((other(j) == own) & (lane > j - block));
    }
    for (int j = block + kLanes; j < n; ++j) rank -= other(j) < own;
    *reinterpret_cast<V*>(ranks + block) = rank;
  }
}

}  // namespace

void ranks32(uint32_t* keys, int n, uint32_t* ranks) { compute_ranks(keys, n, ranks); }
void ranks64(uint64_t* keys, int n, uint64_t* ranks) { compute_ranks(keys, n, ranks); }

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
