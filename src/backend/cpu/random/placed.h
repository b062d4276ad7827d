// Laws that know the places of their numbers (runtime/own_streams.h): any range of a call's numbers is drawn by itself, by whichever
// thread wants it, to memory or for the kernel that reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/random_bits.h"
#include "runtime/primitives.h"

namespace cuprum::cpu {

class PlacedLaw {
 public:
  /// `share`: numbers that are worth another thread.
  explicit PlacedLaw(std::int64_t share) : share(share) {}
  virtual ~PlacedLaw() = default;
  PlacedLaw(const PlacedLaw&) = delete;
  PlacedLaw& operator=(const PlacedLaw&) = delete;

  /// Numbers [first, first + n) of the call. `out` is aligned to a number.
  virtual void draw(std::int64_t first, std::int64_t n, std::byte* out) const = 0;

  const std::int64_t share;
};

/// The law of a call with results of this dtype; null: its numbers do not know their places.
std::unique_ptr<const PlacedLaw> placed_law(const Draw& draw, const BitState& from, dtype type);
/// Of one draw, or half of one, for a number; null: it takes more.
std::unique_ptr<const PlacedLaw> simple_law(const Draw& draw, const BitState& from);
/// The beginning of an order of many positions: is_order(draw).
std::unique_ptr<const PlacedLaw> order_law(const Draw& draw, const BitState& from);
/// Of generators with a stream for each number.
std::unique_ptr<const PlacedLaw> element_law(const Draw& draw, const BitState& from, dtype type);

}  // namespace cuprum::cpu
