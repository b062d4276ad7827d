// Orders of many positions by a key (kernels/random/order.h), vectors of them at a time.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// What a KeyedOrder has.
struct OrderKey {
  uint64_t n;
  uint32_t column_bits, rows, keys[8];
};
/// out[i] = the place of position `first` + i.
CUPRUM_DECLARE_FOR_LEVELS(void order_run(const OrderKey& key, uint64_t first, int64_t n, int64_t* out))

}  // namespace cuprum
