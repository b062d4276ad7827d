#include "ops/index_plan.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/inline_vector.h"
#include "core/layout.h"
#include "expr/engine.h"
#include "expr/record.h"
#include "ops/assign.h"
#include "ops/index_mask.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

using Kind = IndexItem::Kind;

void check_at(std::int64_t i, std::int64_t n, int axis, const char* function) {
  try {
    check_index(i, n, axis);
  } catch (IndexError& error) {
    note_place(error, function);
    throw;
  }
}

/// Builds a Plan item by item.
class Planner {
 public:
  explicit Planner(const Array& a) : a_(a), late_(!a.backend().host_accessible()), basic_(a) {}

  void read(Index index) {
    basic_.read(index, [this](const IndexItem& item) { visit(item); });
  }

  Plan finish() {
    const Dims &shape = basic_.shape, &strides = basic_.strides;
    plan_.broadcast = broadcast_indices();
    for (Array& index : plan_.index) {
      if (!(index.shape() == plan_.broadcast)) index = broadcast_to(index, plan_.broadcast);
    }
    check_result_ndim(plan_.broadcast.size() + shape.size());
    for (int d = 0; d < plan_.position; ++d) plan_.result.push_back(shape[d]);
    for (std::int64_t d : plan_.broadcast) plan_.result.push_back(d);
    for (std::size_t d = plan_.position; d < shape.size(); ++d) plan_.result.push_back(shape[d]);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      indexed_shape_.push_back(shape[d]);
      indexed_strides_.push_back(strides[d]);
    }
    plan_.view = a_.view(std::move(indexed_shape_), std::move(indexed_strides_), basic_.offset);
    return std::move(plan_);
  }

 private:
  void visit(const IndexItem& item) {
    if (item.kind != Kind::array && item.kind != Kind::integer) {
      gap_ = seen_;
      return;
    }
    note_indexed();
    if (item.kind == Kind::integer) return;
    if (is_bool(item.array->type())) return add_mask(*item.array);
    plan_.given = true;
    if (late_) plan_.known.emplace_back(basic_.axis, known_values(*item.array));
    add_index(record_cast(*item.array, dtype::int64));
  }

  /// The dimensions of B stand where the first indexed one stood, or first if others come between.
  void note_indexed() {
    if (!seen_) plan_.position = static_cast<int>(basic_.shape.size());
    if (gap_) plan_.position = 0;
    seen_ = true;
  }

  void add_index(Array index) {
    indexed_shape_.push_back(a_.shape()[basic_.axis]);
    indexed_strides_.push_back(a_.strides()[basic_.axis]);
    plan_.axes.push_back(basic_.axis++);
    shapes_.push_back(index.shape());
    plan_.index.push_back(std::move(index));
  }

  void add_mask(const Array& mask) {
    if (mask.ndim() == 0) {  // true: a dimension of size 1; false: of size 0
      shapes_.push_back(Dims{to_truth(mask) ? 1 : 0});
      return;
    }
    check_mask(a_, mask, basic_.axis);
    const Array positions = true_coordinates(mask);
    for (int d = 0; d < mask.ndim(); ++d) {
      add_index(basic_index(positions, std::array{IndexItem::all(), IndexItem::at(d)}));
    }
  }

  Dims broadcast_indices() const {
    try {
      return broadcast_shapes("ndarray.__getitem__", shapes_.data(), static_cast<int>(shapes_.size()));
    } catch (const ValueError&) {
      std::string text = "shape mismatch: indexing arrays could not be broadcast together with shapes ";
      for (const Dims& s : shapes_) text += shape_text(s) + " ";
      throw IndexError(text);
    }
  }

  const Array& a_;
  bool late_;  // does the backend find bad indices after the call?
  Plan plan_;
  IndexReader basic_;                // what the other items leave of the dimensions
  bool seen_ = false, gap_ = false;  // an indexed dimension; something else after it
  Dims indexed_shape_, indexed_strides_;
  std::vector<Dims> shapes_;  // of the index arrays, and of 0-d masks
};

}  // namespace

Plan make_plan(const Array& a, Index index, const Value* stored) {
  Planner planner(a);
  planner.read(index);
  if (stored && !stored->is_array()) stored->to_scalar(a.type());
  return planner.finish();
}

void check_items(const Array& a, Index index) { Planner(a).read(index); }

