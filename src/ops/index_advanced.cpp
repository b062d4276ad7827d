// Indexing with arrays. An index is first made a plan:
//   1. boolean arrays become the integer arrays of their true positions;
//   2. integers, slices and newaxis are applied as a view, in which the dimensions that arrays index come first;
//   3. index arrays are broadcast together to the shape B.
// Then one gather or scatter over the view does the work, for every mixture.
#include "ops/index_advanced.h"

#include <array>
#include <string>

#include "core/resolve.h"
#include "expr/engine.h"
#include "expr/layout.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

using Kind = IndexItem::Kind;

struct Plan {
  Array view;                // dimensions: the indexed ones, then the others
  std::vector<Array> index;  // int64, each of shape `broadcast`
  Dims axes;                 // the axis of the array that each index stands for, for messages
  Dims broadcast;            // B
  int position = 0;          // where B stands among the other dimensions of the result
  Dims result;               // the shape of the result

  int others() const { return view.ndim() - static_cast<int>(index.size()); }

  /// A result-shaped array seen with B first, as gather and scatter want it.
  Array seen_first(const Array& a) const {
    if (position == 0) return a;
    Dims order;
    const int nb = static_cast<int>(broadcast.size());
    for (int d = 0; d < nb; ++d) order.push_back(position + d);
    for (int d = 0; d < a.ndim(); ++d) {
      if (d < position || d >= position + nb) order.push_back(d);
    }
    return transpose(a, order);
  }
};

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

/// A dimension of size 0 fits everything, as in NumPy: it names nothing.
void check_mask(const Array& a, const Array& mask, int axis) {
  for (int d = 0; d < mask.ndim(); ++d) {
    if (mask.shape()[d] == a.shape()[axis + d] || mask.shape()[d] == 0) continue;
    throw IndexError("boolean index did not match indexed array along axis " + std::to_string(axis + d) +
                     "; size of axis is " + std::to_string(a.shape()[axis + d]) +
                     " but size of corresponding boolean axis is " + std::to_string(mask.shape()[d]));
  }
}

/// Builds a Plan item by item.
class Planner {
 public:
  explicit Planner(const Array& a) : a_(a), offset_(a.offset()) {}

  Plan run(Index index) {
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
    return finish();
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
    for (int d = 0; d < mask.ndim(); ++d) add_index(basic_index(positions, std::array{IndexItem::at(d)}));
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

  const Array& a_;
  Plan plan_;
  std::int64_t offset_;
  int axis_ = 0;                     // of a_
  bool seen_ = false, gap_ = false;  // an indexed dimension; something else after it
  Dims shape_, strides_;             // of the dimensions that stay
  Dims indexed_shape_, indexed_strides_;
  std::vector<Dims> shapes_;  // of the index arrays, and of 0-d masks
};

std::vector<View> readable_all(const std::vector<Array>& arrays) {
  std::vector<View> views;
  for (const Array& a : arrays) views.push_back(readable(a));
  return views;
}

void check_fault(const Plan& plan, const IndexFault& fault) {
  if (fault.axis < 0) return;
  check_index(fault.value, plan.view.shape()[fault.axis], static_cast<int>(plan.axes[fault.axis]));
}

/// `value` as an array of dtype `type` that broadcasts to the plan's result.
Array value_for(const Plan& plan, const Array& target, const Value& value, dtype type) {
  Array v = to_array(value, type, target.backend());
  while (v.ndim() > static_cast<int>(plan.result.size()) && v.shape()[0] == 1) v = squeeze(v, Dims{0});
  const std::size_t lead = plan.result.size() - v.shape().size();
  bool fits = v.shape().size() <= plan.result.size();
  for (std::size_t d = 0; fits && d < v.shape().size(); ++d) {
    fits = v.shape()[d] == 1 || v.shape()[d] == plan.result[lead + d];
  }
  if (!fits) {
    throw ValueError("shape mismatch: value array of shape " + shape_text(value.shape()) +
                     " could not be broadcast to indexing result of shape " + shape_text(plan.result));
  }
  return broadcast_to(detached(v, target), plan.result);
}

/// Index arrays that lie in the storage about to be written are read before.
void detach_index(Plan& plan, const Array& target) {
  for (Array& index : plan.index) index = detached(index, target);
}

bool is_whole_mask(const Array& a, Index index) {
  return index.size() == 1 && index[0].kind == Kind::array && is_bool(index[0].array->type()) &&
         index[0].array->shape() == a.shape() && a.ndim() > 0;
}

/// The index with 0-d integer arrays read: NumPy takes them for integers.
class ScalarsRead {
 public:
  explicit ScalarsRead(Index index) : items_(index.begin(), index.end()) {
    for (IndexItem& item : items_) {
      if (item.kind != Kind::array || item.array->ndim() != 0 || !is_integer(item.array->type())) continue;
      item = IndexItem::at(to_integer(*item.array));
    }
  }
  operator Index() const { return {items_.data(), items_.size()}; }

