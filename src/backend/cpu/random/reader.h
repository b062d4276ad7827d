// Reads a bit generator's stream one draw after the other, out of tiles that are made many draws at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/random_bits.h"
#include "kernels/math.h"
#include "kernels/random/bits.h"

namespace cuprum::cpu {

/// The next n draws; `state` stands behind them afterwards. Not for MT19937.
void fill_draws(BitState& state, std::int64_t n, std::uint64_t* out);
/// Draws [first, first + n) from a state on whose stream can be entered anywhere.
void fill_draws_at(const BitState& from, std::int64_t first, std::int64_t n, std::uint64_t* out);

/// A place in the stream, in draws from where the call began, and what is buffered there. Two readers at one place read the same.
struct StreamPlace {
  std::int64_t draws = 0;
  bool half_is_held = false;
  std::uint32_t half = 0;
  int parts_left = 0;  // of `parts`, 32 bits that are given out as 1, 8 or 16 bits
  std::uint32_t parts = 0;

  bool same_as(const StreamPlace& o) const {
    return draws == o.draws && half_is_held == o.half_is_held && parts_left == o.parts_left;
  }
};

class Reader {
 public:
  static constexpr int kTile = 2080, kFew = 16;  // a block of a chain is two tiles

  /// From `state` on. `expected`: draws that will be read, more or less; fewer are made at a time beyond them.
  explicit Reader(const BitState& state, std::int64_t expected = kTile)
      : normal_is_held(state.normal_is_held),
        held_normal(state.normal),
        base_(state),
        after_(state),
        twister_(state.kind == BitKind::mt19937),
        expected_(expected) {
    place_.half_is_held = state.half_is_held;
    place_.half = state.half;
    if (twister_) {
      at_ = static_cast<int>(base_.words[0]);
      end_ = kernels::random::kTwisterWords;
      temper();
    }
  }
  /// At another place of the same stream, which begins at `start`.
  Reader(const BitState& start, const StreamPlace& place, std::int64_t expected = kTile)
      : Reader(start, expected) {
    skip(after_, static_cast<std::uint64_t>(place.draws));
    base_ = after_;
    place_ = place;
  }

  std::uint64_t u64() {
    if (twister_) [[unlikely]] {
      const std::uint64_t high = word();
      return high << 32 | word();
    }
    if (at_ == end_) [[unlikely]]
      refill();
    return tile_[at_++];
  }
  std::uint32_t u32() {
    if (twister_) [[unlikely]]
      return word();
    if (place_.half_is_held) {
      place_.half_is_held = false;
      return place_.half;
    }
    const std::uint64_t draw = u64();
    place_.half_is_held = true;
    place_.half = static_cast<std::uint32_t>(draw >> 32);
    return static_cast<std::uint32_t>(draw);
  }
  std::uint16_t u16() { return static_cast<std::uint16_t>(part(16)); }
  std::uint8_t u8() { return static_cast<std::uint8_t>(part(8)); }
  bool bit() { return part(1) & 1; }
  double unit() {
    if (twister_) [[unlikely]] {
      const std::uint32_t first = word();
      return kernels::random::unit(first, word());
    }
    return kernels::random::unit(static_cast<kernels::uint64>(u64()));
  }
  float unit_f() { return kernels::random::unit(u32()); }
  static double log1p(double x) { return kernels::math::log1p(x); }
  static float log1p(float x) { return kernels::math::log1p(x); }
  static float exp(float x) { return kernels::math::exp(x); }
  /// As BitGenerator.random_raw gives it.
  std::uint64_t raw() { return twister_ ? word() : u64(); }

  StreamPlace place() const {
    StreamPlace p = place_;
    p.draws += at_;
    return p;
  }
  // -- Many units at a time. A unit is a draw, or its halves, 16 bits or bytes, the lowest first.

