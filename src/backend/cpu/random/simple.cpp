// Laws that take one draw, or half of one, for each number: whoever knows the place of a number knows its draw.
#include "backend/cpu/random/job.h"
#include "backend/cpu/simd/random_bits.h"
#include "kernels/random/continuous.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;
namespace math = kernels::math;

constexpr std::int64_t kPiece = 2048;         // draws that stay in the L1 cache until they are numbers
constexpr std::int64_t kChunk = 16 * kPiece;  // for a thread

/// n draws to `out`, which need not be aligned, each turned into numbers; the state behind them.
template <class Turn>
BitState draw_pieces(const BitState& from, std::int64_t n, void* out, Turn&& turn) {
  std::byte* const bytes = static_cast<std::byte*>(out);
  const bool aligned = reinterpret_cast<std::uintptr_t>(out) % 8 == 0;
  const auto pieces = [&](BitState& state, std::int64_t begin, std::int64_t end) {
    std::uint64_t staged[kPiece];
    for (std::int64_t i = begin; i < end; i += kPiece) {
      const std::int64_t count = std::min(kPiece, end - i);
      std::uint64_t* const draws = aligned ? reinterpret_cast<std::uint64_t*>(bytes + 8 * i) : staged;
      fill_draws(state, count, draws);
      turn(count, draws);
      if (!aligned) std::memcpy(bytes + 8 * i, draws, static_cast<std::size_t>(count) * 8);
    }
  };
  BitState after = from;
  if (!can_skip(from.kind)) {
    pieces(after, 0, n);
    return after;
  }
  parallel_for((n + kChunk - 1) / kChunk, [&](std::int64_t k) {
    BitState state = from;
    skip(state, static_cast<std::uint64_t>(k * kChunk));
    pieces(state, k * kChunk, std::min(n, (k + 1) * kChunk));
  });
  skip(after, static_cast<std::uint64_t>(n));
  return after;
}

/// One number of 64 bits for a draw.
template <class Turn>
void draw_wide(Job& job, Turn&& turn) {
  job.after = draw_pieces(job.from, job.n, job.out.data.address(), turn);
}

/// Two numbers of 32 bits for a draw; a half that was held comes first, and one that is left is held.
template <class Turn>
void draw_narrow(Job& job, Turn&& turn) {
  std::uint32_t* out = job.numbers<std::uint32_t>();
  std::int64_t n = job.n;
  BitState& after = job.after = job.from;
  if (n > 0 && after.half_is_held) {
    std::uint64_t draw = after.half;
    turn(1, &draw);
    *out++ = static_cast<std::uint32_t>(draw);
    --n;
    after.half_is_held = false;
  }
  draw_pieces(after, n / 2, out, turn);
  if (n >= 2) {
    skip(after, static_cast<std::uint64_t>(n / 2 - 1));
    after.half = static_cast<std::uint32_t>(draw(after) >> 32);
  }
  if (n % 2 != 0) {
    std::uint64_t last = draw(after);
    after.half = static_cast<std::uint32_t>(last >> 32);
    after.half_is_held = true;
    turn(1, &last);
    out[n - 1] = static_cast<std::uint32_t>(last);
  }
}

/// Each draw by `number`, a function of its bits.
template <class Number>
auto each(Number&& number) {
  return [=](std::int64_t n, std::uint64_t* draws) {
    for (std::int64_t i = 0; i < n; ++i) draws[i] = std::bit_cast<std::uint64_t>(number(draws[i]));
  };
}
template <class Number>
auto each_half(Number&& number) {
  return [=](std::int64_t n, std::uint64_t* draws) {
    for (std::int64_t i = 0; i < n; ++i) {
      const float low = number(static_cast<std::uint32_t>(draws[i])),
                  high = number(static_cast<std::uint32_t>(draws[i] >> 32));
      draws[i] = std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32 | std::bit_cast<std::uint32_t>(low);
    }
  };
}

float inverse_exponential(std::uint32_t bits) {
  return static_cast<float>(-math::log1p(-static_cast<double>(random::unit(bits))));
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

bool draw_simple(Job& job) {
  const bool narrow = itemsize(job.out.type) == 4;
  if (job.from.kind == BitKind::mt19937 || !job.arrays.empty() || (narrow && !can_skip(job.from.kind)))
    return draw_in_turn(job);
  const bool scaled = job.draw.scaled;
  const double loc = job.draw.loc, scale = job.draw.scale;
  const Parameters p{job.draw.parameters};
  switch (job.draw.law) {
    case Law::random:
      draw_wide(job, [=](std::int64_t n, std::uint64_t* draws) {
        CUPRUM_CALL_LEVEL(to_units(draws, n, scaled, loc, scale));
      });
      return true;
    case Law::random_f:
      draw_narrow(job, [](std::int64_t n, std::uint64_t* draws) { CUPRUM_CALL_LEVEL(to_units_f(draws, n)); });
      return true;
    case Law::inverse_exponential:
      draw_wide(job, each([=](std::uint64_t bits) {
                  const double x = -math::log1p(-random::unit(static_cast<kernels::uint64>(bits)));
                  return scaled ? loc + scale * x : x;
                }));
      return true;
    case Law::inverse_exponential_f: draw_narrow(job, each_half(&inverse_exponential)); return true;
    case Law::triangular:
      draw_wide(job, each([=](std::uint64_t bits) {
                  return random::triangular(random::unit(static_cast<kernels::uint64>(bits)), p.real(0),
                                            p.real(1), p.real(2));
                }));
      return true;
    case Law::raw: draw_wide(job, [](std::int64_t, std::uint64_t*) {}); return true;
    case Law::half: draw_narrow(job, [](std::int64_t, std::uint64_t*) {}); return true;
    default: return false;
  }
}

}  // namespace cuprum::cpu
