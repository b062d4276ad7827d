// How far the transcendental loops may be from the true value, function by function, over the whole range.
//
// The error is counted in units in the last place of the true result, which is computed in the next wider type. Special
// values (zeros with their sign, infinities, NaN) must be exact. The bounds hold for every instruction-set level and
// for the scalar functions that stand in where the C library has no vector functions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/op_signatures.h"
#include "element_samples.h"
#include "simd_levels.h"

namespace cuprum {
namespace {

using testing_support::Level;
using testing_support::runnable_levels;

constexpr int kSamples = 1 << 15;  // of each kind

template <class T>
struct WiderOf {
  using type = double;
};
template <>
struct WiderOf<double> {
  using type = long double;
};
template <class T>
using Wider = typename WiderOf<T>::type;

// Operation, true function, bound for float32, bound for float64.
#define CUPRUM_UNARY(X)       \
  X(exp, exp, 3.0, 3.0)       \
  X(exp2, exp2, 1.5, 2.0)     \
  X(expm1, expm1, 2.5, 3.0)   \
  X(log, log, 4.0, 2.0)       \
  X(log2, log2, 3.0, 2.5)     \
  X(log10, log10, 4.0, 2.5)   \
  X(log1p, log1p, 2.5, 2.0)   \
  X(cbrt, cbrt, 3.0, 3.5)     \
  X(sin, sin, 2.5, 3.5)       \
  X(cos, cos, 2.5, 3.5)       \
  X(tan, tan, 4.0, 3.5)       \
  X(arcsin, asin, 3.5, 3.0)   \
  X(arccos, acos, 2.5, 2.0)   \
  X(arctan, atan, 3.0, 2.0)   \
  X(sinh, sinh, 2.5, 2.5)     \
  X(cosh, cosh, 3.0, 2.5)     \
  X(tanh, tanh, 2.5, 2.5)     \
  X(arcsinh, asinh, 2.5, 2.5) \
  X(arccosh, acosh, 3.5, 3.5) \
  X(arctanh, atanh, 2.5, 2.5) \
  X(sqrt, sqrt, 0.5, 0.5)
#define CUPRUM_BINARY(X)      \
  X(power, pow, 1.0, 1.5)     \
  X(arctan2, atan2, 4.0, 3.0) \
  X(hypot, hypot, 2.0, 2.0)

template <class T>
struct Function {
  const char* name;
  Op op;
  int arity;
  Wider<T> (*truth)(Wider<T>, Wider<T>);
  double bound;
};

template <class T>
std::vector<Function<T>> functions() {
  using W = Wider<T>;
  std::vector<Function<T>> list;
  constexpr bool is_float = sizeof(T) == 4;
#define CUPRUM_ENTRY(op, f, of_float, of_double) \
  list.push_back({#op, Op::op, 1, [](W x, W) -> W { return std::f(x); }, is_float ? of_float : of_double});
  CUPRUM_UNARY(CUPRUM_ENTRY)
#undef CUPRUM_ENTRY
#define CUPRUM_ENTRY(op, f, of_float, of_double) \
  list.push_back(                                \
      {#op, Op::op, 2, [](W x, W y) -> W { return std::f(x, y); }, is_float ? of_float : of_double});
  CUPRUM_BINARY(CUPRUM_ENTRY)
#undef CUPRUM_ENTRY
  return list;
}

/// The size of the last place of a result near `value`.
template <class T>
Wider<T> last_place(T value) {
  const T size = std::fabs(value);
  if (size == std::numeric_limits<T>::max()) return Wider<T>(size) - std::nextafter(size, T(0));
  return Wider<T>(std::nextafter(size, std::numeric_limits<T>::infinity())) - size;
}

/// Distance in last places; infinite where a special value is wrong.
template <class T>
double error(T got, Wider<T> truth) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(truth) || std::isnan(got)) return std::isnan(truth) && std::isnan(got) ? 0 : wrong;
  if (std::isinf(truth)) return std::isinf(got) && std::signbit(got) == std::signbit(truth) ? 0 : wrong;
  const T nearest = static_cast<T>(truth);
  if (got == 0 && nearest == 0) return std::signbit(got) == std::signbit(nearest) ? 0 : wrong;
  // At the edge of overflow, infinity counts as the number after the largest.
  const T largest = std::numeric_limits<T>::max();
  const Wider<T> after = Wider<T>(largest) + last_place(largest);
  const Wider<T> value = std::fmin(std::fmax(Wider<T>(got), -after), after);
  const Wider<T> wanted = std::fmin(std::fmax(truth, -after), after);
  return static_cast<double>(std::fabs(value - wanted) / last_place(std::isinf(nearest) ? largest : nearest));
}

/// Arguments of several kinds; every function meets all of them.
template <class T>
class Arguments {
 public:
  static constexpr int kKinds = 6;

  T sample(int kind) {
    using U = kernels::bits_of<T>;
    const double unit = std::uniform_real_distribution<double>(-1, 1)(random_);
    switch (kind) {
      case 0: return kernels::bit_cast<T>(static_cast<U>(random_()));           // any bits
      case 1: return static_cast<T>(unit * 20);                                 // the usual
      case 2: return static_cast<T>(unit * std::pow(10.0, exponent(random_)));  // up to 1e30 or 1e300
      case 3: return kernels::bit_cast<T>(static_cast<U>(random_() & kSubnormal));
      case 4:
        return static_cast<T>(std::copysign(1.0, unit) + unit * std::ldexp(1.0, -int(random_() % kDigits)));
      default: return special(random_() % 24);
    }
  }

 private:
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  static constexpr std::uint64_t kSubnormal = sizeof(T) == 4 ? 0x807fffffull : 0x800fffffffffffffull;

  T special(std::size_t i) {
    using limits = std::numeric_limits<T>;
    const T values[12] = {0,
                          1,
                          T(0.5),
                          2,
                          3,
                          limits::infinity(),
                          limits::quiet_NaN(),
                          limits::max(),
                          limits::min(),
                          limits::denorm_min(),
                          T(1e6),
                          T(2.5)};
    return i % 2 ? -values[i / 2] : values[i / 2];
  }

  std::mt19937_64 random_{42};
  std::uniform_int_distribution<int> exponent{sizeof(T) == 4 ? -30 : -300, sizeof(T) == 4 ? 30 : 300};
};

template <class T>
void check(const Level& level, dtype type) {
  for (const Function<T>& f : functions<T>()) {
    Arguments<T> arguments;
    double worst = 0;
    T worst_a = 0, worst_b = 0, worst_result = 0;
    for (int kind = 0; kind < Arguments<T>::kKinds; ++kind) {
      std::vector<T> a(kSamples), b(kSamples), result(kSamples);
      for (int i = 0; i < kSamples; ++i) {
        a[i] = arguments.sample(kind);
        b[i] = arguments.sample(kind);
      }
      level.loops->loop[static_cast<int>(f.op)][static_cast<int>(type)](kSamples, result.data(), a.data(),
                                                                        b.data(), nullptr);
      for (int i = 0; i < kSamples; ++i) {
        const double e = error(result[i], f.truth(a[i], b[i]));
        if (e > worst) worst = e, worst_a = a[i], worst_b = b[i], worst_result = result[i];
      }
    }
    EXPECT_LE(worst, f.bound) << f.name << " of " << name(type) << std::hexfloat << " at " << worst_a
                              << (f.arity == 2 ? ", " : " (") << worst_b << (f.arity == 2 ? "" : ")")
                              << " is " << worst_result;
    testing::Test::RecordProperty(std::string(f.name) + "_" + name(type), std::to_string(worst));
  }
}

class MathUlpTest : public testing::TestWithParam<Level> {};

TEST_P(MathUlpTest, Float32) { check<float>(GetParam(), dtype::float32); }

TEST_P(MathUlpTest, Float64) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no wider than double";
  check<double>(GetParam(), dtype::float64);
}

INSTANTIATE_TEST_SUITE_P(Levels, MathUlpTest, testing::ValuesIn(runnable_levels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cuprum
