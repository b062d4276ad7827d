// An order of many positions by a key, in which any position can be told by itself: nothing is sorted, and nothing is kept.
//
// The positions lie in a grid of about as many rows as columns. A round turns every row, then every column, by as much as a hash of its
// number and a part of the key says: a Feistel network of two numbers, so a bijection of the grid. What it puts behind the last position
// goes through again, as in format-preserving encryption (NIST SP 800-38G); the grid is so tight that one of sqrt(n) does.
//
// Eight half rounds: with six, pairs of positions of a 10 x 10 grid show that they shared a row (the variance of the number of fixed
// points is 1.02 instead of 1), with eight 3e5 keys show nothing from 10 x 10 on. Orders are used from 2^20 positions on, as the
// standard asks; below, keys are sorted (ops/random.cpp).
#pragma once

#include "kernels/math.h"
#include "kernels/random/element.h"

CUPRUM_KERNELS_BEGIN

namespace random {

struct KeyedOrder {
  static constexpr int kRounds = 8;

  uint64 n;  // positions, below 2^63
  uint32 columns, rows;
  uint32 keys[kRounds];
  double inverse;  // of `columns`

  /// The key is what the stream of its own of the call's first unit gives.
  CUPRUM_FN static KeyedOrder of(uint64 n, const ElementStream& s) {
    KeyedOrder order = {n, static_cast<uint32>(math::sqrt(static_cast<double>(n))), 0, {}, 0.0};
    while (uint64{order.columns} * order.columns < n) ++order.columns;
    order.rows = static_cast<uint32>((n + order.columns - 1) / order.columns);
    order.inverse = 1.0 / static_cast<double>(order.columns);
    for (uint32 k = 0; k < kRounds / 4; ++k) {
      const Pair64 draws = own_draws(s.counter, s.stream, s.key, s.first, k);
      for (uint32 i = 0; i < 4; ++i)
        order.keys[4 * k + i] = static_cast<uint32>(draws.v[i / 2] >> (i % 2 * 32));
    }
    return order;
  }

  /// The place of position i.
  CUPRUM_FN int64 operator()(uint64 i) const {
    uint64 y = static_cast<uint64>(static_cast<double>(i) * inverse);  // off by one at most
    const int64 rest = static_cast<int64>(i - y * columns);
    y = y - (rest < 0) + (rest >= static_cast<int64>(columns));
    return at(static_cast<uint32>(i - y * columns), static_cast<uint32>(y));
  }
  /// Of the position in column x of row y.
  CUPRUM_FN int64 at(uint32 x, uint32 y) const {
    for (;;) {
      for (int round = 0; round < kRounds; round += 2) {
        x = turned(x, y, keys[round], columns);
        y = turned(y, x, keys[round + 1], rows);
      }
      const uint64 place = uint64{y} * columns + x;
      if (place < n) [[likely]]
        return static_cast<int64>(place);
    }
  }
  /// x, turned in a circle of `count` by the hash of y.
  CUPRUM_FN static uint32 turned(uint32 x, uint32 y, uint32 key, uint32 count) {
    uint32 hash = y * 0x9e3779b1u + key;
    hash = (hash ^ hash >> 15) * 0x85ebca77u;
    const uint32 back = static_cast<uint32>(uint64{hash} * count >> 32);
    return x - back + (x < back ? count : 0u);
  }
};

}  // namespace random

CUPRUM_KERNELS_END
