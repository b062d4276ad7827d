// Laws of generators that have a stream for each number (kernels/random/element.h): every thread draws its part, and no number depends
// on another.
#include <algorithm>
#include <cstring>
#include <optional>

#include "backend/cpu/random/job.h"
#include "backend/cpu/simd/random_bits.h"
#include "backend/cpu/simd/random_runs.h"
#include "core/integers.h"
#include "kernels/random/element_laws.h"
#include "runtime/own_streams.h"
#include "runtime/quantile_table.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;

/// The C library's functions: what the other generators' ziggurats use too.
struct HostMath {
  static double log1p(double x) { return kernels::math::log1p(x); }
  static float log1p(float x) { return kernels::math::log1p(x); }
  static float exp(float x) { return kernels::math::exp(x); }
};
template <class U>
using ElementReader = random::ElementReader<U, HostMath>;

constexpr std::int64_t kBlocks = 1024;  // of 16 bytes: they stay in the L1 cache until they are numbers

/// The numbers that need no more than their unit, from the first on, as long as they do not; how many that are.
template <class L>
std::int64_t run(const L& law, const typename L::Unit* units, std::int64_t n, typename L::Number* out) {
  std::int64_t i = 0;
  while (i < n && law.easy(typename L::Strips(), units[i], out[i])) ++i;
  return i;
}
std::int64_t run(const random::NormalElement&, const kernels::uint64* units, std::int64_t n, double* out) {
  return CUPRUM_CALL_LEVEL(normal_run(units, n, out));
}
std::int64_t run(const random::NormalElementFloat&, const kernels::uint32* units, std::int64_t n,
                 float* out) {
  return CUPRUM_CALL_LEVEL(normal_run_f(units, n, out));
}
std::int64_t run(const random::ExponentialElement&, const kernels::uint64* units, std::int64_t n,
                 double* out) {
  return CUPRUM_CALL_LEVEL(exponential_run(units, n, out));
}
std::int64_t run(const random::ExponentialElementFloat&, const kernels::uint32* units, std::int64_t n,
                 float* out) {
  return CUPRUM_CALL_LEVEL(exponential_run_f(units, n, out));
}
std::int64_t run(const random::QuantileElement& law, const kernels::uint64* units, std::int64_t n,
                 kernels::int64* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = law.of(units[i], law.edges, law.guide);
  return n;
}

/// Where the units of a job lie.
random::ElementStream stream_of(const BitState& s, bool narrow) {
  return random::ElementStream::of(s.words[0], s.words[1], s.words[2], s.words[3], narrow, s.half_is_held,
                                   s.half);
}

/// Numbers of which most need no more than their unit.
template <class L>
bool draw_easy(const Job& job, const L& law) {
  using U = typename L::Unit;
  using T = typename L::Number;
  constexpr std::int64_t per_block = 16 / sizeof(U);
  const random::ElementStream stream = stream_of(job.from, sizeof(U) < 8);
  const std::int64_t first = stream.first / (8 * sizeof(U)), blocks = ceil_div(first + job.n, per_block);
  T* const out = job.numbers<T>();
  parallel_for(ceil_div(blocks, kBlocks), [&](std::int64_t piece) {
    alignas(64) std::uint64_t draws[2 * kBlocks];
    const std::int64_t block = piece * kBlocks, count = std::min(kBlocks, blocks - block);
    CUPRUM_CALL_LEVEL(philox4x32_draws(stream.counter + static_cast<std::uint64_t>(block), stream.stream,
                                       stream.key, count, draws));
    if (piece == 0 && stream.held)
      std::memcpy(reinterpret_cast<char*>(draws) + stream.first / 8, &stream.half, 4);
    const std::int64_t begin = std::max<std::int64_t>(0, block * per_block - first),
                       end = std::min(job.n, (block + count) * per_block - first);
    const U* const units = reinterpret_cast<const U*>(draws) - (block * per_block - first);
    for (std::int64_t i = begin; i < end; ++i) {
      i += run(law, units + i, end - i, out + i);
      if (i == end) break;
      ElementReader<U> reader(stream, static_cast<std::uint64_t>(i));
      out[i] = static_cast<T>(law(reader));
    }
    if constexpr (std::is_same_v<T, double>) {
      if (job.draw.scaled) {
        for (std::int64_t i = begin; i < end; ++i) out[i] = job.draw.loc + job.draw.scale * out[i];
      }
    }
  });
  return true;
}

