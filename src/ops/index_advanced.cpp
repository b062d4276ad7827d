#include "ops/index_advanced.h"

#include <cstring>
#include <optional>
#include <type_traits>

#include "core/element.h"
#include "core/inline_vector.h"
#include "expr/engine.h"
#include "ops/assign.h"
#include "ops/index_mask.h"
#include "ops/index_plan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

using Kind = IndexItem::Kind;

bool is_whole_mask(const Array& a, Index index) {
  return index.size() == 1 && index[0].kind == Kind::array && is_bool(index[0].array->type()) &&
         index[0].array->shape() == a.shape() && a.ndim() > 0;
}

/// The shape of what index arrays name, where they are integers of one shape, and index the first dimensions of `a`.
std::optional<Dims> plainly_indexed(const Array& a, Index index) {
  if (index.size() > a.shape().size()) return std::nullopt;
  for (const IndexItem& item : index) {
    if (item.kind != Kind::array || !is_integer(item.array->type())) return std::nullopt;
    if (item.array->ndim() == 0 || !(item.array->shape() == index[0].array->shape())) return std::nullopt;
  }
  Dims shape = index[0].array->shape();
  for (std::size_t d = index.size(); d < a.shape().size(); ++d) shape.push_back(a.shape()[d]);
  const std::size_t nbytes = bytes_of(shape, a.type());
  if (shape.size() > kMaxDims || nbytes == 0 || !is_few(nbytes)) return std::nullopt;
  return shape;
}

/// The operands of a gather or scatter that is done at once: the first, then the index arrays, as int64.
class OperandsNow {
 public:
  OperandsNow(const View& first, Index index) : views_(1 + index.size()) {
    views_.emplace_back(first);
    std::size_t numbers = 0;
    for (const IndexItem& item : index) {
      if (item.array->type() != dtype::int64) numbers += static_cast<std::size_t>(item.array->size());
    }
    wide_.resize(numbers);
  }

  /// False: the CPU has not got them all beside `a`. The graph's lock is held.
  bool add(const Array& a, Index index) {
    for (const IndexItem& item : index) {
      std::optional<View> seen = view_now(*item.array);
      if (!seen || &item.array->backend() != &a.backend()) return false;
      if (seen->type != dtype::int64 && !widen(*seen)) return false;
      views_.emplace_back(*std::move(seen));
    }
    return true;
  }
  operator std::span<const View>() const { return {views_.data(), views_.size()}; }

 private:
  /// Of numbers in one line; false: they are not.
  bool widen(View& v) {
    const auto size = static_cast<std::int64_t>(itemsize(v.type)), n = element_count(v.shape);
    if (v.shape.size() > 1 && !is_c_contiguous(v.shape, v.strides, size)) return false;
    const std::int64_t step = v.shape.size() > 1 ? size : v.strides[0];
    std::int64_t* const to = wide_.data() + used_;
    kernels::with_element(v.type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_integral_v<T>) {
        for (std::int64_t i = 0; i < n; ++i) {
          T number;
          std::memcpy(&number, v.data + i * step, sizeof number);
          to[i] = static_cast<std::int64_t>(number);
        }
      }
    });
    used_ += n;
    v = View{reinterpret_cast<std::byte*>(to), dtype::int64, v.shape, contiguous_strides(v.shape, 8), {}};
    return true;
  }

  InlineVector<View, 4> views_;
  SmallVector<std::int64_t, 64> wide_;
  std::int64_t used_ = 0;
};

/// Few elements that the CPU has are gathered at once: three of 16 in 0.4 us, where a node and its call take 1.1. Nothing: they
/// are to be recorded, or an index is out of bounds.
std::optional<Array> gathered_now(const Array& a, Index index) {
  if (index.size() != a.shape().size() && !a.c_contiguous()) return std::nullopt;
  const std::optional<Dims> shape = plainly_indexed(a, index);
  if (!shape) return std::nullopt;
  const EngineLock lock;
  const std::optional<View> from = view_now(a);
  if (!from) return std::nullopt;
  OperandsNow in(*from, index);
  if (!in.add(a, index)) return std::nullopt;
  const Array result = make_array(a.backend(), a.type(), *shape);
  const std::optional<View> out = view_now(result);
  Stream& stream = current_stream(a.backend());
  const Fault fault = a.backend().call(stream, Call{Gather{}, in, {&*out, 1}});
  return fault.axis < 0 ? std::optional(result) : std::nullopt;
}

