// Integers of any width. A range that fits 32 bits takes 32; results of 16 and 8 bits, and bools, take that
// many of them.
#include "backend/cuda/primitives/random/draw.h"
#include "backend/cuda/primitives/random/draws.cuh"
#include "backend/cuda/primitives/random/tile_walk.cuh"
#include "kernels/random/bounded.h"

namespace cuprum::cuda::primitives {

namespace {

struct NoTables {};

/// Results of T from units of U.
template <class T, class U>
struct Integers {
  using Unit = U;
  using Number = T;
  random::Bounded<U> bounded;
  U least_low;  // Lemire: a product whose lower half is smaller is rejected

  explicit Integers(const random::Bounded<U>& b)
      : bounded(b),
        least_low(b.whole ? U{0}
                          : static_cast<U>(static_cast<U>(static_cast<U>(~U{0}) - b.range) %
                                           static_cast<U>(b.range + 1))) {}

  using Tables = NoTables;
  __device__ static void load(Tables&) {}
  __device__ bool easy(const Tables&, Unit bits, Number& x) const {
    using Wide = typename random::twice<U>::type;
    if (bounded.whole) {
      x = static_cast<T>(bounded.least + bits);
      return true;
    }
    if (bounded.masked) {
      const U value = bits & bounded.mask;
      x = static_cast<T>(bounded.least + value);
      return value <= bounded.range;
    }
    const Wide product = static_cast<Wide>(static_cast<Wide>(bits) * static_cast<U>(bounded.range + 1));
    x = static_cast<T>(bounded.least + static_cast<U>(product >> (8 * sizeof(U))));
    return static_cast<U>(product) >= least_low;
  }
  template <class R>
  __device__ Number operator()(R& r) const {
    return static_cast<T>(bounded(r));
  }
};

/// A range that rejects nothing: a number for each unit.
template <class T, class U>
struct EveryInteger {
  Integers<T, U> integers;
  __device__ T operator()(U bits) const {
    T x;
    integers.easy(NoTables(), bits, x);
    return x;
  }
};

template <class T, class U>
bool draw_as(Context& context, const DrawJob& job, bool masked) {
  const random::Bounded<U> bounded(job.draw.parameters[0], job.draw.parameters[1], masked);
  const Integers<T, U> law(bounded);
  const double rejects = bounded.rejects();
  if (rejects == 0)
    draw_units(context, job, EachUnit<U, T, EveryInteger<T, U>>(static_cast<T*>(job.out), job.n, {law}));
  else
    draw_easy_chain(context, job, law, 1 / (1 - rejects));
  return true;
}

/// Bools: the bits of each half of a draw, the lowest first, as bytes.
class EachBit : public UnitRange<64> {
 public:
  EachBit(std::uint8_t* out, std::int64_t n) : UnitRange(n), out_(out) {}

  template <class G>
  __device__ void take(std::int64_t group, const std::uint64_t (&d)[G::kGroup]) const {
    std::int64_t i = number_at(group * G::kGroup);
#pragma unroll
    for (int k = 0; k < G::kGroup; ++k) {
      for (int byte = 0; byte < 8; ++byte, i += 8) take_eight(i, d[k] >> (8 * byte) & 0xff);
    }
  }

 private:
  __device__ void take_eight(std::int64_t i, std::uint64_t bits) const {
    const std::uint64_t apart = bits * 0x0101010101010101u & 0x8040201008040201u;  // bit k in byte k
    const std::uint64_t bytes = (apart + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
    if (has(i) && has(i + 7) && reinterpret_cast<std::uintptr_t>(out_ + i) % 8 == 0) {
      *reinterpret_cast<std::uint64_t*>(out_ + i) = bytes;
      return;
    }
    for (int k = 0; k < 8; ++k) {
      if (has(i + k)) out_[i + k] = static_cast<std::uint8_t>(bytes >> (8 * k) & 1);
    }
  }

  std::uint8_t* out_;
};

}  // namespace

bool draw_integers(Context& context, const DrawJob& job) {
  using namespace kernels;
  const bool masked = job.draw.law == Law::masked_integers;
  if (is_bool(job.type)) {
    draw_units(context, job, EachBit(static_cast<std::uint8_t*>(job.out), job.n));
    return true;
  }
  switch (itemsize(job.type)) {
    case 1: return draw_as<uint8, uint8>(context, job, masked);
    case 2: return draw_as<uint16, uint16>(context, job, masked);
    case 4: return draw_as<uint32, uint32>(context, job, masked);
    default:
      return job.draw.parameters[1] <= 0xffffffffu ? draw_as<uint64, uint32>(context, job, masked)
                                                   : draw_as<uint64, uint64>(context, job, masked);
  }
}

}  // namespace cuprum::cuda::primitives
