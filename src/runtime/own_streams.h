// Which laws know the places of their numbers: each takes one unit of the generator's stream, whatever comes, so that any of them can
// be drawn by itself, and the state behind a call is known before they are. Laws of one draw do, and all that have a stream for each
// number (kernels/random/element.h).
#pragma once

#include "runtime/primitives.h"

namespace cuprum {

/// Laws of vectors and RandomState's are read in turn.
constexpr bool has_own_streams(BitKind kind, Law law) {
  return kind == BitKind::philox4x32 &&
         (law <= Law::hypergeometric || law == Law::integers || law == Law::masked_integers);
}

/// Samples of as many positions are beginnings of an order by a key (kernels/random/order.h), which each position knows its place in.
inline constexpr std::uint64_t kOrdered = std::uint64_t{1} << 20;
inline bool is_order(const Draw& draw) {
  return draw.kind == BitKind::philox4x32 && draw.law == Law::sample && draw.parameters[0] > kOrdered;
}

/// Bits of the unit of a law of `type`; `p`: its parameters, null where they are arrays.
inline int unit_bits(Law law, dtype type, const LawParameters* p) {
  const bool integers = law == Law::integers || law == Law::masked_integers;
  if (integers && is_bool(type) && p) return 1;
  if (integers && itemsize(type) == 8 && p && (*p)[1] <= 0xffffffffu) return 32;
  return static_cast<int>(8 * itemsize(type));
}

/// Bits of the unit that each number takes, of a generator that can be entered at any of them; 0: numbers take what they need. `arrays`:
/// the parameters are arrays.
inline int place_bits(const Draw& draw, dtype type, bool arrays) {
  if (has_own_streams(draw.kind, draw.law))
    return unit_bits(draw.law, type, arrays ? nullptr : &draw.parameters);
  if (is_order(draw)) return 64;
  if (!can_skip(draw.kind)) return 0;  // would be as much work as drawing them
  switch (draw.law) {
    case Law::random:
    case Law::inverse_exponential:
    case Law::triangular:
    case Law::raw: return 64;
    case Law::random_f:
    case Law::inverse_exponential_f:
    case Law::half: return 32;
    default: return 0;
  }
}

/// Can any number of the call be drawn by itself? Parts of a half go by the words that they are read from.
inline bool knows_places(const Draw& draw, dtype type, bool arrays) {
  return !arrays && place_bits(draw, type, arrays) >= 8;
}

}  // namespace cuprum
