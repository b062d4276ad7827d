#include "backend/cpu/simd/random_order.h"

#include "kernels/random/order.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

using kernels::random::KeyedOrder;

constexpr int64_t kPiece = 128;  // positions that stay in registers and the L1 cache for all rounds

void turn_rows(uint32_t* __restrict x, const uint32_t* __restrict y, uint32_t key, uint32_t bits) {
  for (int64_t i = 0; i < kPiece; ++i) x[i] = KeyedOrder::turned_row(x[i], y[i], key, bits);
}
void turn_columns(uint32_t* __restrict y, const uint32_t* __restrict x, uint32_t key, uint32_t rows) {
  for (int64_t i = 0; i < kPiece; ++i) y[i] = KeyedOrder::turned_column(y[i], x[i], key, rows);
}

}  // namespace

void order_run(const OrderKey& key, uint64_t first, int64_t n, int64_t* out) {
  KeyedOrder order = {key.n, key.column_bits, key.rows, {}};
  __builtin_memcpy(order.keys, key.keys, sizeof order.keys);
  uint32_t x[kPiece], y[kPiece];
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    for (int64_t i = 0; i < kPiece; ++i) {
      const uint64_t position = first + static_cast<uint64_t>(begin + i);
      x[i] = static_cast<uint32_t>(position) & (~0u >> (32 - order.column_bits));
      y[i] = static_cast<uint32_t>(position >> order.column_bits);
    }
    for (int round = 0; round < KeyedOrder::kRounds; round += 2) {
      turn_rows(x, y, order.keys[round], order.column_bits);
      turn_columns(y, x, order.keys[round + 1], order.rows);
    }
    const int64_t count = n - begin < kPiece ? n - begin : kPiece;
    for (int64_t i = 0; i < count; ++i)
      out[begin + i] = static_cast<int64_t>(uint64_t{y[i]} << order.column_bits | x[i]);
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t place = static_cast<uint64_t>(out[begin + i]);
      if (place >= key.n) out[begin + i] = order(place);
    }
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