 private:
  SmallVector<IndexItem, 4> items_;
};

/// The view with B's dimensions of size 1, for indices of integers and 0-d masks alone.
Array plain_view(const Plan& plan) {
  Dims shape = plan.view.shape(), strides = plan.view.strides();
  for (std::size_t d = 0; d < plan.broadcast.size(); ++d) {
    shape.insert(plan.position, plan.broadcast[d]);
    strides.insert(plan.position, 0);
  }
  return plan.view.view(std::move(shape), std::move(strides), plan.view.offset());
}

}  // namespace

bool is_advanced(Index index) {
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) return true;
  }
  return false;
}

Array true_coordinates(const Array& mask) {
  BackendCall call;
  const View view = readable(mask);
  Backend& backend = mask.backend();
  std::int64_t count = 0;
  call([&] { count = backend.count_true(view); });
  const Array rows = make_array(backend, dtype::int64, Dims{mask.ndim(), count});
  if (count > 0 && mask.ndim() > 0) {
    const View out = writable(transpose(rows));
    call([&] { backend.nonzero(view, out); });
  }
  return rows;
}

Array select(const Array& a, const Array& mask) {
  check_mask(a, mask, 0);
  BackendCall call;
  const View where = readable(mask), in = readable(a);
  Backend& backend = a.backend();
  std::int64_t count = 0;
  call([&] { count = backend.count_true(where); });
  const Array result = make_array(backend, a.type(), Dims{count});
  if (count > 0) {
    const View out = writable(result);
    call([&] { backend.select(in, where, out); });
  }
  return result;
}

void masked_fill(const Array& a, const Array& mask, const Value& value) {
  if (!a.writeable()) throw_read_only();
  check_mask(a, mask, 0);
  const std::int64_t given = value.shape().empty() ? 1 : value.shape()[0];
  if (value.shape().size() > 1) {
    throw TypeError(
        "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has " +
        std::to_string(value.shape().size()) + " dimensions");
  }
  if (!value.is_array() && a.covers_storage()) {  // stays pending: no mask in memory, and it fuses
    const Scalar scalar = value.to_scalar(a.type());
    const Input inputs[] = {mask, scalar, a};
    return assign(a, Op::where, *find_signature(Op::where, a.type()), inputs);
  }
  const Array v = detached(to_array(value, a.type(), a.backend()), a), m = detached(mask, a);
  BackendCall call;
  const View where = readable(m);
  View from = readable(given == 1 ? reshape(v, Dims{1}) : v);
  Backend& backend = a.backend();
  if (given != 1) {
    std::int64_t count = 0;
    call([&] { count = backend.count_true(where); });
    if (count != given) {
      throw ValueError("NumPy boolean array indexing assignment cannot assign " + std::to_string(given) +
                       " input values to the " + std::to_string(count) +
                       " output values where the mask is true");
    }
  } else {
    from.strides[0] = 0;
  }
  if (a.size() == 0) return;
  const View to = writable(a);
  call([&] { backend.masked_assign(to, where, from); });
}

