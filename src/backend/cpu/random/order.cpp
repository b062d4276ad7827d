// The order of many positions by a key (kernels/random/order.h).
#include "kernels/random/order.h"

#include <algorithm>

#include "backend/cpu/random/placed.h"
#include "backend/cpu/simd/random_order.h"

namespace cuprum::cpu {

namespace {

class OrderLaw final : public PlacedLaw {
 public:
  OrderLaw(std::uint64_t n, const kernels::random::ElementStream& stream) : PlacedLaw(4096) {
    const auto order = kernels::random::KeyedOrder::of(n, stream);
    key_ = {order.n, order.column_bits, order.rows, {}};
    std::copy(std::begin(order.keys), std::end(order.keys), key_.keys);
  }

  void draw(std::int64_t first, std::int64_t n, std::byte* out) const override {
    CUPRUM_CALL_LEVEL(
        order_run(key_, static_cast<std::uint64_t>(first), n, reinterpret_cast<std::int64_t*>(out)));
  }

 private:
  OrderKey key_;
};

}  // namespace

std::unique_ptr<const PlacedLaw> order_law(const Draw& d, const BitState& from) {
  const auto& w = from.words;
  return std::make_unique<OrderLaw>(
      d.parameters[0], kernels::random::ElementStream::of(w[0], w[1], w[2], w[3], false, false, 0));
}

}  // namespace cuprum::cpu
