#include "backend/cpu/simd/fused_product.h"

#include "backend/cpu/simd/fused_lanes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

#if defined(__AVX512F__)

namespace {

/// kRows rows of kVectors registers, of which the last has the lanes `some`.
template <class R, int kRows, int kVectors>
void tile(const FusedPanel& p, const unsigned char* a, unsigned char* out, typename Lanes<R>::Some some) {
  using L = Lanes<R>;
  constexpr int kLast = kVectors - 1;
  typename L::V sums[kRows][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    const unsigned char* const row = out + i * p.out.row;
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      sums[i][v] = !p.adds      ? L::all(0)
                   : v == kLast ? L::load(some, row + v * kRegister)
                                : L::load(row + v * kRegister);
      __builtin_prefetch(row + kTileRows * p.out.row + v * kRegister, 1);  // of the tile below
    }
  }
  const unsigned char* b = p.b.data;
#pragma GCC unroll 4
  for (int64_t l = 0; l < p.k; ++l) {
    typename L::V right[kVectors];
#pragma GCC unroll 3
    for (int v = 0; v < kVectors; ++v) {
      right[v] = v == kLast ? L::load(some, b + v * kRegister) : L::load(b + v * kRegister);
      __builtin_prefetch(b + v * kRegister + p.ahead);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      R number;
      __builtin_memcpy(&number, a + i * p.a.row, sizeof(R));
      typename L::V left = L::all(number);
      asm("" : "+v"(left));  // in a register: as an operand in memory it would be loaded for each of the sums
#pragma GCC unroll 3
      for (int v = 0; v < kVectors; ++v) sums[i][v] = L::fused(left, right[v], sums[i][v]);
    }
    a += p.a.col;
    b += p.b.row;
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
    unsigned char* const row = out + i * p.out.row;
#pragma GCC unroll 3
    for (int v = 0; v < kLast; ++v) L::store(row + v * kRegister, sums[i][v]);
    L::store(some, row + kLast * kRegister, sums[i][kLast]);
  }
}

template <class R, int kVectors>
void panel_of(const FusedPanel& p) {
  const int last = static_cast<int>(p.n) - (kVectors - 1) * Lanes<R>::kWidth;
  const auto some = static_cast<typename Lanes<R>::Some>((1u << last) - 1);
  int64_t i = 0;
  const auto rows = [&]<int kRows>() {
    const unsigned char* const a = p.a.data + i / kTileRows * p.a_block + i % kTileRows * p.a.row;
    tile<R, kRows, kVectors>(p, a, p.out.data + i * p.out.row, some);
    i += kRows;
  };
  while (i + kTileRows <= p.m) rows.template operator()<kTileRows>();
  if (p.m - i >= 4) rows.template operator()<4>();
  if (p.m - i >= 2) rows.template operator()<2>();
  if (p.m - i >= 1) rows.template operator()<1>();
}

template <class R>
void panel(const FusedPanel& p) {
  switch ((p.n + Lanes<R>::kWidth - 1) / Lanes<R>::kWidth) {
    case 1: return panel_of<R, 1>(p);
    case 2: return panel_of<R, 2>(p);
    default: return panel_of<R, 3>(p);
  }
}

}  // namespace

bool has_fused_product() { return true; }

void fused_product(dtype type, const FusedPanel& p) {
  type == dtype::float64 ? panel<double>(p) : panel<float>(p);
}

#else

bool has_fused_product() { return false; }

void fused_product(dtype, const FusedPanel&) {}

#endif

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