  /// Do the next units lie in a row? Not while parts of one are left, nor a half that came with the state, nor in MT19937.
  template <class U>
  bool is_even() const {
    if (twister_ || sizeof(U) == 8) return !twister_;
    if (place_.parts_left != 0) return false;
    return !place_.half_is_held || (sizeof(U) == 4 && half_is_near());
  }
  /// Units of a half that lie before here().
  template <class U>
  std::int64_t units_before() const {
    return sizeof(U) == 4 && place_.half_is_held ? 1 : 0;
  }
  /// Draws that lie ready, at least one.
  std::int64_t ready() {
    if (at_ == end_) refill();
    return end_ - at_;
  }
  /// The same, or none.
  std::int64_t left() const { return end_ - at_; }
  const std::uint64_t* here() const { return tile_ + at_; }
  /// Takes `n` units of those that lie ready.
  template <class U>
  void take(std::int64_t n) {
    if (n > 0 && units_before<U>() > 0) {
      place_.half_is_held = false;
      --n;
    }
    constexpr std::int64_t per_draw = 8 / sizeof(U);
    at_ += static_cast<int>((n + per_draw - 1) / per_draw);
    if constexpr (sizeof(U) < 8) {
      if (n == 0) return;
      const std::uint64_t last = tile_[at_ - 1];
      constexpr std::int64_t per_half = per_draw / 2;
      const std::int64_t halves = ((n - 1) % per_draw + per_half) / per_half;  // of the last draw: 1 or 2
      place_.half = static_cast<std::uint32_t>(last >> 32);
      place_.half_is_held = halves == 1;
      place_.parts_left = static_cast<int>(halves * per_half - ((n - 1) % per_draw + 1));
      const int read = static_cast<int>(per_half) - place_.parts_left - 1;
      place_.parts =
          static_cast<std::uint32_t>(halves == 1 ? last : last >> 32) >> (8 * sizeof(U) % 32 * read);
    }
  }

  /// Draws that have been read.
  std::int64_t draws() const { return place_.draws + at_; }
  /// The state here.
  BitState state() const {
    BitState s = base_;
    if (twister_)
      s.words[0] = static_cast<std::uint64_t>(at_);
    else
      skip(s, static_cast<std::uint64_t>(at_));
    s.half_is_held = place_.half_is_held;
    s.half = place_.half;
    s.normal_is_held = normal_is_held;
    s.normal = held_normal;
    return s;
  }

  bool normal_is_held;  // RandomState's
  double held_normal;

 private:
  /// Is the half that is held that of the draw before?
  bool half_is_near() const {
    return at_ > 0 && static_cast<std::uint32_t>(tile_[at_ - 1] >> 32) == place_.half;
  }

  std::uint32_t part(int bits) {
    if (place_.parts_left == 0) {
      place_.parts = u32();
      place_.parts_left = 32 / bits - 1;
    } else {
      place_.parts >>= bits;
      --place_.parts_left;
    }
    return place_.parts;
  }

  std::uint32_t word() {
    if (at_ == end_) [[unlikely]] {
      kernels::random::twist(base_.key.data());
      at_ = 0;
      temper();
    }
    return reinterpret_cast<const std::uint32_t*>(tile_)[at_++];
  }
  void temper() {
    std::uint32_t* words = reinterpret_cast<std::uint32_t*>(tile_);
    for (int i = 0; i < kernels::random::kTwisterWords; ++i)
      words[i] = kernels::random::tempered(base_.key[static_cast<std::size_t>(i)]);
  }
  void refill() {
    place_.draws += at_;
    base_ = after_;
    const std::int64_t draws = std::clamp<std::int64_t>(expected_ > 0 ? expected_ : made_ / 4, kFew, kTile);
    fill_draws(after_, draws, tile_);
    end_ = static_cast<int>(draws);
    at_ = 0;
    expected_ -= draws;
    made_ += draws;
  }

  BitState base_;   // where the tile begins; MT19937: its words, of which at_ are read
  BitState after_;  // where it ends
  bool twister_;
  std::int64_t expected_, made_ = 0;
  StreamPlace place_;
  int at_ = 0, end_ = 0;
  alignas(64) std::uint64_t tile_[kTile];
};

}  // namespace cuprum::cpu
