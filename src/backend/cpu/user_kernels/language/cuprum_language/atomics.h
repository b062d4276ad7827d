// Atomic functions on numbers of every type. They return what was there before.
//
// Blocks run on several cores at a time, so that these are the processor's own; the orders are relaxed as CUDA's, __threadfence orders.
#pragma once

namespace cuprum_language {

template <class T>
struct same_type {
  using type = T;
};
/// A parameter whose type follows from another's: atomicAdd(&unsigned_number, 1).
template <class T>
using follows = typename same_type<T>::type;

template <unsigned size>
struct bits_type;
template <>
struct bits_type<2> {
  using type = unsigned short;
};
template <>
struct bits_type<4> {
  using type = unsigned int;
};
template <>
struct bits_type<8> {
  using type = unsigned long long;
};

template <class T>
inline constexpr bool is_whole = false;
template <>
inline constexpr bool is_whole<int> = true;
template <>
inline constexpr bool is_whole<unsigned int> = true;
template <>
inline constexpr bool is_whole<long> = true;
template <>
inline constexpr bool is_whole<unsigned long> = true;
template <>
inline constexpr bool is_whole<long long> = true;
template <>
inline constexpr bool is_whole<unsigned long long> = true;

/// *place = change(*place), at once.
template <class T, class F>
inline T update(T* place, F change) {
  using Bits = typename bits_type<sizeof(T)>::type;
  auto* bits = reinterpret_cast<Bits*>(place);
  Bits seen = __atomic_load_n(bits, __ATOMIC_RELAXED);
  for (;;) {
    const T old = __builtin_bit_cast(T, seen);
    const T next = change(old);
    if (__atomic_compare_exchange_n(bits, &seen, __builtin_bit_cast(Bits, next), true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return old;
  }
}

template <class T>
inline T exchange(T* place, T value) {
  using Bits = typename bits_type<sizeof(T)>::type;
  return __builtin_bit_cast(T, __atomic_exchange_n(reinterpret_cast<Bits*>(place),
                                                   __builtin_bit_cast(Bits, value), __ATOMIC_RELAXED));
}

template <class T>
inline T compare_and_swap(T* place, T compare, T value) {
  using Bits = typename bits_type<sizeof(T)>::type;
  Bits seen = __builtin_bit_cast(Bits, compare);
  __atomic_compare_exchange_n(reinterpret_cast<Bits*>(place), &seen, __builtin_bit_cast(Bits, value), false,
                              __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return __builtin_bit_cast(T, seen);
}

template <class T>
inline T fetch_add(T* place, T value) {
  if constexpr (is_whole<T>)
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
  else
    return update(place, [&](T old) { return static_cast<T>(old + value); });
}
template <class T>
inline T fetch_sub(T* place, T value) {
  if constexpr (is_whole<T>)
    return __atomic_fetch_sub(place, value, __ATOMIC_RELAXED);
  else
    return update(place, [&](T old) { return static_cast<T>(old - value); });
}
template <class T>
inline T fetch_min(T* place, T value) {
  return update(place, [&](T old) { return value < old ? value : old; });
}
template <class T>
inline T fetch_max(T* place, T value) {
  return update(place, [&](T old) { return old < value ? value : old; });
}
inline unsigned fetch_inc(unsigned* place, unsigned limit) {
  return update(place, [&](unsigned old) { return old >= limit ? 0 : old + 1; });
}
inline unsigned fetch_dec(unsigned* place, unsigned limit) {
  return update(place, [&](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}

}  // namespace cuprum_language

// Every function in three scopes: device, block and system are one to a processor.
#define CUPRUM_ATOMIC(suffix)                                                                             \
  template <class T>                                                                                      \
  inline T atomicAdd##suffix(T* p, cuprum_language::follows<T> v) {                                       \
    return cuprum_language::fetch_add(p, v);                                                              \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicSub##suffix(T* p, cuprum_language::follows<T> v) {                                       \
    return cuprum_language::fetch_sub(p, v);                                                              \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicMin##suffix(T* p, cuprum_language::follows<T> v) {                                       \
    return cuprum_language::fetch_min(p, v);                                                              \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicMax##suffix(T* p, cuprum_language::follows<T> v) {                                       \
    return cuprum_language::fetch_max(p, v);                                                              \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicExch##suffix(T* p, cuprum_language::follows<T> v) {                                      \
    return cuprum_language::exchange(p, v);                                                               \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicCAS##suffix(T* p, cuprum_language::follows<T> compare, cuprum_language::follows<T> v) {  \
    return cuprum_language::compare_and_swap(p, compare, v);                                              \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicAnd##suffix(T* p, cuprum_language::follows<T> v) {                                       \
    return __atomic_fetch_and(p, v, __ATOMIC_RELAXED);                                                    \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicOr##suffix(T* p, cuprum_language::follows<T> v) {                                        \
    return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);                                                     \
  }                                                                                                       \
  template <class T>                                                                                      \
  inline T atomicXor##suffix(T* p, cuprum_language::follows<T> v) {                                       \
    return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED);                                                    \
  }                                                                                                       \
  inline unsigned atomicInc##suffix(unsigned* p, unsigned v) { return cuprum_language::fetch_inc(p, v); } \
  inline unsigned atomicDec##suffix(unsigned* p, unsigned v) { return cuprum_language::fetch_dec(p, v); }
CUPRUM_ATOMIC()
CUPRUM_ATOMIC(_block)
CUPRUM_ATOMIC(_system)
#undef CUPRUM_ATOMIC
