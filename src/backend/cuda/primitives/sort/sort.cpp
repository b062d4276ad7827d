// Stable sorts along the last axis, NaN last: see sort_plan.h for the ways.
#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/sort/radix.h"
#include "backend/cuda/primitives/sort/sort_pack.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

/// Flat positions of all elements in order, row after row.
class Order {
 public:
  Order(Context& context, const View& in, std::int64_t rows, std::int64_t n)
      : size_(rows * n), keys_(context, 16 * bytes()), values_(context, 16 * bytes()) {
    auto* key = keys_.get<std::uint64_t>();
    auto* value = values_.get<std::int64_t>();
    key_areas_ = {key, key + size_};
    value_areas_ = {value, value + size_};
    first_positions(context, value, size_);
    const int key_bits = in.type == dtype::complex128 ? 64 : static_cast<int>(itemsize(in.type)) * 8;
    if (in.type == dtype::complex128) {
      sort_keys_at(context, in, nullptr, false, key_areas_.current);
      sort_pairs(context, key_areas_, value_areas_, size_, 0, 64);
      sort_keys_at(context, in, value_areas_.current, true, key_areas_.current);
    } else {
      sort_keys_at(context, in, nullptr, true, key_areas_.current);
    }
    sort_pairs(context, key_areas_, value_areas_, size_, 0, key_bits);
    if (rows == 1) return;
    row_keys_at(context, value_areas_.current, n, key_areas_.current, size_);
    sort_pairs(context, key_areas_, value_areas_, size_, 0, bits_for(rows));
  }

  const std::int64_t* positions() const { return value_areas_.current; }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(size_); }

  std::int64_t size_;
  Scratch keys_, values_;
  Areas<std::uint64_t> key_areas_;
  Areas<std::int64_t> value_areas_;
};

void sort_rows(Context& context, const View& in, const View& out, std::int64_t n, const SortPlan& plan) {
  const std::int64_t size = size_of(in);
  const Low low = plan.low_bits > 0 ? Low::bits : Low::none;
  Scratch words(context, static_cast<std::size_t>(size) * 16);
  auto* word = words.get<std::uint64_t>();
  Areas<std::uint64_t> areas{word, word + size};
  pack_words(context, in, n, plan, low, areas.current);
  if (in.type == dtype::float32) {
    sort_float_rows(context, areas, size, plan.row_bits);
  } else {
    sort_words(context, areas, size, plan.begin_bit(), plan.end_bit());
  }
  unpack_values(context, areas.current, low, out);
}

/// The words of the result have the size of indices: they are sorted in the memory of the result.
void argsort_words(Context& context, const View& in, std::int64_t* out, std::int64_t n,
                   const SortPlan& plan) {
  const std::int64_t size = size_of(in);
  Scratch words(context, static_cast<std::size_t>(size) * 8);
  Areas<std::uint64_t> areas{words.get<std::uint64_t>(), reinterpret_cast<std::uint64_t*>(out)};
  pack_words(context, in, n, plan, Low::index, areas.current);
  sort_words(context, areas, size, plan.begin_bit(), plan.end_bit());
  unpack_indices(context, areas.current, plan.low_bits, out, size);
}

}  // namespace

}  // namespace primitives

using namespace primitives;

static void sort(Context& context, const View& in, const View& out) {
  const std::int64_t size = size_of(in);
  if (size == 0) return;
  const std::int64_t n = in.shape.back(), rows = size / n;
  if (n == 1) return copy(context, in, out);
  const Dense from(context, in);
  DenseOutput to(context, out);
  const SortPlan plan = plan_sort(in.type, rows, n);
  switch (plan.way) {
    case SortPlan::Way::values: sort_values(context, in.type, from.view().data, to.view().data, n); break;
    case SortPlan::Way::words: sort_rows(context, from.view(), to.view(), n, plan); break;
    case SortPlan::Way::pairs: {
      const Order order(context, from.view(), rows, n);
      take_positions(context, from.view(), order.positions(), to.view());
    }
  }
  to.finish(context);
}

static void argsort(Context& context, const View& in, const View& out) {
  const std::int64_t size = size_of(in);
  if (size == 0) return;
  const std::int64_t n = in.shape.back(), rows = size / n;
  const Dense from(context, in);
  DenseOutput to(context, out);
  auto* index = reinterpret_cast<std::int64_t*>(to.view().data.address());
  const SortPlan plan = plan_argsort(in.type, rows, n);
  if (plan.way == SortPlan::Way::words) {
    argsort_words(context, from.view(), index, n, plan);
  } else {
    const Order order(context, from.view(), rows, n);
    positions_within_rows(context, order.positions(), n, index, size);
  }
  to.finish(context);
}

void call(Context& context, const Sort&, Operands in, const View& out) { sort(context, in[0], out); }
void call(Context& context, const Argsort&, Operands in, const View& out) { argsort(context, in[0], out); }
void call(Context& context, const Partition&, Operands in, const View& out) { sort(context, in[0], out); }

}  // namespace cuprum::cuda
