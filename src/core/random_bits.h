// The state of a bit generator: plain numbers, which the host keeps, a device is given, and a call gives back.
//
// NumPy's generators have NumPy's states, to the buffered half of a draw and the buffered block of a counter, so that a state can go to
// NumPy and come back. What the generators compute is kernels/random/bits.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cuprum {

enum class BitKind : std::uint8_t { pcg64, pcg64dxsm, philox, sfc64, mt19937, xorwow, mrg32k3a, philox4x32 };
inline constexpr int kBitKinds = 8;

struct BitState {
  BitKind kind = BitKind::pcg64;
  /// pcg64, pcg64dxsm: state and increment, the high word first. philox: counter (4, the low word first), key (2), the block that is
  /// being read (4), draws of it that have been read. sfc64: its four words. mt19937: words of `key` that have been read. xorwow,
  /// mrg32k3a: their six words. philox4x32: counter, stream, key, draws of the counter's pair that have been read (0 or 1).
  std::array<std::uint64_t, 12> words = {};
  bool half_is_held = false;  // the upper half of the last draw waits to be read
  std::uint32_t half = 0;
  bool normal_is_held = false;  // RandomState: the second of a pair of normal numbers
  double normal = 0.0;
  std::vector<std::uint32_t> key;  // mt19937

  bool operator==(const BitState&) const = default;
};

/// Can the stream be entered anywhere?
constexpr bool can_skip(BitKind kind) {
  return kind == BitKind::pcg64 || kind == BitKind::pcg64dxsm || kind == BitKind::philox ||
         kind == BitKind::philox4x32;
}

/// Behind the next n draws of 64 bits (mt19937: of 32 bits). Takes time in proportion to n where the kind cannot skip.
void skip(BitState& state, std::uint64_t n);
/// The next draw.
std::uint64_t draw(BitState& state);
/// Behind the next n units of so many bits: draws (64), halves of draws (32), of which one that is held comes first, or parts of halves,
/// of which a half that has been begun is left whole.
void skip_units(BitState& state, int bits, std::int64_t n);

/// Words of 64 bits that seed a kind (mt19937: 312, for 624 of 32 bits).
int seed_words(BitKind kind);
/// From that many words of a seed sequence, as NumPy seeds its generators.
BitState seeded(BitKind kind, std::span<const std::uint64_t> words);
/// MT19937 from one number, and from several: as NumPy's RandomState.
BitState seeded_legacy(std::uint32_t seed);
BitState seeded_legacy(std::span<const std::uint32_t> seed);

/// NumPy's advance: by `delta` (modulo the period, the low word first) of pcg64 and pcg64dxsm in draws, of philox in blocks; what is
/// buffered is dropped.
void advance(BitState& state, const std::array<std::uint64_t, 4>& delta);

// -- As words, for a device.

std::size_t packed_size(BitKind kind);
void pack(const BitState& state, std::uint64_t* to);
BitState unpack(BitKind kind, const std::uint64_t* from);

// -- Seed sequences (O'Neill's seed_seq_fe, as in NumPy): any entropy makes any number of words.

class SeedPool {
 public:
  /// `spawn_key` says which child of a sequence this is; empty: none.
  SeedPool(std::span<const std::uint32_t> entropy, std::span<const std::uint32_t> spawn_key,
           std::size_t size = 4);
  const std::vector<std::uint32_t>& pool() const { return pool_; }
  std::vector<std::uint32_t> generate(std::size_t words) const;
  std::vector<std::uint64_t> generate_wide(std::size_t words) const;

 private:
  std::vector<std::uint32_t> pool_;
};

/// Entropy from the system.
std::vector<std::uint32_t> fresh_entropy();

}  // namespace cuprum
