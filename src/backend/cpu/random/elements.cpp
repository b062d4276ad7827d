// Laws of generators that have a stream for each number (kernels/random/element.h): every thread draws its part, and no number depends
// on another.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "backend/cpu/random/job.h"
#include "backend/cpu/random/placed.h"
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
constexpr std::int64_t kEach = 1024;    // numbers for a thread, where each takes what it needs

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
std::int64_t run(random::QuantileElement law, const kernels::uint64* units, std::int64_t n,
                 kernels::int64* out) {
  for (std::int64_t i = 0; i < n; ++i) out[i] = law.of(units[i], law.edges, law.guide);
  return n;
}

/// Where the units of a job lie.
random::ElementStream stream_of(const BitState& s, bool narrow) {
  return random::ElementStream::of(s.words[0], s.words[1], s.words[2], s.words[3], narrow, s.half_is_held,
                                   s.half);
}

/// Loc and scale are those of laws of float64.
template <class T>
T scaled(const Draw& d, T x) {
  if constexpr (std::is_same_v<T, double>) return d.scaled ? d.loc + d.scale * x : x;
  return x;
}

random::LawBits bits_of(const LawParameters& p) { return {{p[0], p[1], p[2]}}; }

/// Numbers of which most need no more than their unit.
template <class L>
class EasyLaw final : public PlacedLaw {
  using U = typename L::Unit;
  using T = typename L::Number;
  static constexpr std::int64_t kPerBlock = 16 / sizeof(U);

 public:
  EasyLaw(const Draw& draw, const BitState& from, const L& law)
      : PlacedLaw(kBlocks * kPerBlock), draw_(draw), stream_(stream_of(from, sizeof(U) < 8)), law_(law) {}

  void draw(std::int64_t first, std::int64_t n, std::byte* out) const override {
    T* const numbers = reinterpret_cast<T*>(out) - first;
    const std::int64_t before = stream_.first / (8 * sizeof(U)),
                       last = first + n;  // units of the first block
    for (std::int64_t block = (before + first) / kPerBlock; block * kPerBlock < before + last;
         block += kBlocks) {
      alignas(64) std::uint64_t draws[2 * kBlocks];
      const std::int64_t count = std::min(kBlocks, ceil_div(before + last, kPerBlock) - block);
      CUPRUM_CALL_LEVEL(philox4x32_draws(stream_.counter + static_cast<std::uint64_t>(block), stream_.stream,
                                         stream_.key, count, draws));
      if (block == 0 && stream_.held)
        std::memcpy(reinterpret_cast<char*>(draws) + stream_.first / 8, &stream_.half, 4);
      make(reinterpret_cast<const U*>(draws) - (block * kPerBlock - before),
           std::max(first, block * kPerBlock - before), std::min(last, (block + count) * kPerBlock - before),
           numbers);
    }
  }

 private:
  void make(const U* units, std::int64_t begin, std::int64_t end, T* out) const {
    for (std::int64_t i = begin; i < end; ++i) {
      i += run(law_, units + i, end - i, out + i);
      if (i == end) break;
      ElementReader<U> reader(stream_, static_cast<std::uint64_t>(i));
      out[i] = static_cast<T>(law_(reader));
    }
    if constexpr (std::is_same_v<T, double>) {
      if (!draw_.scaled) return;
      for (std::int64_t i = begin; i < end; ++i) out[i] = draw_.loc + draw_.scale * out[i];
    }
  }

  const Draw draw_;
  const random::ElementStream stream_;
  const L law_;
};

/// Numbers as they come.
template <class L>
class EachLaw final : public PlacedLaw {
  using U = typename L::Unit;
  using T = typename L::Number;

 public:
  EachLaw(const Draw& draw, const BitState& from, const L& law)
      : PlacedLaw(kEach), draw_(draw), stream_(stream_of(from, sizeof(U) < 8)), law_(law) {}

  void draw(std::int64_t first, std::int64_t n, std::byte* out) const override {
    T* const numbers = reinterpret_cast<T*>(out);
    for (std::int64_t i = 0; i < n; ++i) {
      ElementReader<U> reader(stream_, static_cast<std::uint64_t>(first + i));
      numbers[i] = scaled(draw_, static_cast<T>(law_(reader)));
    }
  }

 private:
  const Draw draw_;
  const random::ElementStream stream_;
  const L law_;
};

/// Counts by a table.
class TableLaw final : public PlacedLaw {
 public:
  TableLaw(const Draw& draw, const BitState& from, QuantileTable&& table)
      : PlacedLaw(2 * kBlocks), table_(std::move(table)), law_(draw, from, element()) {}

  void draw(std::int64_t first, std::int64_t n, std::byte* out) const override { law_.draw(first, n, out); }

