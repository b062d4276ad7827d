// An order of many positions by a key, in which any position can be told by itself: nothing is sorted, and nothing is kept.
//
// The positions lie in a grid of about as many rows as columns, of which there is a power of two. A round turns every row, then every
// column, by as much as a hash of its number and a part of the key says: a Feistel network of two numbers, so a bijection of the grid.
// What it puts behind the last position goes through again, as in format-preserving encryption (NIST SP 800-38G); less than a row is
// behind it.
//
// Eight half rounds: with six, pairs of positions in a grid of 8 x 16 show that they shared a row (the variance of the number of fixed
// points is 1.02 instead of 1); with eight it is 1.007 in one of 7 x 16, two deviations of what 2e5 keys tell. Orders are used from
// 2^20 positions on, as the standard asks; of fewer, keys are sorted (ops/random.cpp).
#pragma once

#include "kernels/math.h"
#include "kernels/random/element.h"

CUPRUM_KERNELS_BEGIN

namespace random {

struct KeyedOrder {
  static constexpr int kRounds = 8;

  uint64 n;  // positions, below 2^63
  uint32 column_bits, rows;
  uint32 keys[kRounds];

  /// The key is what the stream of its own of the call's first unit gives.
  CUPRUM_FN static KeyedOrder of(uint64 n, const ElementStream& s) {
    KeyedOrder order = {n, 1, 0, {}};
    while (n - 1 >> 2 * order.column_bits != 0) ++order.column_bits;
    order.rows = static_cast<uint32>((n - 1 >> order.column_bits) + 1);
    for (uint32 k = 0; k < kRounds / 4; ++k) {
      const Pair64 draws = own_draws(s.counter, s.stream, s.key, s.first, k);
      for (uint32 i = 0; i < 4; ++i)
        order.keys[4 * k + i] = static_cast<uint32>(draws.v[i / 2] >> (i % 2 * 32));
    }
    return order;
  }

  /// The place of position i.
  CUPRUM_FN int64 operator()(uint64 i) const {
    for (;;) {
      uint32 x = static_cast<uint32>(i) & (~0u >> (32 - column_bits)),
             y = static_cast<uint32>(i >> column_bits);
      for (int round = 0; round < kRounds; round += 2) {
        x = turned_row(x, y, keys[round], column_bits);
        y = turned_column(y, x, keys[round + 1], rows);
      }
      i = uint64{y} << column_bits | x;
      if (i < n) [[likely]]
        return static_cast<int64>(i);
    }
  }
  CUPRUM_FN static uint32 hash(uint32 x, uint32 key) {
    x = x * 0x9e3779b1u + key;
    return (x ^ x >> 15) * 0x85ebca77u;
  }
  /// Column x of row y, turned in a circle of 2^bits.
  CUPRUM_FN static uint32 turned_row(uint32 x, uint32 y, uint32 key, uint32 bits) {
    return (x - (hash(y, key) >> (32 - bits))) & (~0u >> (32 - bits));
  }
  /// Row y of column x, turned in a circle of `rows`.
  CUPRUM_FN static uint32 turned_column(uint32 y, uint32 x, uint32 key, uint32 rows) {
    const uint32 back = static_cast<uint32>(uint64{hash(x, key)} * rows >> 32);
    return y - back + (y < back ? rows : 0u);
  }
};

}  // namespace random

CUPRUM_KERNELS_END
