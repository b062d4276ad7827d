// How the radix sorts call CUB, and the key types that teach it NumPy's order of floating-point numbers.
//
// CUB turns the bits of a key into an ordered integer when it loads it, and back when it stores it; digits are taken from
// the rank of that integer. With `lossless` for the one and `rank` for the other (kernels/sort_key.h) a sort of keys
// alone keeps every bit: NaN last and in order, -0.0 and 0.0 in order, without a pass before or after.
#pragma once

#include <cub/device/device_radix_sort.cuh>

#include "backend/cuda/primitives/sort/radix.h"
#include "kernels/sort_key.h"

namespace cuprum::cuda::primitives {

template <class K>
struct FloatBits {
  typename K::Bits bits;
};

/// (row << 32 | lossless key of a float32), already in order but for the ranks.
struct FloatRow {
  std::uint64_t bits;
};

/// What CUB asks of a key type; a category until its version 3 (CUDA 13).
template <class U>
struct KeyTraits {
  using UnsignedBits = U;
  static constexpr bool is_primitive = false;
#if CUB_MAJOR_VERSION < 3
  static constexpr cub::Category CATEGORY = cub::UNSIGNED_INTEGER;
#endif
};

/// sort_values of dtypes of 1 and 2 bytes.
void sort_small_values(Context& context, dtype type, const void* in, void* out, std::int64_t n);

template <class Call>
void with_temporary(Context& context, const char* what, Call&& call) {
  std::size_t nbytes = 0;
  check(call(nullptr, nbytes), what);
  Scratch temporary(context, nbytes);
  check(call(temporary.get<void>(), nbytes), what);
  launched(context, what);
}

template <class Key, class Word>
void sort_keys(Context& context, Areas<Word>& words, std::int64_t n, int begin, int end) {
  static_assert(sizeof(Key) == sizeof(Word));
  cub::DoubleBuffer<Key> keys(reinterpret_cast<Key*>(words.current), reinterpret_cast<Key*>(words.other));
  with_temporary(context, "sort", [&](void* temporary, std::size_t& nbytes) {
    return cub::DeviceRadixSort::SortKeys(temporary, nbytes, keys, n, begin, end, context.stream);
  });
  if (keys.selector != 0) std::swap(words.current, words.other);
}

template <class Key>
void sort_keys(Context& context, const void* in, void* out, std::int64_t n) {
  with_temporary(context, "sort", [&](void* temporary, std::size_t& nbytes) {
    return cub::DeviceRadixSort::SortKeys(temporary, nbytes, static_cast<const Key*>(in),
                                          static_cast<Key*>(out), n, 0, static_cast<int>(sizeof(Key) * 8),
                                          context.stream);
  });
}

}  // namespace cuprum::cuda::primitives

CUB_NAMESPACE_BEGIN

template <class K>
struct NumericTraits<cuprum::cuda::primitives::FloatBits<K>>
    : cuprum::cuda::primitives::KeyTraits<typename K::Bits> {
  using U = typename K::Bits;
  static constexpr U LOWEST_KEY =
      static_cast<U>(K::kSign | (K::kSign - 1 - K::kNegativeNans));  // minus infinity
  static constexpr U MAX_KEY = K::kNan;                              // a NaN, of which there is none larger
  static __host__ __device__ U TwiddleIn(U bits) { return K::lossless(bits); }
  static __host__ __device__ U TwiddleOut(U key) { return K::restore(key); }
};

// The second parameter is a bool, and a category until CUB's version 3.
template <class K, auto kind>
struct BaseDigitExtractor<cuprum::cuda::primitives::FloatBits<K>, kind> {
  using UnsignedBits = typename K::Bits;
  static __host__ __device__ UnsignedBits ProcessFloatMinusZero(UnsignedBits key) { return K::rank(key); }
};

template <>
struct NumericTraits<cuprum::cuda::primitives::FloatRow>
    : cuprum::cuda::primitives::KeyTraits<std::uint64_t> {
  static constexpr std::uint64_t LOWEST_KEY = 0, MAX_KEY = ~std::uint64_t{0};
  static __host__ __device__ std::uint64_t TwiddleIn(std::uint64_t bits) { return bits; }
  static __host__ __device__ std::uint64_t TwiddleOut(std::uint64_t key) { return key; }
};

template <auto kind>
struct BaseDigitExtractor<cuprum::cuda::primitives::FloatRow, kind> {
  using UnsignedBits = std::uint64_t;
  static __host__ __device__ UnsignedBits ProcessFloatMinusZero(UnsignedBits key) {
    const auto low = static_cast<cuprum::kernels::uint32>(key);
    return (key >> 32 << 32) | cuprum::kernels::Float32Key::rank(low);
  }
};

CUB_NAMESPACE_END
