#include "backend/cpu/simd/random_order.h"

#include "kernels/random/order.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

using kernels::random::KeyedOrder;

constexpr int64_t kPiece = 128;  // positions that stay in registers and the L1 cache for all rounds

/// x[i], turned by the hash of y[i].
void turn(uint32_t* __restrict x, const uint32_t* __restrict y, uint32_t key, uint32_t count) {
  for (int64_t i = 0; i < kPiece; ++i) x[i] = KeyedOrder::turned(x[i], y[i], key, count);
}

}  // namespace

void order_run(const OrderKey& key, uint64_t first, int64_t n, int64_t* out) {
  KeyedOrder order = {key.n, key.columns, key.rows, {}, key.inverse};
  __builtin_memcpy(order.keys, key.keys, sizeof order.keys);
  uint32_t x[kPiece], y[kPiece];
  uint32_t row = static_cast<uint32_t>(first / key.columns),
           column = static_cast<uint32_t>(first % key.columns);
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    for (int64_t i = 0; i < kPiece; ++i) {
      x[i] = column;
      y[i] = row;
      const bool last = ++column == key.columns;
      column = last ? 0 : column;
      row += last;
    }
    for (int round = 0; round < KeyedOrder::kRounds; round += 2) {
      turn(x, y, order.keys[round], order.columns);
      turn(y, x, order.keys[round + 1], order.rows);
    }
    const int64_t count = n - begin < kPiece ? n - begin : kPiece;
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t place = uint64_t{y[i]} * key.columns + x[i];
      out[begin + i] = static_cast<int64_t>(place);
    }
    for (int64_t i = 0; i < count; ++i) {
      if (static_cast<uint64_t>(out[begin + i]) >= key.n) out[begin + i] = order.at(x[i], y[i]);
    }
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