Dims Plan::new_strides(char order) const {
  const std::size_t indexed = index.size(), nb = broadcast.size();
  const auto item = static_cast<std::int64_t>(view.itemsize());
  if (order == 'C') return contiguous_strides(result, item);
  const Dims row(view.shape().begin() + indexed, view.shape().end());
  const Dims row_strides(view.strides().begin() + indexed, view.strides().end());
  const Dims* votes[] = {&row_strides};
  const Dims inner = result_strides(row, votes, item, 'K');
  const Dims outer = contiguous_strides(broadcast, item * element_count(row));
  Dims strides(inner.begin(), inner.begin() + position);
  for (std::size_t d = 0; d < nb; ++d) strides.push_back(outer[d]);
  for (std::size_t d = position; d < inner.size(); ++d) strides.push_back(inner[d]);
  return strides;
}

Dims Plan::seen_first(const Dims& dims) const {
  if (position == 0) return dims;
  const std::int64_t *first = dims.begin() + position, *last = first + broadcast.size();
  Dims seen(first, last);
  for (const std::int64_t* d = dims.begin(); d != dims.end(); ++d) {
    if (d < first || d >= last) seen.push_back(*d);
  }
  return seen;
}

IndexSite Plan::site(const char* function) const {
  Backend& device = view.backend().known_as();
  const bool late = device.asynchronous && !current_stream(device).capture;
  return {function, axes, late ? Caller::current() : Ref<Caller>()};
}

bool Plan::check_now(const char* function) const {
  if (!given) return true;
  Backend& device = view.backend();
  const bool looks = device.host_accessible() || debugging() || element_count(result) == 0;
  if (!looks || current_stream(device).capture) return false;
  BackendCall call(device);
  const CheckIndices primitive{site(function), view.shape()};
  const auto is_same = [](const Array& a, const View& seen) { return a.storage()->buffer == seen.keep; };
  for (InlineVector<View, kMaxInputs> seen(index.size());;) {
    seen.clear();
    for (const Array& i : index) {
      if (&i.backend() != &device) throw_two_devices(device, i.backend());
      seen.emplace_back(readable(i.without_repeats()));
    }
    check(call(primitive, Operands(seen), View()), function);
    // Another thread may have given an array another name meanwhile.
    if (std::equal(index.begin(), index.end(), seen.begin(), is_same)) return true;
  }
}

SmallVector<const Array*, 6> Plan::arrays(const Array* value) const {
  SmallVector<const Array*, 6> all{&view};
  if (value) all.push_back(value);
  for (const Array& i : index) all.push_back(&i);
  return all;
}

Array Plan::plain_view() const {
  Dims shape = view.shape(), strides = view.strides();
  for (std::size_t d = 0; d < broadcast.size(); ++d) {
    shape.insert(position, broadcast[d]);
    strides.insert(position, 0);
  }
  return view.view(std::move(shape), std::move(strides), view.offset());
}

Array Plan::value_for(const Array& target, const Value& value, dtype type) const {
  const Array v = without_surplus(to_array(value, type, target.backend()), static_cast<int>(result.size()));
  if (!broadcasts_to(v.shape(), result)) {
    throw ValueError("shape mismatch: value array of shape " + shape_text(value.shape()) +
                     " could not be broadcast to indexing result of shape " + shape_text(result));
  }
  return broadcast_to(detached(v, target), result);
}

void Plan::detach_index(const Array& target) {
  for (Array& i : index) i = detached(i, target);
}

void Plan::check(const Fault& fault, const char* function) const {
  if (fault.axis < 0) return;
  check_at(fault.value, view.shape()[fault.axis], static_cast<int>(axes[fault.axis]), function);
}

void Plan::check_known(const Array& indexed, const char* function) const {
  if (element_count(broadcast) == 0) return;
  for (const auto& [axis, values] : known) {
    for (std::int64_t i : values) check_at(i, indexed.shape()[axis], axis, function);
  }
}

std::vector<View> Plan::readable_with_index(const Array& first) const {
  std::vector<View> views;
  views.push_back(first ? readable(first) : View());
  for (const Array& a : index) views.push_back(readable(a));
  return views;
}

ScalarsRead::ScalarsRead(Index index) : items_(index.begin(), index.end()) {
  for (IndexItem& item : items_) {
    if (item.kind != Kind::array || item.array->ndim() != 0 || !is_integer(item.array->type())) continue;
    item = IndexItem::at(to_integer(*item.array));
  }
}

}  // namespace cuprum::ops