/// Numbers as they come; make(LawBits) is the law.
template <class U, class T, class Make>
bool draw_each(const Job& job, const Make& make) {
  constexpr std::int64_t chunk = 1024;
  const random::ElementStream stream = stream_of(job.from, sizeof(U) < 8);
  T* const out = job.numbers<T>();
  parallel_for(ceil_div(job.n, chunk), [&](std::int64_t k) {
    const std::int64_t begin = k * chunk, end = std::min(job.n, begin + chunk);
    const auto put = [&](std::int64_t i, const auto& law) {
      ElementReader<U> reader(stream, static_cast<std::uint64_t>(i));
      const T x = static_cast<T>(law(reader));
      if constexpr (std::is_same_v<T, double>)
        out[i] = job.draw.scaled ? job.draw.loc + job.draw.scale * x : x;
      else
        out[i] = x;
    };
    const auto bits = [](const LawParameters& p) { return random::LawBits{{p[0], p[1], p[2]}}; };
    if (job.arrays.empty()) {
      const auto law = make(bits(job.draw.parameters));
      for (std::int64_t i = begin; i < end; ++i) put(i, law);
    } else {
      ParameterWalk walk(job, begin);
      for (std::int64_t i = begin; i < end; ++i, walk.move_on()) put(i, make(bits(walk.here().bits)));
    }
  });
  return true;
}

template <class L>
bool draw_each(const Job& job) {
  return draw_each<typename L::Unit, typename L::Number>(job, [](const random::LawBits& p) { return L(p); });
}

/// Integers of T from units of U.
template <class T, class U>
bool draw_integers_as(const Job& job, bool masked) {
  if (!job.arrays.empty())
    return draw_each<U, T>(job,
                           [=](const random::LawBits& p) { return random::IntegerElement<T, U>(p, masked); });
  const LawParameters& p = job.draw.parameters;
  return draw_easy(job, random::IntegerElement<T, U>({{p[0], p[1], p[2]}}, masked));
}

bool draw_integers_of(const Job& job) {
  using namespace kernels;
  const bool masked = job.draw.law == Law::masked_integers;
  if (is_bool(job.out.type) && job.arrays.empty())
    return false;  // bits of the stream: one reader is as any other
  switch (itemsize(job.out.type)) {
    case 1: return draw_integers_as<uint8, uint8>(job, masked);
    case 2: return draw_integers_as<uint16, uint16>(job, masked);
    case 4: return draw_integers_as<uint32, uint32>(job, masked);
    default:
      return job.arrays.empty() && job.draw.parameters[1] <= 0xffffffffu
                 ? draw_integers_as<uint64, uint32>(job, masked)
                 : draw_integers_as<uint64, uint64>(job, masked);
  }
}

/// Counts by a table, if the law has one.
bool draw_by_table(const Job& job) {
  const std::optional<QuantileTable> table = quantile_table(job.draw);
  if (!table || !job.arrays.empty()) return false;
  random::QuantileElement law;
  law.edges = table->edges.data();
  law.guide = table->guide.data();
  law.least = table->least;
  law.count = static_cast<int>(table->edges.size());
  return draw_easy(job, law);
}

}  // namespace

bool draw_elements(Job& job) {
  if (!has_own_streams(job.from.kind, job.draw.law)) return false;
  const bool arrays = !job.arrays.empty();
  const LawParameters& p = job.draw.parameters;
  const random::LawBits bits = {{p[0], p[1], p[2]}};
  const double shape = std::bit_cast<double>(p[0]);
#define CUPRUM_EASY(name, Type) \
  case Law::name:               \
    return arrays ? draw_each<random::Type>(job) : draw_easy(job, random::Type(bits));
#define CUPRUM_EACH(name, Type) \
  case Law::name: return draw_each<random::Type>(job);
  switch (job.draw.law) {
    case Law::integers:
    case Law::masked_integers: return draw_integers_of(job);
    case Law::random:
    case Law::random_f:
    case Law::triangular:
    case Law::inverse_exponential:
    case Law::inverse_exponential_f:
      if (!arrays) return false;  // of one unit each, as of any generator: simple.cpp
      break;
    case Law::standard_gamma:
      if (!arrays && shape > 1) return draw_easy(job, random::GammaElement(shape, 1.0));
      return draw_each<random::AnyGammaElement>(job);
    case Law::chisquare:
      if (!arrays && shape / 2 > 1) return draw_easy(job, random::GammaElement(shape / 2, 2.0));
      return draw_each<random::AnyChisquareElement>(job);
    default: break;
  }
  if (draw_by_table(job)) return true;
  switch (job.draw.law) {
    CUPRUM_EASY_ELEMENT_LAWS(CUPRUM_EASY)
    CUPRUM_CONTINUOUS_ELEMENT_LAWS(CUPRUM_EACH)
    CUPRUM_DISCRETE_ELEMENT_LAWS(CUPRUM_EACH)
    default: return false;
  }
#undef CUPRUM_EASY
#undef CUPRUM_EACH
}

}  // namespace cuprum::cpu
