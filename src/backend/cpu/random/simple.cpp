// Laws that take one draw, or half of one, for each number: whoever knows the place of a number knows its draw.
#include "backend/cpu/random/job.h"
#include "backend/cpu/random/placed.h"
#include "backend/cpu/simd/random_bits.h"
#include "kernels/random/continuous.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;
namespace math = kernels::math;

constexpr std::int64_t kPiece = 2048;         // draws that stay in the L1 cache until they are numbers
constexpr std::int64_t kShare = 16 * kPiece;  // of draws, for a thread

float inverse_exponential(std::uint32_t bits) {
  return static_cast<float>(-math::log1p(-static_cast<double>(random::unit(bits))));
}

// -- Turns: n draws become numbers where they are, one each, or two of 32 bits.

struct ToUnits {
  bool scaled;
  double loc, scale;
  void operator()(std::int64_t n, std::uint64_t* draws) const {
    CUPRUM_CALL_LEVEL(to_units(draws, n, scaled, loc, scale));
  }
};
struct ToUnitsFloat {
  void operator()(std::int64_t n, std::uint64_t* draws) const { CUPRUM_CALL_LEVEL(to_units_f(draws, n)); }
};
struct AsTheyAre {
  void operator()(std::int64_t, std::uint64_t*) const {}
};
/// Each draw by `number`, a function of its bits.
template <class Number>
struct Each {
  Number number;
  void operator()(std::int64_t n, std::uint64_t* draws) const {
    for (std::int64_t i = 0; i < n; ++i) draws[i] = std::bit_cast<std::uint64_t>(number(draws[i]));
  }
};
template <class Number>
Each(Number) -> Each<Number>;
template <class Number>
struct EachHalf {
  Number number;
  void operator()(std::int64_t n, std::uint64_t* draws) const {
    for (std::int64_t i = 0; i < n; ++i) {
      const float low = number(static_cast<std::uint32_t>(draws[i])),
                  high = number(static_cast<std::uint32_t>(draws[i] >> 32));
      draws[i] = std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32 | std::bit_cast<std::uint32_t>(low);
    }
  }
};
template <class Number>
EachHalf(Number) -> EachHalf<Number>;

/// One number of 64 bits for a draw.
template <class Turn>
class WideLaw final : public PlacedLaw {
 public:
  WideLaw(const BitState& from, const Turn& turn) : PlacedLaw(kShare), from_(from), turn_(turn) {}

  void draw(std::int64_t first, std::int64_t n, std::byte* out) const override {
    auto* draws = reinterpret_cast<std::uint64_t*>(out);
    for (std::int64_t i = 0; i < n; i += kPiece) {
      const std::int64_t count = std::min(kPiece, n - i);
      fill_draws_at(from_, first + i, count, draws + i);
      turn_(count, draws + i);
    }
  }

 private:
  const BitState from_;
  Turn turn_;
};

/// Two numbers of 32 bits for a draw; a half that was held comes first.
template <class Turn>
class NarrowLaw final : public PlacedLaw {
 public:
  NarrowLaw(const BitState& from, const Turn& turn) : PlacedLaw(2 * kShare), from_(from), turn_(turn) {}

  void draw(std::int64_t first, std::int64_t n, std::byte* out) const override {
    std::int64_t half = first - from_.half_is_held;
    if (half < 0 && n > 0) {
      std::uint64_t draw = from_.half;
      turn_(1, &draw);
      std::memcpy(out, &draw, 4);
      ++half;
      --n;
      out += 4;
    }
    while (n > 0) {
      const std::int64_t before = half & 1, draws = std::min(kPiece, (before + n + 1) / 2),
                         count = std::min(n, 2 * draws - before);
      const bool whole = count == 2 * draws && reinterpret_cast<std::uintptr_t>(out) % 8 == 0;
      std::uint64_t staged[kPiece];
      std::uint64_t* const to = whole ? reinterpret_cast<std::uint64_t*>(out) : staged;
      fill_draws_at(from_, half / 2, draws, to);
      turn_(draws, to);
      if (!whole)
        std::memcpy(out, reinterpret_cast<std::byte*>(to) + 4 * before, static_cast<std::size_t>(4 * count));
      half += count;
      n -= count;
      out += 4 * count;
    }
  }

