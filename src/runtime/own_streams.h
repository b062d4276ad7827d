// Which laws of which generators have a stream for each number (kernels/random/element.h). Such a law takes one unit of the generator's
// stream for a number, whatever comes, so that the state behind a call is known before the numbers are.
#pragma once

#include "runtime/primitives.h"

namespace cuprum {

/// Laws of vectors and RandomState's are read in turn.
constexpr bool has_own_streams(BitKind kind, Law law) {
  return kind == BitKind::philox4x32 &&
         (law <= Law::hypergeometric || law == Law::integers || law == Law::masked_integers);
}

/// Bits of the unit of a law of `type`; `p`: its parameters, null where they are arrays.
inline int unit_bits(Law law, dtype type, const LawParameters* p) {
  const bool integers = law == Law::integers || law == Law::masked_integers;
  if (integers && is_bool(type) && p) return 1;
  if (integers && itemsize(type) == 8 && p && (*p)[1] <= 0xffffffffu) return 32;
  return static_cast<int>(8 * itemsize(type));
}

}  // namespace cuprum
