#include "ops/index_plan.h"

#include <array>
#include <string>

#include "expr/engine.h"
#include "expr/layout.h"
#include "ops/index_advanced.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

/// A dimension of size 0 fits everything, as in NumPy: it names nothing.
void check_mask(const Array& a, const Array& mask, int axis) {
  for (int d = 0; d < mask.ndim(); ++d) {
    if (mask.shape()[d] == a.shape()[axis + d] || mask.shape()[d] == 0) continue;
    throw IndexError("boolean index did not match indexed array along axis " + std::to_string(axis + d) +
                     "; size of axis is " + std::to_string(a.shape()[axis + d]) +
                     " but size of corresponding boolean axis is " + std::to_string(mask.shape()[d]));
  }
}

namespace {

using Kind = IndexItem::Kind;

int dimensions_used(const IndexItem& item) {
  switch (item.kind) {
    case Kind::integer:
    case Kind::slice: return 1;
    case Kind::array: return is_bool(item.array->type()) ? item.array->ndim() : 1;
    default: return 0;
  }
}

void check_index_dtype(const Array& a) {
  if (!is_bool(a.type()) && !is_integer(a.type())) {
    throw IndexError("arrays used as indices must be of integer (or boolean) type");
  }
}

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
  explicit Planner(const Array& a) : a_(a), late_(!a.backend().host_accessible()), offset_(a.offset()) {}

  void read(Index index) {
    int used = 0, ellipses = 0;
    for (const IndexItem& item : index) {
      if (item.kind == Kind::array) check_index_dtype(*item.array);
      used += dimensions_used(item);
      ellipses += item.kind == Kind::ellipsis;
    }
    if (ellipses > 1) throw IndexError("an index can only have a single ellipsis ('...')");
    if (used > a_.ndim()) throw_too_many_indices(a_.ndim(), used);
    for (const IndexItem& item : index) add(item, a_.ndim() - used);
    keep(a_.ndim() - axis_);
  }

  Plan finish() {
    plan_.broadcast = broadcast_indices();
    for (Array& index : plan_.index) {
      if (!(index.shape() == plan_.broadcast)) index = broadcast_to(index, plan_.broadcast);
    }
    const int ndim = static_cast<int>(plan_.broadcast.size() + shape_.size());
    if (ndim > kMaxDims || ndim + static_cast<int>(indexed_shape_.size()) > kMaxDims + kMaxDims) {
      throw IndexError("number of dimensions must be within [0, " + std::to_string(kMaxDims) +
                       "], indexing result would have " + std::to_string(ndim));
    }
    for (int d = 0; d < plan_.position; ++d) plan_.result.push_back(shape_[d]);
    for (std::int64_t d : plan_.broadcast) plan_.result.push_back(d);
    for (std::size_t d = plan_.position; d < shape_.size(); ++d) plan_.result.push_back(shape_[d]);
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      indexed_shape_.push_back(shape_[d]);
      indexed_strides_.push_back(strides_[d]);
    }
    plan_.view = a_.view(std::move(indexed_shape_), std::move(indexed_strides_), offset_);
    return std::move(plan_);
  }

 private:
  void add(const IndexItem& item, int left) {
    switch (item.kind) {
      case Kind::integer:
        note_indexed();
        offset_ += check_index(item.start, a_.shape()[axis_], axis_) * a_.strides()[axis_];
        ++axis_;
        return;
      case Kind::array:
        note_indexed();
        if (is_bool(item.array->type())) return add_mask(*item.array);
        if (late_) plan_.known.emplace_back(axis_, known_values(*item.array));
        return add_index(record_cast(*item.array, dtype::int64));
      case Kind::slice: {
        const Range r = clip_slice(item.start, item.stop, item.step, a_.shape()[axis_]);
        if (r.count > 0) offset_ += r.start * a_.strides()[axis_];
        shape_.push_back(r.count);
        strides_.push_back(r.count > 1 ? a_.strides()[axis_] * item.step : a_.strides()[axis_]);
        ++axis_;
        break;
      }
      case Kind::newaxis:
        shape_.push_back(1);
        strides_.push_back(0);
        break;
      case Kind::ellipsis: keep(left); break;
    }
    gap_ = seen_;
  }

  /// The dimensions of B stand where the first indexed one stood, or first if others come between.
  void note_indexed() {
    if (!seen_) plan_.position = static_cast<int>(shape_.size());
    if (gap_) plan_.position = 0;
    seen_ = true;
  }

  void add_index(Array index) {
    indexed_shape_.push_back(a_.shape()[axis_]);
    indexed_strides_.push_back(a_.strides()[axis_]);
    plan_.axes.push_back(axis_++);
    shapes_.push_back(index.shape());
    plan_.index.push_back(std::move(index));
  }

  void add_mask(const Array& mask) {
    if (mask.ndim() == 0) {  // true: a dimension of size 1; false: of size 0
      shapes_.push_back(Dims{to_truth(mask) ? 1 : 0});
      return;
    }
    check_mask(a_, mask, axis_);
    const Array positions = true_coordinates(mask);
    for (int d = 0; d < mask.ndim(); ++d) {
      add_index(basic_index(positions, std::array{IndexItem::all(), IndexItem::at(d)}));
    }
  }

  void keep(int count) {
    for (; count > 0; --count, ++axis_) {
      shape_.push_back(a_.shape()[axis_]);
      strides_.push_back(a_.strides()[axis_]);
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
  std::int64_t offset_;
  int axis_ = 0;                     // of a_
  bool seen_ = false, gap_ = false;  // an indexed dimension; something else after it
  Dims shape_, strides_;             // of the dimensions that stay
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

Array Plan::new_result() const {
  const std::size_t indexed = index.size(), nb = broadcast.size();
  const auto item = static_cast<std::int64_t>(view.itemsize());
  const Dims row(view.shape().begin() + indexed, view.shape().end());
  const Dims row_strides(view.strides().begin() + indexed, view.strides().end());
  const Dims* votes[] = {&row_strides};
  const Dims inner = result_strides(row, votes, item, 'K');
  const Dims outer = contiguous_strides(broadcast, item * element_count(row));
  Dims strides(inner.begin(), inner.begin() + position);
  for (std::size_t d = 0; d < nb; ++d) strides.push_back(outer[d]);
  for (std::size_t d = position; d < inner.size(); ++d) strides.push_back(inner[d]);
  return make_array(view.backend(), view.type(), result, strides);
}

Array Plan::seen_first(const Array& a) const {
  if (position == 0) return a;
  Dims order;
  const int nb = static_cast<int>(broadcast.size());
  for (int d = 0; d < nb; ++d) order.push_back(position + d);
  for (int d = 0; d < a.ndim(); ++d) {
    if (d < position || d >= position + nb) order.push_back(d);
  }
  return transpose(a, order);
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
  Array v = to_array(value, type, target.backend());
  while (v.ndim() > static_cast<int>(result.size()) && v.shape()[0] == 1) v = squeeze(v, Dims{0});
  const std::size_t lead = result.size() - v.shape().size();
  bool fits = v.shape().size() <= result.size();
  for (std::size_t d = 0; fits && d < v.shape().size(); ++d) {
    fits = v.shape()[d] == 1 || v.shape()[d] == result[lead + d];
  }
  if (!fits) {
    throw ValueError("shape mismatch: value array of shape " + shape_text(value.shape()) +
                     " could not be broadcast to indexing result of shape " + shape_text(result));
  }
  return broadcast_to(detached(v, target), result);
}

void Plan::detach_index(const Array& target) {
  for (Array& i : index) i = detached(i, target);
}

void Plan::check(const IndexFault& fault, const char* function) const {
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