 private:
  const BitState from_;
  Turn turn_;
};

/// Calls wide(turn) or narrow(turn) with what makes the law's numbers; false: it takes more than a draw for one.
template <class Wide, class Narrow>
bool with_turn(const Draw& d, const Wide& wide, const Narrow& narrow) {
  switch (d.law) {
    case Law::random: wide(ToUnits{d.scaled, d.loc, d.scale}); return true;
    case Law::random_f: narrow(ToUnitsFloat()); return true;
    case Law::inverse_exponential:
      wide(Each{[scaled = d.scaled, loc = d.loc, scale = d.scale](std::uint64_t bits) {
        const double x = -math::log1p(-random::unit(static_cast<kernels::uint64>(bits)));
        return scaled ? loc + scale * x : x;
      }});
      return true;
    case Law::inverse_exponential_f: narrow(EachHalf{&inverse_exponential}); return true;
    case Law::triangular:
      wide(Each{[p = Parameters{d.parameters}](std::uint64_t bits) {
        return random::triangular(random::unit(static_cast<kernels::uint64>(bits)), p.real(0), p.real(1),
                                  p.real(2));
      }});
      return true;
    case Law::raw: wide(AsTheyAre()); return true;
    case Law::half: narrow(AsTheyAre()); return true;
    default: return false;
  }
}

/// One after the other: MT19937, arrays of parameters, halves where the state cannot skip.
bool draw_in_turn(Job& job) {
  switch (job.draw.law) {
    case Law::random:
      draw_scaled<Reads::mixed>(job, [](const Parameters&) { return [](Reader& r) { return r.unit(); }; });
      return true;
    case Law::random_f:
      draw_numbers<float, Reads::mixed, 1>(
          job, [](const Parameters&) { return [](Reader& r) { return r.unit_f(); }; });
      return true;
    case Law::inverse_exponential:
      draw_scaled<Reads::mixed>(
          job, [](const Parameters&) { return [](Reader& r) { return -math::log1p(-r.unit()); }; });
      return true;
    case Law::inverse_exponential_f:
      draw_numbers<float, Reads::mixed, 1>(
          job, [](const Parameters&) { return [](Reader& r) { return inverse_exponential(r.u32()); }; });
      return true;
    case Law::triangular:
      draw_scaled<Reads::mixed>(job, [](const Parameters& p) {
        return [=](Reader& r) { return random::triangular(r.unit(), p.real(0), p.real(1), p.real(2)); };
      });
      return true;
    case Law::raw:
      draw_numbers<std::uint64_t, Reads::mixed, 1>(
          job, [](const Parameters&) { return [](Reader& r) { return r.raw(); }; });
      return true;
    case Law::half:
      draw_numbers<std::uint32_t, Reads::mixed, 1>(
          job, [](const Parameters&) { return [](Reader& r) { return r.u32(); }; });
      return true;
    default: return false;
  }
}

}  // namespace

std::unique_ptr<const PlacedLaw> simple_law(const Draw& d, const BitState& from) {
  std::unique_ptr<const PlacedLaw> law;
  with_turn(
      d, [&]<class Turn>(const Turn& turn) { law = std::make_unique<WideLaw<Turn>>(from, turn); },
      [&]<class Turn>(const Turn& turn) { law = std::make_unique<NarrowLaw<Turn>>(from, turn); });
  return law;
}

/// From generators that are read in turn.
bool draw_simple(Job& job) {
  const bool narrow = itemsize(job.out.type) == 4;
  if (job.from.kind == BitKind::mt19937 || !job.arrays.empty() || narrow) return draw_in_turn(job);
  job.after = job.from;
  return with_turn(
      job.draw,
      [&](const auto& turn) {
        for (std::int64_t i = 0; i < job.n; i += kPiece) {
          const std::int64_t count = std::min(kPiece, job.n - i);
          std::uint64_t* const draws = job.numbers<std::uint64_t>() + i;
          fill_draws(job.after, count, draws);
          turn(count, draws);
        }
      },
      [](const auto&) {});
}

}  // namespace cuprum::cpu
