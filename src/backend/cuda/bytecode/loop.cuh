// One instruction of the interpreter: an operation of one dtype over the lanes of a thread. The arithmetic is the
// scalar meaning of src/kernels; this file only moves elements between it and the registers.
//
// Short meanings are unrolled over the lanes. Long ones (tens of instructions) are a loop that reads and writes lane by
// lane: unrolled, the code of all loops would be four times as large, and registers would be short.
#pragma once

#include "backend/cuda/bytecode/loop_table.cuh"
#include "core/meaning.h"

namespace cuprum::cuda::bytecode {

/// Too long to be unrolled.
constexpr bool is_long(Op op, dtype key) {
  if (has(op, kTranscendental)) return true;
  switch (op) {
    case Op::divide:
    case Op::reciprocal:
    case Op::sqrt: return key != dtype::float32;
    case Op::floor_divide:
    case Op::remainder:
    case Op::fmod:
    case Op::ldexp:
    case Op::nextafter:
    case Op::spacing:
    case Op::frexp_mantissa:
    case Op::frexp_exponent: return true;
    case Op::absolute:
    case Op::sign:
    case Op::multiply:
    case Op::square: return is_complex(key);
    default: return key == dtype::complex128;
  }
}

template <Op op, dtype key>
inline constexpr bool kIsLong = is_long(op, key);

template <Op op, class Out, class... In>
struct Map;

template <Op op, class Out, class A>
struct Map<op, Out, A> {
  CUPRUM_DEVICE static void unrolled(Shared dst, Shared a, Shared, Shared) {
    Lanes<A> x;
    Lanes<Out> result;
    x.load(a);
#pragma unroll
    for (int i = 0; i < kLanes; ++i) result.set(i, Meaning<op>::of(x.get(i)));
    result.store(dst);
  }
  CUPRUM_DEVICE static Out element(Shared a, Shared, Shared, int i) {
    return Meaning<op>::of(load_element<A>(a, i));
  }
};

template <Op op, class Out, class A, class B>
struct Map<op, Out, A, B> {
  CUPRUM_DEVICE static void unrolled(Shared dst, Shared a, Shared b, Shared) {
    Lanes<A> x;
    Lanes<B> y;
    Lanes<Out> result;
    x.load(a);
    y.load(b);
#pragma unroll
    for (int i = 0; i < kLanes; ++i) result.set(i, Meaning<op>::of(x.get(i), y.get(i)));
    result.store(dst);
  }
  CUPRUM_DEVICE static Out element(Shared a, Shared b, Shared, int i) {
    return Meaning<op>::of(load_element<A>(a, i), load_element<B>(b, i));
  }
};

template <Op op, class Out, class A, class B, class C>
struct Map<op, Out, A, B, C> {
  CUPRUM_DEVICE static void unrolled(Shared dst, Shared a, Shared b, Shared c) {
    Lanes<A> x;
    Lanes<B> y;
    Lanes<C> z;
    Lanes<Out> result;
    x.load(a);
    y.load(b);
    z.load(c);
#pragma unroll
    for (int i = 0; i < kLanes; ++i) result.set(i, Meaning<op>::of(x.get(i), y.get(i), z.get(i)));
    result.store(dst);
  }
  CUPRUM_DEVICE static Out element(Shared a, Shared b, Shared c, int i) {
    return Meaning<op>::of(load_element<A>(a, i), load_element<B>(b, i), load_element<C>(c, i));
  }
};

template <Op op, dtype key>
constexpr auto map_of() {
  constexpr Signature s = signature_of(op, key);
  using Out = Element<s.out>;
  if constexpr (input_count(op) == 1) {
    return Map<op, Out, Element<s.in[0]>>();
  } else if constexpr (input_count(op) == 2) {
    return Map<op, Out, Element<s.in[0]>, Element<s.in[1]>>();
  } else {
    return Map<op, Out, Element<s.in[0]>, Element<s.in[1]>, Element<s.in[2]>>();
  }
}

template <Op op, dtype key>
CUPRUM_CALL void run_loop(Shared dst, Shared a, Shared b, Shared c) {
  using M = decltype(map_of<op, key>());
  if constexpr (kIsLong<op, key>) {
#pragma unroll 1
    for (int i = 0; i < kLanes; ++i) store_element(dst, i, M::element(a, b, c, i));
  } else {
    M::unrolled(dst, a, b, c);
  }
}

template <dtype from, dtype to>
CUPRUM_CALL void run_cast(Shared dst, Shared a, Shared, Shared) {
  Lanes<Element<from>> x;
  Lanes<Element<to>> result;
  x.load(a);
#pragma unroll
  for (int i = 0; i < kLanes; ++i) result.set(i, kernels::cast<Element<to>>(x.get(i)));
  result.store(dst);
}

}  // namespace cuprum::cuda::bytecode
