// Leaves whose numbers are drawn (Drawn in runtime/program.h), by laws that know the places of their numbers.
//
// An item takes V units that follow each other. What they have in common (a block of a counter, the place in a congruence) is computed
// once, and where they lie in it is asked once. Laws are those of kernels/random. A thread has a Drawer of each leaf, made before it reads its first item by
// all threads of the block together.
#pragma once

#include "device/draw_argument.cuh"
#include "device/memory.cuh"

namespace cuprum::cuda::device {

/// The C library's functions, to the last bit: those of the CPU's numbers.
struct LibraryMath {
  random::Log1pForms forms;

  CUPRUM_DEVICE double log1p(double x) const { return random::log1p_as(forms.wide, x); }
  CUPRUM_DEVICE float log1p(float x) const { return random::log1p_as(forms.narrow, x); }
  CUPRUM_DEVICE static float exp(float x) {
    return static_cast<float>(kernels::math::exp(static_cast<double>(x)));
  }
};

// -- Units, by their place. units(stream, i, bits): V of them, from the one of number i on.

/// Philox4x32: pairs of draws, whose units are a number's own.
struct ElementUnits {
  using Stream = random::ElementStream;
  static constexpr bool kOwn = true;  // a number may read on, from a stream of its own

  CUPRUM_DEVICE explicit ElementUnits(const Stream&) {}
  template <class U, int V>
  CUPRUM_DEVICE void units(const Stream& s, int64 i, U (&bits)[V]) {
    constexpr int width = 8 * static_cast<int>(sizeof(U)), blocks = (V * width + 127) / 128;
    const uint64 first = s.first + static_cast<uint64>(i) * width;
    // Bits of the first block, as a rule the same for all items of a kernel.
    const int before = static_cast<int>(first) & 127;
    uint64 draws[2 * blocks + 2] = {};
#pragma unroll
    for (int k = 0; k < blocks; ++k) read(s, (first >> 7) + k, draws + 2 * k);
    if (before != 0) {
      if (before + V * width > 128 * blocks) read(s, (first >> 7) + blocks, draws + 2 * blocks);
      shift<2 * blocks>(draws, before);
    }
#pragma unroll
    for (int v = 0; v < V; ++v) bits[v] = static_cast<U>(draws[v * width / 64] >> (v * width % 64));
    if (sizeof(U) < 8 && s.held && i * width < 32) {  // which begin with the half that waits
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (i * width + v * width < 32) bits[v] = static_cast<U>(s.half >> ((before + v * width) & 31));
      }
    }
  }

 private:
  CUPRUM_DEVICE static void read(const Stream& s, uint64 group, uint64* draws) {
    const random::Pair64 pair = s.block(group);
    draws[0] = pair.v[0];
    draws[1] = pair.v[1];
  }
  /// Leaves out the first `before` bits of the draws, below 128.
  template <int n>
  CUPRUM_DEVICE static void shift(uint64* draws, int before) {
    if (before & 64) {
#pragma unroll
      for (int k = 0; k <= n; ++k) draws[k] = draws[k + 1];
    }
    const int rest = before & 63;
    if (rest == 0) return;
#pragma unroll
    for (int k = 0; k < n; ++k) draws[k] = draws[k] >> rest | draws[k + 1] << (64 - rest);
  }
};

/// 2^k steps of a congruence at once: x -> multiplier * x + sum * increment.
struct Jump {
  random::uint128 multiplier, sum;
};
inline constexpr int kJumps = 44;  // 2^44 draws are 140 TB
struct Jumps {
  Jump of[kJumps];
};
constexpr Jumps jumps_of(random::uint128 multiplier) {
  Jumps all = {};
  random::uint128 sum = 1;
  for (int k = 0; k < kJumps; ++k) {
    all.of[k] = {multiplier, sum};
    sum *= multiplier + 1;
    multiplier *= multiplier;
  }
  return all;
}
static __device__ const Jumps pcg64_jumps = jumps_of(random::kPcgMultiplier);
static __device__ const Jumps pcg64dxsm_jumps = jumps_of(random::kPcgCheapMultiplier);