/// The same for a number that is stored; false: nothing was.
bool scattered_now(const Array& a, Index index, const Value& value) {
  const std::optional<Dims> shape = value.is_array() ? std::nullopt : plainly_indexed(a, index);
  if (!shape) return false;
  const EngineLock lock;
  if (!view_now(a)) return false;
  for (const IndexItem& item : index) {
    if (item.array->storage() == a.storage()) return false;
  }
  Scalar number = value.to_scalar(a.type());
  OperandsNow in({reinterpret_cast<std::byte*>(number.bytes), a.type(), *shape, Dims(shape->size(), 0), {}},
                 index);
  if (!in.add(a, index)) return false;
  const View to = writable(a);
  Stream& stream = current_stream(a.backend());
  return a.backend().call(stream, Call{Scatter{}, in, {&to, 1}}).axis < 0;
}

}  // namespace

void bring_together(const Array& a, Index index, const Value* value) {
  if (!host_sides_are_used()) [[likely]]
    return;
  SmallVector<const Array*, 8> all{&a};
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) all.push_back(item.array);
  }
  if (value && value->is_array()) all.push_back(&value->array());
  static_cast<void>(OnePlace(all));
}

bool is_advanced(Index index) {
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) return true;
  }
  return false;
}

Array get_advanced(const Array& a, Index given, const char* function, char order) {
  if (std::optional<Array> now = gathered_now(a, given)) return *std::move(now);
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return value_if_0d(record_copy(basic_index(a, index), a.type()));
  if (is_whole_mask(a, index)) return select(a, *index[0].array);
  bring_together(a, index);
  const Plan plan = make_plan(a, index);
  plan.check_known(a, function);
  if (plan.index.empty()) return record_copy(plan.plain_view(), a.type(), 'C');
  check_shape(function, plan.result, a.type());
  const Dims strides = plan.new_strides(order);
  const EngineLock lock;            // what was checked is what is recorded
  const Backend* looked = nullptr;  // where all are in bounds
  if (const OnePlace here(plan.arrays()); element_count(plan.broadcast) == 0 || plan.check_now(function))
    looked = &a.backend();
  const OnePlace there(plan.arrays(), bytes_of(plan.result, a.type()));
  const bool checked = looked == &a.backend();  // who moves may let others write
  if (element_count(plan.result) == 0) return make_array(a.backend(), a.type(), plan.result, strides);
  SmallVector<const Array*, 4> in{&plan.view};
  for (const Array& i : plan.index) in.push_back(&i);
  const Array seen = record_call(a.backend(), Gather{plan.site(function), checked}, in, a.type(),
                                 plan.seen_first(plan.result), plan.seen_first(strides));
  return value_if_0d(seen.view(plan.result, strides));
}

void set_advanced(const Array& a, Index given, const Value& value, const char* function) {
  if (!a.writeable()) throw_read_only();
  if (scattered_now(a, given, value)) return;
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return set_basic(a, index, value);
  if (is_whole_mask(a, index)) return masked_fill(a, *index[0].array, value);
  bring_together(a, index, &value);
  Plan plan = make_plan(a, index, &value);
  const Array v = plan.value_for(a, value, a.type());
  plan.check_known(a, function);
  if (plan.index.empty()) {
    if (element_count(plan.result) != 0) assign(plan.plain_view(), Input(v));
    return;
  }
  if (element_count(plan.broadcast) == 0) return;
  plan.detach_index(a);
  BackendCall call(plan.arrays(&v));
  const std::vector<View> in = plan.readable_with_index(plan.seen_first(v));
  const View to = writable(plan.view);
  plan.check(call(Scatter{plan.site(function)}, in, to), function);
}

}  // namespace cuprum::ops
