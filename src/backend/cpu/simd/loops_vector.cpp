// Replaces the scalar loops of the transcendental functions by loops over vector functions, and builds the
// operations that are made of them: logaddexp, logaddexp2 and the magnitude of complex numbers.
#include "backend/cpu/simd/loop_of.h"
#include "backend/cpu/simd/vector_math.h"
#include "backend/cpu/simd/vector_pow.h"
#include "kernels/exponential.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

/// `exponential` and `log1p` are vector loops over T; `combine` is the operation given its rest.
template <class T, LoopFn exponential, LoopFn log1p, auto combine>
void logaddexp_loop(int64 n, void* dst, const void* a, const void* b, const void*) {
  alignas(64) T rest[kChunk];
  for (int64 done = 0; done < n; done += kChunk) {
    const int64 m = n - done < kChunk ? n - done : kChunk;
    const T *x = static_cast<const T*>(a) + done, *y = static_cast<const T*>(b) + done;
    T* out = static_cast<T*>(dst) + done;
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < m; ++i) rest[i] = -kernels::math::fabs(x[i] - y[i]);
    exponential(m, rest, rest, nullptr, nullptr);
    log1p(m, rest, rest, nullptr, nullptr);
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < m; ++i) out[i] = combine(x[i], y[i], rest[i]);
  }
}

template <class T, Op op>
constexpr LoopFn logaddexp_loop_of() {
  constexpr LoopFn log1p = vector_loop<T, VectorFn::log1p, 1>();
  if constexpr (op == Op::logaddexp) {
    return &logaddexp_loop<T, vector_loop<T, VectorFn::exp, 1>(), log1p,
                           [](T a, T b, T rest) { return kernels::logaddexp_of_rest(a, b, rest); }>;
  } else {
    return &logaddexp_loop<T, vector_loop<T, VectorFn::exp2, 1>(), log1p,
                           [](T a, T b, T rest) { return kernels::logaddexp2_of_rest(a, b, rest); }>;
  }
}

template <class T>
void absolute_loop(int64 n, void* dst, const void* a, const void*, const void*) {
  constexpr LoopFn hypot = vector_loop<T, VectorFn::hypot, 2>();
  alignas(64) T re[kChunk], im[kChunk];
  for (int64 done = 0; done < n; done += kChunk) {
    const int64 m = n - done < kChunk ? n - done : kChunk;
    const T* parts = static_cast<const T*>(a) + 2 * done;
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < m; ++i) {
      re[i] = parts[2 * i];
      im[i] = parts[2 * i + 1];
    }
    hypot(m, static_cast<T*>(dst) + done, re, im, nullptr);
  }
}

LoopFn& entry(LoopTable& table, Op op, dtype key) {
  return table.loop[static_cast<int>(op)][static_cast<int>(key)];
}

template <Op op>
void use_logaddexp(LoopTable& table) {
  constexpr VectorFn exponential = op == Op::logaddexp ? VectorFn::exp : VectorFn::exp2;
  if (address_of<float>(exponential) && address_of<float>(VectorFn::log1p)) {
    constexpr LoopFn loop = logaddexp_loop_of<float, op>();
    entry(table, op, dtype::float32) = loop;
    entry(table, op, dtype::float16) = &via_float<loop, op, dtype::float16>;
    entry(table, op, dtype::bfloat16) = &via_float<loop, op, dtype::bfloat16>;
  }
  if (address_of<double>(exponential) && address_of<double>(VectorFn::log1p)) {
    entry(table, op, dtype::float64) = logaddexp_loop_of<double, op>();
  }
}

}  // namespace

void use_vector_functions(LoopTable& table) {
#define CUPRUM_USE(op, function, arity) use_vector_function<Op::op, VectorFn::op, arity>(table);
  CUPRUM_VECTOR_FUNCTIONS(CUPRUM_USE)
#undef CUPRUM_USE
#if defined(__AVX512F__) && defined(__AVX512DQ__)
  entry(table, Op::power, dtype::float32) = &pow_loop;
  entry(table, Op::power, dtype::float16) = &via_float<&pow_loop, Op::power, dtype::float16>;
  entry(table, Op::power, dtype::bfloat16) = &via_float<&pow_loop, Op::power, dtype::bfloat16>;
#endif
  entry(table, Op::float_power, dtype::float64) = entry(table, Op::power, dtype::float64);
  use_logaddexp<Op::logaddexp>(table);
  use_logaddexp<Op::logaddexp2>(table);
  const dtype c64 = dtype::complex64, c128 = dtype::complex128;
  if (address_of<float>(VectorFn::hypot)) entry(table, Op::absolute, c64) = &absolute_loop<float>;
  if (address_of<double>(VectorFn::hypot)) entry(table, Op::absolute, c128) = &absolute_loop<double>;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
