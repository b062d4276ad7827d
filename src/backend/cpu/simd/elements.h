// How the loops see array elements: loads and stores.
//
// A bool array may hold any byte (a view of another dtype), so a bool is loaded as "byte != 0" and stored as 0 or 1.
#pragma once

#include "core/element.h"
#include "core/loop_sharing.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

using kernels::int64;

// gcc and clang may then assume what the contract of a loop says: iterations are independent of each other.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // not every loop can become vector code
#define CUPRUM_VECTORIZE _Pragma("clang loop vectorize(assume_safety)")
#else
#define CUPRUM_VECTORIZE _Pragma("GCC ivdep")
#endif

using kernels::Element;

/// What stands in memory for a T.
template <class T>
using Stored = kernels::conditional<kernels::same<T, bool>, kernels::uint8, T>;

template <class T>
CUPRUM_FN T load(const void* p, int64 i) {
  const Stored<T> value = static_cast<const Stored<T>*>(p)[i];
  if constexpr (kernels::same<T, bool>) {
    return value != 0;
  } else {
    return value;
  }
}

template <class T>
CUPRUM_FN void store(void* p, int64 i, T value) {
  static_cast<Stored<T>*>(p)[i] = static_cast<Stored<T>>(value);
}

template <int size>
CUPRUM_FN const void* advance(const void* p, int64 n) {
  return static_cast<const char*>(p) + n * size;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