Array get_advanced(const Array& a, Index given) {
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return value_if_0d(record_copy(basic_index(a, index), a.type()));
  if (is_whole_mask(a, index)) return select(a, *index[0].array);
  const Plan plan = Planner(a).run(index);
  if (plan.index.empty()) return record_copy(plain_view(plan), a.type(), 'C');
  check_shape("ndarray.__getitem__", plan.result, a.type());
  const Array result = make_array(a.backend(), a.type(), plan.result);
  if (element_count(plan.broadcast) == 0) return result;
  BackendCall call;
  const View from = readable(plan.view);
  const std::vector<View> at = readable_all(plan.index);
  const View out = writable(plan.seen_first(result));
  check_fault(plan, call([&] { return a.backend().gather(from, at, out); }));
  return value_if_0d(result);
}

void set_advanced(const Array& a, Index given, const Value& value) {
  if (!a.writeable()) throw_read_only();
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return set_item(a, index, value);
  if (is_whole_mask(a, index)) return masked_fill(a, *index[0].array, value);
  Plan plan = Planner(a).run(index);
  const Array v = value_for(plan, a, value, a.type());
  if (plan.index.empty()) {
    if (element_count(plan.result) != 0) assign(plain_view(plan), Input(v));
    return;
  }
  if (element_count(plan.broadcast) == 0) return;
  detach_index(plan, a);
  BackendCall call;
  const std::vector<View> at = readable_all(plan.index);
  const View from = readable(plan.seen_first(v));
  const View to = writable(plan.view);
  check_fault(plan, call([&] { return a.backend().scatter(to, at, from); }));
}

namespace {

/// The loop of ufunc.at over a target of dtype `type`: its result must come back under same_kind.
Signature fold_loop(Op& op, dtype type, const Value* value) {
  const char* ufunc = info(op).name;
  OperandType operands[2] = {{type}, {}};
  if (value) operands[1] = value->operand_type();
  const Signature loop = resolve_call(ufunc, op, {operands, value ? 2u : 1u});
  check_output_cast(ufunc, loop.out, type, Casting::same_kind);
  return loop;
}

}  // namespace

void fold_at(const Array& a, Index given, Op op, const Value* value) {
  if (!a.writeable()) throw_read_only();
  const Signature loop = fold_loop(op, a.type(), value);
  if (loop.in[0] != a.type() || loop.out != a.type()) {  // in the dtype of the loop, and back
    if (loop.in[0] != loop.out) {
      throw TypeError(std::string("cuprum.") + info(op).name + ".at: the loop from " + name(loop.in[0]) +
                      " to " + name(loop.out) + " cannot be repeated in place");
    }
    const Array work = record_copy(a, loop.in[0]);
    fold_at(work, given, op, value);
    return assign(a, Input(work));
  }
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) {  // nothing is named twice
    const Array view = basic_index(a, index);
    UfuncOptions options;
    options.out = &view;
    if (!value) return static_cast<void>(call(op, std::array{Value(view)}, options));
    return static_cast<void>(call(op, std::array{Value(view), *value}, options));
  }
  Plan plan = Planner(a).run(index);
  const Array v = value ? value_for(plan, a, to_array(*value, loop.in[1], a.backend()), loop.in[1]) : Array();
  if (element_count(plan.broadcast) == 0) return;
  detach_index(plan, a);
  if (plan.index.empty()) {
    const Array view = plain_view(plan);
    return fold_at(view, std::array{IndexItem::ellipsis()}, op, value);
  }
  BackendCall run;
  const std::vector<View> at = readable_all(plan.index);
  const View from = value ? readable(plan.seen_first(v)) : View();
  const View to = writable(plan.view);
  check_fault(plan, run([&] { return a.backend().scatter_fold(op, loop.key, to, at, from); }));
}

}  // namespace cuprum::ops
