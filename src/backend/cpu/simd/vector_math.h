// Loops over the vector functions of the C library (libmvec of glibc 2.35 and later), called by their vector-ABI names.
//
// They are looked up at run time, so that the library loads where they do not exist; the loops made from the scalar
// meaning then stay in the table. Each was measured over the whole range (all special values right, at most 4 ULP;
// bounds per function in tests/cpp/test_math_ulp.cpp). A tail goes through the same function, padded with ones, so that
// a value does not depend on its position.
#pragma once

#include "backend/cpu/simd/register_bytes.h"
#include "backend/cpu/simd/small_float_loops.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

// Operation of the table, name in the C library, number of arguments.
#define CUPRUM_VECTOR_FUNCTIONS(X) \
  X(exp, exp, 1)                   \
  X(exp2, exp2, 1)                 \
  X(expm1, expm1, 1)               \
  X(log, log, 1)                   \
  X(log2, log2, 1)                 \
  X(log10, log10, 1)               \
  X(log1p, log1p, 1)               \
  X(cbrt, cbrt, 1)                 \
  X(sin, sin, 1)                   \
  X(cos, cos, 1)                   \
  X(tan, tan, 1)                   \
  X(arcsin, asin, 1)               \
  X(arccos, acos, 1)               \
  X(arctan, atan, 1)               \
  X(sinh, sinh, 1)                 \
  X(cosh, cosh, 1)                 \
  X(tanh, tanh, 1)                 \
  X(arcsinh, asinh, 1)             \
  X(arccosh, acosh, 1)             \
  X(arctanh, atanh, 1)             \
  X(power, pow, 2)                 \
  X(arctan2, atan2, 2)             \
  X(hypot, hypot, 2)

enum class VectorFn {
#define CUPRUM_NAME(op, function, arity) op,
  CUPRUM_VECTOR_FUNCTIONS(CUPRUM_NAME)
#undef CUPRUM_NAME
      count_,
};
inline constexpr int kVectorFnCount = static_cast<int>(VectorFn::count_);

/// Addresses in libmvec; nullptr where it has no such function.
struct VectorFunctions {
  void* of_float[kVectorFnCount];
  void* of_double[kVectorFnCount];
};
const VectorFunctions& vector_functions();

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(kRegisterBytes)));
  static constexpr int lanes = kRegisterBytes / sizeof(T);
};

template <class T>
CUPRUM_FN typename VectorOf<T>::type load_vector(const T* p) {
  typename VectorOf<T>::type v;
  __builtin_memcpy(&v, p, sizeof(v));
  return v;
}

/// The first n elements, then ones.
template <class T>
CUPRUM_FN typename VectorOf<T>::type load_tail(const T* p, int64 n) {
  T padded[VectorOf<T>::lanes];
  for (int i = 0; i < VectorOf<T>::lanes; ++i) padded[i] = i < n ? p[i] : T(1);
  return load_vector(padded);
}

template <class T>
CUPRUM_FN void* address_of(VectorFn fn) {
  const VectorFunctions& all = vector_functions();
  return kernels::same<T, float> ? all.of_float[static_cast<int>(fn)] : all.of_double[static_cast<int>(fn)];
}

template <class T, VectorFn fn>
void vector_loop_1(int64 n, void* dst, const void* a, const void*, const void*) {
  using V = typename VectorOf<T>::type;
  constexpr int lanes = VectorOf<T>::lanes;
  const auto function = reinterpret_cast<V (*)(V)>(address_of<T>(fn));
  const T* x = static_cast<const T*>(a);
  T* out = static_cast<T*>(dst);
  int64 i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V result = function(load_vector(x + i));
    __builtin_memcpy(out + i, &result, sizeof(V));
  }
  if (i == n) return;
  const V result = function(load_tail(x + i, n - i));
  for (int j = 0; j < n - i; ++j) out[i + j] = result[j];
}

template <class T, VectorFn fn>
void vector_loop_2(int64 n, void* dst, const void* a, const void* b, const void*) {
  using V = typename VectorOf<T>::type;
  constexpr int lanes = VectorOf<T>::lanes;
  const auto function = reinterpret_cast<V (*)(V, V)>(address_of<T>(fn));
  const T *x = static_cast<const T*>(a), *y = static_cast<const T*>(b);
  T* out = static_cast<T*>(dst);
  int64 i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V result = function(load_vector(x + i), load_vector(y + i));
    __builtin_memcpy(out + i, &result, sizeof(V));
  }
  if (i == n) return;
  const V result = function(load_tail(x + i, n - i), load_tail(y + i, n - i));
  for (int j = 0; j < n - i; ++j) out[i + j] = result[j];
}

template <class T, VectorFn fn, int arity>
constexpr LoopFn vector_loop() {
  if constexpr (arity == 1) {
    return &vector_loop_1<T, fn>;
  } else {
    return &vector_loop_2<T, fn>;
  }
}

/// Enters the vector loops of one operation in place of the scalar ones, for the floating dtypes.
template <Op op, VectorFn fn, int arity>
void use_vector_function(LoopTable& table) {
  LoopFn* row = table.loop[static_cast<int>(op)];
  if (address_of<float>(fn)) {
    constexpr LoopFn loop = vector_loop<float, fn, arity>();
    row[static_cast<int>(dtype::float32)] = loop;
    row[static_cast<int>(dtype::float16)] = &via_float<loop, op, dtype::float16>;
    row[static_cast<int>(dtype::bfloat16)] = &via_float<loop, op, dtype::bfloat16>;
  }
  if (address_of<double>(fn)) row[static_cast<int>(dtype::float64)] = vector_loop<double, fn, arity>();
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
