// The plain elementwise loop: a scalar meaning applied to every element. The compiler makes vector code of it.
// `Meaning` is the type of a callable without state.
#pragma once

#include "backend/cpu/loops.h"
#include "backend/cpu/simd/elements.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

template <class Meaning, class Out, class A>
void map(int64 n, void* dst, const void* a, const void*, const void*) {
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) store<Out>(dst, i, Meaning()(load<A>(a, i)));
}

template <class Meaning, class Out, class A, class B>
void map(int64 n, void* dst, const void* a, const void* b, const void*) {
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) store<Out>(dst, i, Meaning()(load<A>(a, i), load<B>(b, i)));
}

template <class Meaning, class Out, class A, class B, class C>
void map(int64 n, void* dst, const void* a, const void* b, const void* c) {
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) {
    store<Out>(dst, i, Meaning()(load<A>(a, i), load<B>(b, i), load<C>(c, i)));
  }
}

/// The loop of `op` with this key.
template <class Meaning, Op op, dtype key>
constexpr LoopFn map_of() {
  constexpr Signature s = signature_of(op, key);
  using Out = Element<s.out>;
  if constexpr (input_count(op) == 1) {
    return &map<Meaning, Out, Element<s.in[0]>>;
  } else if constexpr (input_count(op) == 2) {
    return &map<Meaning, Out, Element<s.in[0]>, Element<s.in[1]>>;
  } else {
    return &map<Meaning, Out, Element<s.in[0]>, Element<s.in[1]>, Element<s.in[2]>>;
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