/// PCG64 and PCG64DXSM. To enter the stream takes a multiplication for each bit of the place, so a thread remembers where it stood: its
/// next item is a known step away, as a rule.
template <bool cheap>
class CongruenceUnits {
 public:
  using Stream = CongruenceStream;
  static constexpr bool kOwn = false;

  CUPRUM_DEVICE explicit CongruenceUnits(const Stream& s) : x_(random::join(s.state[0], s.state[1])) {}
  template <class U, int V>
  CUPRUM_DEVICE void units(const Stream& s, int64 i, U (&bits)[V]) {
    const random::uint128 increment = random::join(s.increment[0], s.increment[1]);
    if constexpr (sizeof(U) == 8) {
      uint64 draws[V];
      read<V>(move(s, i, increment), increment, draws);
#pragma unroll
      for (int v = 0; v < V; ++v) bits[v] = draws[v];
    } else {
      const int64 first = i - s.held;  // -1: the half that waits
      const bool odd = first & 1;
      uint64 draws[V / 2 + 1];
      // One more draw where the first unit is the upper half of one. All items of a kernel begin alike, or nearly.
      random::uint128 x = move(s, first < 0 ? 0 : first >> 1, increment);
      if (first < 0) {
        draws[0] = static_cast<uint64>(s.half) << 32;
        read<V / 2>(x, increment, draws + 1);
      } else if (odd || V == 1) {
        read<V / 2 + 1>(x, increment, draws);
      } else {
        read<V / 2>(x, increment, draws);
      }
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const uint64 low = draws[v / 2], high = draws[(v + 1) / 2];
        const uint64 even = v % 2 ? low >> 32 : low, other = v % 2 ? high : low >> 32;
        bits[v] = static_cast<U>(odd ? other : even);
      }
    }
  }

 private:
  CUPRUM_DEVICE static uint64 output(random::uint128 x) {
    return cheap ? random::pcg64dxsm_output(x) : random::pcg64_output(x);
  }
  /// n draws, of which the first is that of a state.
  template <int n>
  CUPRUM_DEVICE static void read(random::uint128 x, random::uint128 increment, uint64* draws) {
#pragma unroll
    for (int k = 0; k < n; ++k) {
      if (k > 0) x = (cheap ? random::kPcgCheapMultiplier : random::kPcgMultiplier) * x + increment;
      draws[k] = output(x);
    }
  }
  /// The state that gives a draw.
  CUPRUM_DEVICE random::uint128 move(const Stream& s, int64 draw, random::uint128 increment) {
    if (draw - at_ == s.step) {
      x_ = random::join(s.step_multiplier[0], s.step_multiplier[1]) * x_ +
           random::join(s.step_increment[0], s.step_increment[1]);
    } else if (draw != at_) {
      x_ = random::join(s.state[0], s.state[1]);
      const Jump* jump = cheap ? pcg64dxsm_jumps.of : pcg64_jumps.of;
      for (uint64 n = static_cast<uint64>(draw); n != 0; n >>= 1, ++jump) {
        if (n & 1) x_ = jump->multiplier * x_ + jump->sum * increment;
      }
    }
    at_ = draw;
    return x_;
  }

  random::uint128 x_;  // gives draw at_
  int64 at_ = 0;
};

/// Philox4x64.
struct BlockUnits {
  using Stream = BlockStream;
  static constexpr bool kOwn = false;

  CUPRUM_DEVICE explicit BlockUnits(const Stream&) {}
  template <class U, int V>
  CUPRUM_DEVICE void units(const Stream& s, int64 i, U (&bits)[V]) {
    static_assert(V <= 4 && sizeof(U) == 8);
    const int64 draw = s.read + i;
    const int before = static_cast<int>(draw) & 3;
    uint64 draws[8] = {};
    read(s, draw >> 2, draws);
    if (before != 0) {
      if (before + V > 4) read(s, (draw >> 2) + 1, draws + 4);
      shift(draws, before);
    }
#pragma unroll
    for (int v = 0; v < V; ++v) bits[v] = draws[v];
  }

