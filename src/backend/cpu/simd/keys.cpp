#include "backend/cpu/simd/keys.h"

#include "backend/cpu/simd/elements.h"
#include "backend/cpu/sort_key.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

template <class K>
bool encode(int64_t n, const typename K::Bits* values, cpu::KeyWord<K>* keys) {
  using U = typename K::Bits;
  U ambiguous = 0;  // of the width of the values: the loop then has vectors of one kind
  for (int64_t i = 0; i < n; ++i) {
    const U x = values[i];
    if constexpr (K::kFloating) ambiguous |= static_cast<U>(K::is_nan(x) | (x == K::kSign));
    keys[i] = K::encode(x);
  }
  return ambiguous != 0;
}

}  // namespace

bool encode_keys(dtype type, int64_t n, const void* values, void* keys) {
  return cpu::with_key(type, [&](auto key) {
    using K = decltype(key);
    return encode<K>(n, static_cast<const typename K::Bits*>(values), static_cast<cpu::KeyWord<K>*>(keys));
  });
}

void decode_keys(dtype type, int64_t n, const void* keys, void* values) {
  cpu::with_key(type, [&](auto key) {
    using K = decltype(key);
    using U = typename K::Bits;
    const auto* from = static_cast<const cpu::KeyWord<K>*>(keys);
    U* to = static_cast<U*>(values);
    CUPRUM_VECTORIZE
    for (int64_t i = 0; i < n; ++i) to[i] = K::decode(static_cast<U>(from[i]));
  });
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
