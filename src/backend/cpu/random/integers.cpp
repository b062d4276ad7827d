// Integers of any width. A range that fits 32 bits takes 32; results of 16 and 8 bits, and bools, take that many of them.
#include "kernels/random/bounded.h"

#include "backend/cpu/random/job.h"
#include "backend/cpu/simd/random_runs.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;

using random::Bounded;

/// For arrays of bounds: the width of the draws depends on the range.
struct EitherWidth {
  std::uint64_t least, range;
  bool masked;

  std::uint64_t operator()(Reader& r) const {
    return range <= 0xffffffffu ? Bounded<std::uint32_t>(least, range, masked)(r)
                                : Bounded<std::uint64_t>(least, range, masked)(r);
  }
};

/// The same many at a time, for results of U.
template <class U, class D>
struct BoundedRun : Bounded<D> {
  using Unit = D;
  using Bounded<D>::Bounded;

  Run run(const D* units, std::int64_t n, U* out) const {
    if (this->range == 0) return {0, 0, true};
    const Bound bound = {this->least, this->range, this->mask, this->masked};
    bool open = false;
    const std::int64_t count =
        CUPRUM_CALL_LEVEL(bounded_run(bound, sizeof(D), sizeof(U), units, n, out, &open));
    return {n, count, open};
  }
};

template <class U, class D>
void draw_as(Job& job, bool masked) {
  draw_numbers<U, sizeof(D) == 8 ? Reads::wide : Reads::narrow, 8 / sizeof(D)>(
      job, [=](const Parameters& p) { return BoundedRun<U, D>(p.bits[0], p.bits[1], masked); });
}

}  // namespace

bool draw_integers(Job& job) {
  if (job.draw.law != Law::integers && job.draw.law != Law::masked_integers) return false;
  const bool masked = job.draw.law == Law::masked_integers;
  if (is_bool(job.out.type)) {
    draw_numbers<std::uint8_t, Reads::narrow, 64>(job, [](const Parameters& p) {
      return [off = p.bits[0] != 0, varies = p.bits[1] != 0](Reader& r) { return varies ? r.bit() : off; };
    });
    return true;
  }
  switch (itemsize(job.out.type)) {
    case 1: draw_as<std::uint8_t, std::uint8_t>(job, masked); break;
    case 2: draw_as<std::uint16_t, std::uint16_t>(job, masked); break;
    case 4: draw_as<std::uint32_t, std::uint32_t>(job, masked); break;
    default:
      if (!job.arrays.empty()) {
        draw_numbers<std::uint64_t, Reads::mixed, 1>(job, [=](const Parameters& p) {
          return EitherWidth{p.bits[0], p.bits[1], masked};
        });
      } else if (job.draw.parameters[1] <= 0xffffffffu) {
        draw_as<std::uint64_t, std::uint32_t>(job, masked);
      } else {
        draw_as<std::uint64_t, std::uint64_t>(job, masked);
      }
  }
  return true;
}

}  // namespace cuprum::cpu