 private:
  CUPRUM_DEVICE static void read(const Stream& s, int64 group, uint64* draws) {
    const random::Block64 counter = {{s.counter[0], s.counter[1], s.counter[2], s.counter[3]}};
    const random::Block64 block =
        random::philox4x64(random::counted(counter, static_cast<uint64>(group)), s.key[0], s.key[1]);
#pragma unroll
    for (int k = 0; k < 4; ++k) draws[k] = group == 0 ? s.block[k] : block.v[k];
  }
  /// Leaves out the first draws, 1 to 3.
  CUPRUM_DEVICE static void shift(uint64 (&draws)[8], int before) {
#pragma unroll
    for (int step = 1; step <= 2; step *= 2) {
      if (!(before & step)) continue;
#pragma unroll
      for (int k = 0; k + step < 8; ++k) draws[k] = draws[k + step];
    }
  }
};

// -- Numbers of units.

/// Reads one unit that is there already.
template <class U>
struct UnitReader : LibraryMath {
  U bits;

  CUPRUM_DEVICE uint64 u64() const { return bits; }
  CUPRUM_DEVICE uint32 u32() const { return static_cast<uint32>(bits); }
  CUPRUM_DEVICE double unit() const { return random::unit(static_cast<uint64>(bits)); }
  CUPRUM_DEVICE float unit_f() const { return random::unit(static_cast<uint32>(bits)); }
};

/// The reader of a number that needs more than its unit, which is there already.
template <class U>
class OwnReader : public random::ElementReader<U, LibraryMath> {
 public:
  using Base = random::ElementReader<U, LibraryMath>;
  CUPRUM_DEVICE OwnReader(const random::ElementStream& s, int64 i, U bits, const random::Log1pForms& forms)
      : Base(s, static_cast<uint64>(i), LibraryMath{forms}), bits_(bits) {}

  CUPRUM_DEVICE uint64 u64() { return next(); }
  CUPRUM_DEVICE uint32 u32() { return static_cast<uint32>(next()); }
  CUPRUM_DEVICE kernels::uint16 u16() { return static_cast<kernels::uint16>(next()); }
  CUPRUM_DEVICE kernels::uint8 u8() { return static_cast<kernels::uint8>(next()); }
  CUPRUM_DEVICE double unit() { return random::unit(next()); }
  CUPRUM_DEVICE float unit_f() { return random::unit(u32()); }

 private:
  CUPRUM_DEVICE uint64 next() {
    const int read = read_++;
    if (read == 0) return bits_;
    if (read == 1) Base::u64();  // the unit once more, which nobody uses: no code
    return Base::u64();
  }

  U bits_;
  int read_ = 0;
};

/// Laws that give the bits of a generator as they are.
template <class U>
struct BitsElement {
  using Unit = U;
  using Number = U;
  using Strips = random::NoStrips;
  CUPRUM_FN explicit BitsElement(const random::LawBits&) {}
  template <class R>
  CUPRUM_FN U operator()(R& r) const {
    return sizeof(U) == 8 ? static_cast<U>(r.u64()) : static_cast<U>(r.u32());
  }
};
template <class T, class U, bool masked>
struct IntegersElement : random::IntegerElement<T, U> {
  CUPRUM_FN explicit IntegersElement(const random::LawBits& p) : random::IntegerElement<T, U>(p, masked) {}
};

template <class L>
concept HasStrips = requires {
  L::Strips::edge(0);
};

/// The strips of a ziggurat in shared memory: a warp looks at 32 places of them at a time.
template <class L>
struct SharedStrips {
  decltype(L::Strips::edge(0)) edges[256];
  decltype(L::Strips::step(0)) steps[256];

