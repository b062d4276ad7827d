// The sort keys of kernels/sort_key.h with their dtypes.
#pragma once

#include <stdint.h>

#include "cuprum/dtype.h"
#include "kernels/sort_key.h"

namespace cuprum::cpu {
inline namespace CUPRUM_KERNELS_VARIANT {  // one per instruction set: the linker must not merge them

template <class K, dtype t>
struct TypedKey : K {
  static constexpr dtype kType = t;
};

using Float16Key = TypedKey<kernels::Float16Key, dtype::float16>;
using BFloat16Key = TypedKey<kernels::BFloat16Key, dtype::bfloat16>;
using Float32Key = TypedKey<kernels::Float32Key, dtype::float32>;
using Float64Key = TypedKey<kernels::Float64Key, dtype::float64>;
using kernels::ComplexKey;

/// What keys are compared as, side by side in vector lanes.
template <class K>
using KeyWord = kernels::conditional<sizeof(typename K::Bits) == 8, uint64_t, uint32_t>;

/// Calls f with the key type of a real dtype.
template <class F>
auto with_key(dtype type, F&& f) {
  using namespace kernels;
  switch (type) {
    case dtype::bool_:
    case dtype::uint8: return f(TypedKey<UnsignedKey<uint8_t>, dtype::uint8>());
    case dtype::uint16: return f(TypedKey<UnsignedKey<uint16_t>, dtype::uint16>());
    case dtype::uint32: return f(TypedKey<UnsignedKey<uint32_t>, dtype::uint32>());
    case dtype::uint64: return f(TypedKey<UnsignedKey<uint64_t>, dtype::uint64>());
    case dtype::int8: return f(TypedKey<SignedKey<uint8_t>, dtype::int8>());
    case dtype::int16: return f(TypedKey<SignedKey<uint16_t>, dtype::int16>());
    case dtype::int32: return f(TypedKey<SignedKey<uint32_t>, dtype::int32>());
    case dtype::int64: return f(TypedKey<SignedKey<uint64_t>, dtype::int64>());
    case dtype::float16: return f(cpu::Float16Key());
    case dtype::bfloat16: return f(cpu::BFloat16Key());
    case dtype::float32: return f(cpu::Float32Key());
    default: return f(cpu::Float64Key());
  }
}

}  // namespace CUPRUM_KERNELS_VARIANT
}  // namespace cuprum::cpu
