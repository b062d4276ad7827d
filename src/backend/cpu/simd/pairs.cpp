#include "backend/cpu/simd/pairs.h"

#include "backend/cpu/simd/elements.h"
#include "kernels/arithmetic.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

#define CUPRUM_MEANING(Name, meaning)        \
  struct Name {                              \
    template <class T>                       \
    CUPRUM_FN T operator()(T a, T b) const { \
      return kernels::meaning(a, b);         \
    }                                        \
  };
CUPRUM_MEANING(Add, add)
CUPRUM_MEANING(Subtract, subtract)
CUPRUM_MEANING(Multiply, multiply)
#undef CUPRUM_MEANING

template <class First, class Second, PairForm form, class T>
void pair(int64 n, void* dst, const void* a, const void* b, const void* c) {
  CUPRUM_VECTORIZE
  for (int64 i = 0; i < n; ++i) {
    const T x = First()(load<T>(a, i), load<T>(b, i));
    if constexpr (form == PairForm::both) {
      store<T>(dst, i, Second()(x, x));
    } else if constexpr (form == PairForm::left) {
      store<T>(dst, i, Second()(x, load<T>(c, i)));
    } else {
      store<T>(dst, i, Second()(load<T>(c, i), x));
    }
  }
}

template <class First, class Second, class T>
LoopFn with_form(PairForm form) {
  switch (form) {
    case PairForm::left: return pair<First, Second, PairForm::left, T>;
    case PairForm::right: return pair<First, Second, PairForm::right, T>;
    case PairForm::both: return pair<First, Second, PairForm::both, T>;
  }
  return nullptr;
}

template <class First, class T>
LoopFn with_second(Op second, PairForm form) {
  switch (second) {
    case Op::add: return with_form<First, Add, T>(form);
    case Op::subtract: return with_form<First, Subtract, T>(form);
    case Op::multiply: return with_form<First, Multiply, T>(form);
    default: return nullptr;
  }
}

template <class T>
LoopFn with_first(Op first, Op second, PairForm form) {
  switch (first) {
    case Op::add: return with_second<Add, T>(second, form);
    case Op::subtract: return with_second<Subtract, T>(second, form);
    case Op::multiply: return with_second<Multiply, T>(second, form);
    default: return nullptr;
  }
}

}  // namespace

LoopFn pair_loop(Op first, Op second, PairForm form, dtype key) {
  if (key == dtype::float32) return with_first<float>(first, second, form);
  if (key == dtype::float64) return with_first<double>(first, second, form);
  return nullptr;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