  CUPRUM_DEVICE auto edge(uint64 strip) const { return edges[strip]; }
  CUPRUM_DEVICE auto step(uint64 strip) const { return steps[strip]; }
  CUPRUM_DEVICE static SharedStrips& get() {
    __shared__ SharedStrips strips;
    return strips;
  }
  CUPRUM_DEVICE void load() {
    for (unsigned i = threadIdx.x; i < 256; i += kBlock) {
      edges[i] = L::Strips::edge(i);
      steps[i] = L::Strips::step(i);
    }
    __syncthreads();
  }
};

/// Is x, made of the unit alone, the number?
template <class L>
CUPRUM_DEVICE bool is_easy(const L& law, typename L::Unit bits, typename L::Number& x) {
  if constexpr (HasStrips<L>) {
    return law.easy(SharedStrips<L>::get(), bits, x);
  } else if constexpr (requires { law.easy(typename L::Strips(), bits, x); }) {
    return law.easy(typename L::Strips(), bits, x);
  } else {
    return false;
  }
}

/// What a thread keeps of a leaf that is drawn: the law, and where it stands in the stream.
template <class L, class Units, bool scaled>
struct Drawer {
  using Unit = typename L::Unit;
  using Number = typename L::Number;

  L law;
  Units units;

  CUPRUM_DEVICE explicit Drawer(const Draw<typename Units::Stream>& draw)
      : law(draw.parameters), units(draw.stream) {
    if constexpr (HasStrips<L>) SharedStrips<L>::get().load();
  }

  /// V numbers of the call, from number i on. Those that need more than their unit are drawn when all others are there: their threads
  /// meet once for the item, not once for each number.
  template <int V>
  CUPRUM_DEVICE void numbers(const Draw<typename Units::Stream>& draw, int64 i, Number (&x)[V]) {
    Unit bits[V];
    units.units(draw.stream, i, bits);
    if constexpr (Units::kOwn && requires { law.easy(typename L::Strips(), bits[0], x[0]); }) {
      unsigned hard = 0;
#pragma unroll
      for (int v = 0; v < V; ++v) hard |= is_easy(law, bits[v], x[v]) ? 0u : 1u << v;
      while (hard != 0) {
        const int k = __ffs(static_cast<int>(hard)) - 1;
        Unit own = bits[0];
#pragma unroll
        for (int v = 1; v < V; ++v) own = v == k ? bits[v] : own;
        OwnReader<Unit> reader(draw.stream, i + k, own, draw.forms);
        const Number number = law(reader);
#pragma unroll
        for (int v = 0; v < V; ++v) x[v] = v == k ? number : x[v];
        hard &= hard - 1;
      }
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) {
        UnitReader<Unit> reader{{draw.forms}, bits[v]};
        x[v] = law(reader);
      }
    }
    if constexpr (scaled) {
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = draw.loc + draw.scale * x[v];
    }
  }
};

/// The number at a place of the call's array, which begins at address 0.
template <class T, class D, class Argument>
CUPRUM_DEVICE T draw_one(D& drawer, const Argument& draw, const char* place) {
  typename D::Number x[1];
  drawer.numbers(draw, reinterpret_cast<int64>(place) / static_cast<int64>(sizeof(T)), x);
  return static_cast<T>(x[0]);
}

/// V elements from a place on, as load_elements reads them. For Access::broadcast `to` is one element.
template <Access access, bool whole, int V, class D, class Argument, class T>
CUPRUM_DEVICE void draw_elements(D& drawer, const Argument& draw, const char* from, int64 stride, int count,
                                 T* to) {
#pragma unroll
  for (int v = 0; v < (access == Access::broadcast ? 1 : V); ++v) to[v] = T{};
  if (count <= 0) return;
  if constexpr (access == Access::broadcast) {
    to[0] = draw_one<T>(drawer, draw, from);
  } else if constexpr (access == Access::strided) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if (v < count) to[v] = draw_one<T>(drawer, draw, from + v * stride);
    }
  } else {
    typename D::Number x[V];
    drawer.numbers(draw, reinterpret_cast<int64>(from) / static_cast<int64>(sizeof(T)), x);
#pragma unroll
    for (int v = 0; v < V; ++v) to[v] = static_cast<T>(x[v]);
  }
}

}  // namespace cuprum::cuda::device