 private:
  random::QuantileElement element() const {
    random::QuantileElement law;
    law.edges = table_.edges.data();
    law.guide = table_.guide.data();
    law.least = table_.least;
    law.count = static_cast<int>(table_.edges.size());
    return law;
  }

  const QuantileTable table_;
  const EasyLaw<random::QuantileElement> law_;
};

/// Calls use(x) with a value whose type, Integers<T, U>, says what makes integers of T from units of U.
template <class T, class U>
struct Integers {
  using Law = random::IntegerElement<T, U>;
};
template <class Use>
auto with_integers(const Draw& d, dtype type, bool arrays, const Use& use) {
  using namespace kernels;
  switch (itemsize(type)) {
    case 1: return use(Integers<uint8, uint8>());
    case 2: return use(Integers<uint16, uint16>());
    case 4: return use(Integers<uint32, uint32>());
    default:
      if (unit_bits(d.law, type, arrays ? nullptr : &d.parameters) == 32)
        return use(Integers<uint64, uint32>());
      return use(Integers<uint64, uint64>());
  }
}

bool is_masked(const Draw& d) { return d.law == Law::masked_integers; }

/// Of arrays of parameters; make(LawBits) is the law.
template <class U, class T, class Make>
bool draw_each(const Job& job, const Make& make) {
  const random::ElementStream stream = stream_of(job.from, sizeof(U) < 8);
  T* const out = job.numbers<T>();
  parallel_for(ceil_div(job.n, kEach), [&](std::int64_t k) {
    const std::int64_t begin = k * kEach, end = std::min(job.n, begin + kEach);
    ParameterWalk walk(job, begin);
    for (std::int64_t i = begin; i < end; ++i, walk.move_on()) {
      ElementReader<U> reader(stream, static_cast<std::uint64_t>(i));
      out[i] = scaled(job.draw, static_cast<T>(make(bits_of(walk.here().bits))(reader)));
    }
  });
  return true;
}

template <class L>
bool draw_each(const Job& job) {
  return draw_each<typename L::Unit, typename L::Number>(job, [](const random::LawBits& p) { return L(p); });
}

template <class L>
std::unique_ptr<const PlacedLaw> easy(const Draw& d, const BitState& from, const L& law) {
  return std::make_unique<EasyLaw<L>>(d, from, law);
}

}  // namespace

std::unique_ptr<const PlacedLaw> element_law(const Draw& d, const BitState& from, dtype type) {
  if (is_order(d)) return order_law(d, from);
  const random::LawBits bits = bits_of(d.parameters);
  const double shape = bits.real(0);
#define CUPRUM_EASY(name, Type) \
  case Law::name: return easy(d, from, random::Type(bits));
  if (d.law == Law::standard_gamma && shape > 1) return easy(d, from, random::GammaElement(shape, 1.0));
  if (d.law == Law::chisquare && shape / 2 > 1) return easy(d, from, random::GammaElement(shape / 2, 2.0));
  if (std::optional<QuantileTable> table = quantile_table(d))
    return std::make_unique<TableLaw>(d, from, *std::move(table));
#define CUPRUM_EACH(name, Type) \
  case Law::name: return std::make_unique<EachLaw<random::Type>>(d, from, random::Type(bits));
  switch (d.law) {
    case Law::integers:
    case Law::masked_integers:
      return with_integers(d, type, false,
                           [&]<class I>(I) { return easy(d, from, typename I::Law(bits, is_masked(d))); });
      CUPRUM_EASY_ELEMENT_LAWS(CUPRUM_EASY)
      CUPRUM_CONTINUOUS_ELEMENT_LAWS(CUPRUM_EACH)
      CUPRUM_DISCRETE_ELEMENT_LAWS(CUPRUM_EACH)
    default: return nullptr;
  }
#undef CUPRUM_EASY
#undef CUPRUM_EACH
}

bool draw_elements(Job& job) {
  if (!has_own_streams(job.from.kind, job.draw.law) || job.arrays.empty()) return false;
#define CUPRUM_EACH(name, Type) \
  case Law::name: return draw_each<random::Type>(job);
  switch (job.draw.law) {
    case Law::integers:
    case Law::masked_integers:
      return with_integers(job.draw, job.out.type, true, [&]<class I>(I) {
        using L = typename I::Law;
        return draw_each<typename L::Unit, typename L::Number>(
            job, [&](const random::LawBits& p) { return L(p, is_masked(job.draw)); });
      });
      CUPRUM_EASY_ELEMENT_LAWS(CUPRUM_EACH)
      CUPRUM_CONTINUOUS_ELEMENT_LAWS(CUPRUM_EACH)
      CUPRUM_DISCRETE_ELEMENT_LAWS(CUPRUM_EACH)
    default: return false;
  }
#undef CUPRUM_EACH
}

}  // namespace cuprum::cpu
