// The vector sort of every level of SIMD, and its cut into parts, against std::sort of the keys: lengths around every
// change of method, and values that are hard on pivots.
#include "backend/cpu/sort_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backend/cpu/simd/vector_sort.h"
#include "backend/cpu/sort_key.h"
#include "backend/cpu/threads.h"
#include "simd_levels.h"

namespace cuprum {
namespace {

using Rng = std::mt19937_64;

/// The functions of a level.
struct VectorSort {
  const char* name;
  decltype(&CUPRUM_BASE_LEVEL::sort_values) sort_values;
  decltype(&CUPRUM_BASE_LEVEL::choose_pivots) choose_pivots;
  decltype(&CUPRUM_BASE_LEVEL::count_parts) count_parts;
  decltype(&CUPRUM_BASE_LEVEL::move_parts) move_parts;
};

#define CUPRUM_VECTOR_SORT(level) \
  VectorSort { #level, &level::sort_values, &level::choose_pivots, &level::count_parts, &level::move_parts }

std::vector<VectorSort> vector_sorts() {
  std::vector<VectorSort> sorts;
  for (const auto& level : testing_support::runnable_levels()) {
    (void)level;
#if defined(__x86_64__) && defined(CUPRUM_SIMD_HAS_V3)
    if (std::string(level.name) == "v3") sorts.push_back(CUPRUM_VECTOR_SORT(v3));
#endif
#if defined(__x86_64__) && defined(CUPRUM_SIMD_HAS_V4)
    if (std::string(level.name) == "v4") sorts.push_back(CUPRUM_VECTOR_SORT(v4));
#endif
  }
  return sorts;
}

/// How the bits of n values are drawn.
template <class U>
std::vector<U> draw(Rng& rng, std::int64_t n, int kind) {
  std::vector<U> bits(n);
  constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
  for (std::int64_t i = 0; i < n; ++i) {
    const U any = static_cast<U>(rng());
    switch (kind) {
      case 0: bits[i] = any; break;                                    // with NaN of many payloads
      case 1: bits[i] = any % 3; break;                                // few
      case 2: bits[i] = any % 2 ? kSign : 0; break;                    // 0.0 and -0.0
      case 3: bits[i] = static_cast<U>(n - i); break;                  // descending
      case 4: bits[i] = static_cast<U>(i / 2); break;                  // ascending
      case 5: bits[i] = any % 4 ? static_cast<U>(~U{0}) : any; break;  // mostly the largest key, or NaN
      case 6: bits[i] = any % 4 ? U{77} : any % 100; break;            // one value in four is not 77
      case 7: bits[i] = i == n / 3 ? U{5} : i == n / 2 ? U{99} : U{77}; break;  // all but two are 77
      default: bits[i] = static_cast<U>(i == n / 2 ? 0 : i + 1); break;         // ascending but for one
    }
  }
  return bits;
}
constexpr int kKinds = 9;

/// What the sorts promise: the keys in ascending order, decoded.
template <class K>
std::vector<typename K::Bits> sorted(std::vector<typename K::Bits> bits) {
  for (auto& x : bits) x = K::encode(x);
  std::sort(bits.begin(), bits.end());
  return bits;
}
template <class K>
void expect_sorted(const std::vector<typename K::Bits>& bits, const typename K::Bits* out,
                   const std::string& what) {
  const auto keys = sorted<K>(bits);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (K::decode(keys[i]) == out[i] || (K::encode(out[i]) == keys[i])) continue;
    FAIL() << what << " at " << i << ": " << +out[i] << " instead of " << +K::decode(keys[i]);
  }
}
template <class K>
bool is_ambiguous(const std::vector<typename K::Bits>& bits) {
  if constexpr (K::kFloating)
    return std::any_of(bits.begin(), bits.end(), [](auto x) { return K::is_nan(x) || x == K::kSign; });
  return false;
}

template <class F>
void each_type(F&& f) {
  for (dtype type :
       {dtype::int32, dtype::uint32, dtype::float32, dtype::int64, dtype::uint64, dtype::float64})
    cpu::with_key(type, f);
}

constexpr std::size_t kMargin = 64;  // elements behind the result that must stay as they are

TEST(VectorSort, EveryLengthUpToFourHundred) {
  Rng rng(1);
  for (const VectorSort& level : vector_sorts()) {
    each_type([&]<class K>(K) {
      using U = typename K::Bits;
      if constexpr (sizeof(U) >= 4) {
        for (std::int64_t n = 0; n <= 400; ++n) {
          const auto bits = draw<U>(rng, n, static_cast<int>(n % kKinds));
          std::vector<U> out(n + kMargin, U{42}), spare(n);
          const bool ambiguous = level.sort_values(K::kType, n, bits.data(), out.data(), spare.data());
          expect_sorted<K>(bits, out.data(), level.name + std::string(" ") + std::to_string(n));
          EXPECT_TRUE(std::all_of(out.begin() + n, out.end(), [](U x) { return x == 42; })) << n;
          EXPECT_TRUE(ambiguous || !is_ambiguous<K>(bits)) << n;
        }
      }
    });
  }
}

TEST(VectorSort, LongRowsOfEveryKind) {
  Rng rng(2);
  for (const VectorSort& level : vector_sorts()) {
    each_type([&]<class K>(K) {
      using U = typename K::Bits;
      if constexpr (sizeof(U) >= 4) {
        for (std::int64_t n : {511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4099, 10000, 40000}) {
          for (int kind = 0; kind < kKinds; ++kind) {
            const auto bits = draw<U>(rng, n, kind);
            std::vector<U> out(n), spare(n);
            level.sort_values(K::kType, n, bits.data(), out.data(), spare.data());
            expect_sorted<K>(
                bits, out.data(),
                level.name + std::string(" ") + std::to_string(n) + " kind " + std::to_string(kind));
          }
        }
      }
    });
  }
}

/// The pivot of so many keys is the middle one of 64 at equal distances: if these are the smallest of all, nearly everything
/// is above it, and again in what is left. The quicksort then gives up, and must still sort.
TEST(VectorSort, RowsThatDefeatThePivots) {
  constexpr std::int64_t n = 30000, kSample = 64;
  std::vector<std::uint32_t> keys(n), out(n), spare(n);
  std::vector<std::int64_t> left(n);
  std::iota(left.begin(), left.end(), 0);
  std::uint32_t next = 0;
  for (int round = 0; round < 60; ++round) {  // twice as many as the quicksort has patience for
    const std::int64_t step = static_cast<std::int64_t>(left.size()) / kSample;
    std::vector<bool> taken(left.size());
    for (std::int64_t i = 0; i <= kSample / 2; ++i) {
      taken[i * step + step / 2] = true;
      keys[left[i * step + step / 2]] = next++;
    }
    std::vector<std::int64_t> rest;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!taken[i]) rest.push_back(left[i]);
    }
    left = std::move(rest);
  }
  for (std::int64_t i : left) keys[i] = next++;
  for (const VectorSort& level : vector_sorts()) {
    level.sort_values(dtype::uint32, n, keys.data(), out.data(), spare.data());
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(out[i], i) << level.name;
  }
}

TEST(VectorSort, PartsOfARow) {
  Rng rng(3);
  for (const VectorSort& level : vector_sorts()) {
    each_type([&]<class K>(K) {
      using U = typename K::Bits;
      if constexpr (sizeof(U) >= 4) {
        for (std::int64_t n : {1, 5, 64, 1000, 5003}) {
          for (int kind = 0; kind < kKinds; ++kind) {
            const auto bits = draw<U>(rng, n, kind);
            std::uint64_t pivots[kSortParts - 1];
            level.choose_pivots(K::kType, false, n, bits.data(), pivots);
            std::int64_t counts[kSortParts] = {}, starts[kSortParts], ends[kSortParts];
            level.count_parts(K::kType, false, n, bits.data(), pivots, counts);
            std::int64_t total = 0;
            for (int p = 0; p < kSortParts; ++p) starts[p] = total, ends[p] = total += counts[p];
            ASSERT_EQ(total, n);
            std::vector<U> moved(n + kMargin, U{42});
            const bool ambiguous =
                level.move_parts(K::kType, false, n, bits.data(), pivots, moved.data(), starts, ends);
            EXPECT_TRUE(ambiguous || !is_ambiguous<K>(bits));
            EXPECT_TRUE(std::all_of(moved.begin() + n, moved.end(), [](U x) { return x == 42; }));
            for (int p = 0; p < kSortParts; ++p) {
              for (std::int64_t i = starts[p]; i < ends[p]; ++i) {
                ASSERT_TRUE(p == 0 || moved[i] > static_cast<U>(pivots[p - 1])) << level.name << " " << n;
                ASSERT_TRUE(p == kSortParts - 1 || moved[i] <= static_cast<U>(pivots[p])) << level.name;
              }
            }
            moved.resize(n);
            std::sort(moved.begin(), moved.end());
            EXPECT_EQ(moved, sorted<K>(bits));
          }
        }
      }
    });
  }
}

TEST(SortByVectors, AnyNumberOfParts) {
  Rng rng(4);
  const int before = cpu::num_threads();
  cpu::set_num_threads(3);
  each_type([&]<class K>(K) {
    using U = typename K::Bits;
    if constexpr (sizeof(U) >= 4) {
      if (!cpu::sorts_by_vectors(K::kType)) return;
      for (std::int64_t n : {3000, 70000, 200001}) {
        for (int kind = 0; kind < kKinds; ++kind) {
          const auto bits = draw<U>(rng, n, kind);
          std::vector<U> out(n), other(n);
          cpu::sort_by_vectors(K::kType, n, bits.data(), out.data(), 1);
          expect_sorted<K>(bits, out.data(), std::to_string(n) + " kind " + std::to_string(kind));
          for (int chunks : {2, 3, 16}) {
            cpu::sort_by_vectors(K::kType, n, bits.data(), other.data(), chunks);
            EXPECT_TRUE(other == out) << n << " kind " << kind << " chunks " << chunks;
          }
        }
      }
    }
  });
  cpu::set_num_threads(before);
}

}  // namespace
}  // namespace cuprum
