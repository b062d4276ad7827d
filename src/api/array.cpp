#include "cuprum/array.h"

#include <cstring>

#include "api/handle.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "ops/assign.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "runtime/devices.h"

namespace cuprum {

Value operand_access::value(const operand& o) {
  switch (o.kind_) {
    case operand::kind::array: return Value(o.array_->implementation());
    case operand::kind::boolean: return Value(Scalar::of(dtype::bool_, o.integer_ != 0));
    case operand::kind::integer:
      return Value::integer(o.is_unsigned_ ? static_cast<int128>(static_cast<std::uint64_t>(o.integer_))
                                           : o.integer_);
    case operand::kind::floating: return Value::floating(o.real_);
    case operand::kind::complex: return Value::complex(o.real_, o.imag_);
  }
  throw TypeError("cuprum: an operand without a kind");
}

void operand_access::release(const operand& o) {
  if (o.temporary_) o.array_->forget();
}

ops::IndexItem index_access::item(const index_item& i) {
  using ops::IndexItem;
  switch (i.kind_) {
    case index_item::kind::integer: return IndexItem::at(i.integer_);
    case index_item::kind::slice: {
      const bool back = i.slice_.step < 0;
      return IndexItem::range(i.slice_.start.value_or(back ? IndexItem::kEnd : IndexItem::kBegin),
                              i.slice_.stop.value_or(back ? IndexItem::kBegin : IndexItem::kEnd),
                              i.slice_.step);
    }
    case index_item::kind::newaxis: return IndexItem::newaxis();
    case index_item::kind::ellipsis: return IndexItem::ellipsis();
    case index_item::kind::array: return IndexItem::by(i.array_->implementation());
  }
  throw TypeError("cuprum: an index without a kind");
}

// -- Life -----------------------------------------------------------------------------------------------

array::array(Array implementation) : implementation_(std::make_unique<Array>(std::move(implementation))) {}
array::array() : array(ops::zeros({}, dtype::float64, 'C', default_backend())) {}
array::array(const array& other) : array(Array(other.implementation())) {}
array::array(array&& other) noexcept = default;
array& array::operator=(const array& other) {
  if (this != &other) implementation_ = std::make_unique<Array>(other.implementation());
  return *this;
}
array& array::operator=(array&& other) noexcept = default;
array::~array() = default;

struct array::unread {
  unread(const array& owner, const std::vector<index_item>& items) : owner(owner.implementation()) {
    arrays.reserve(items.size());  // the items of the index point to them
    for (const index_item& i : items) {
      index.push_back(index_access::item(i));
      if (index.back().array) index.back().array = &arrays.emplace_back(*index.back().array);
    }
  }

  Array owner;
  std::vector<Array> arrays;  // of the index: it may outlive the statement that it was written in
  std::vector<ops::IndexItem> index;
};

array::array(std::shared_ptr<const unread> elements) : elements_(std::move(elements)) {}

void array::read() const {
  if (!elements_) throw ValueError("cuprum::array: the array was moved from; assign to it before it is used");
  implementation_ = std::make_unique<Array>(ops::get_item(elements_->owner, elements_->index));
}

void array::forget() const { implementation_.reset(); }

// -- Braced lists ---------------------------------------------------------------------------------------

void array::level(flat_list& list, std::size_t extent, std::size_t depth) {
  const auto length = static_cast<std::int64_t>(extent);
  if (depth == list.shape.size()) list.shape.push_back(length);
  if (list.shape[depth] == length) return;
  throw ValueError("cuprum::array: the rows of a braced list have " + std::to_string(list.shape[depth]) +
                   " and " + std::to_string(length) + " items; all rows must be of one length");
}

array::array(const flat_list& list, dtype type)
    : array(record_cast(from_bytes(list.bytes.data(), list.type, list.shape).implementation(), type)) {}

// -- Exchange with the host -----------------------------------------------------------------------------

array array::from_bytes(const void* data, dtype type, const shape_type& shape) {
  Array a = ops::empty(to_dims(shape), type, 'C', default_backend());
  upload(a, data);
  return array(std::move(a));
}

array array::from_strided(const void* data, dtype type, const shape_type& shape, const shape_type& strides) {
  const Dims dims = to_dims(shape), steps = to_dims(strides);
  const auto item = static_cast<std::int64_t>(itemsize(type));
  if (is_c_contiguous(dims, steps, item)) return from_bytes(data, type, shape);
  std::int64_t count = 1;
  for (const std::int64_t extent : dims) count *= extent;
  std::vector<std::byte> packed(static_cast<std::size_t>(count * item));
  Dims at(dims.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t from = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) from += at[d] * steps[d];
    std::memcpy(packed.data() + i * item, static_cast<const std::byte*>(data) + from,
                static_cast<std::size_t>(item));
    for (std::size_t d = dims.size(); d-- > 0 && ++at[d] == dims[d];) at[d] = 0;
  }
  return from_bytes(packed.data(), type, shape);
}

void array::to_bytes(void* to, dtype type) const {
  if (type != this->type()) {
    throw TypeError(std::string("cuprum::array::to_host: the array has dtype ") + name(this->type()) +
                    ", not " + name(type) + "; write a.astype(...).to_host<...>()");
  }
  copy_to_host(implementation(), to);
}

void array::item_bytes(void* to, dtype type) const {
  if (size() != 1) {
    throw ValueError("cuprum::array::item: the array has " + std::to_string(size()) + " elements, not one");
  }
  copy_to_host(record_cast(implementation(), type), to);
}
bool array::truth() const {
  if (size() == 0)
    throw ValueError("cuprum::array: an empty array is neither true nor false; ask size() > 0");
  if (size() > 1) {
    throw ValueError("cuprum::array: the truth value of an array with " + std::to_string(size()) +
                     " elements is ambiguous; write cp::any(a) or cp::all(a)");
  }
  return item<bool>();
}

// -- What it is -----------------------------------------------------------------------------------------

dtype array::type() const { return implementation().type(); }
shape_type array::shape() const { return {implementation().shape().begin(), implementation().shape().end()}; }
shape_type array::strides() const {
  return {implementation().strides().begin(), implementation().strides().end()};
}
int array::ndim() const { return implementation().ndim(); }
std::int64_t array::size() const { return implementation().size(); }
std::size_t array::nbytes() const { return implementation().nbytes(); }
bool array::is_pending() const { return cuprum::is_pending(implementation()); }

// -- Conversions and views ------------------------------------------------------------------------------

array array::astype(dtype type) const { return array(record_copy(implementation(), type)); }
array array::copy() const { return array(record_copy(implementation(), type())); }
array array::reshape(const shape_type& shape) const {
  return array(ops::reshape(implementation(), to_dims(shape)));
}
array array::transpose(const axes_type& axes) const {
  return array(axes.empty() ? ops::transpose(implementation())
                            : ops::transpose(implementation(), to_dims(axes)));
}
void array::fill(const operand& value) {
  ops::assign_value("array::fill", implementation(), operand_access::value(value));
}

// -- Writing --------------------------------------------------------------------------------------------

#define CUPRUM_IN_PLACE(symbol, operation)                                   \
  const array& array::operator symbol(const operand& b) const {              \
    ops::inplace(Op::operation, implementation(), operand_access::value(b)); \
    return *this;                                                            \
  }
CUPRUM_IN_PLACE(+=, add)
CUPRUM_IN_PLACE(-=, subtract)
CUPRUM_IN_PLACE(*=, multiply)
CUPRUM_IN_PLACE(/=, divide)
CUPRUM_IN_PLACE(%=, remainder)
CUPRUM_IN_PLACE(&=, bitwise_and)
CUPRUM_IN_PLACE(|=, bitwise_or)
CUPRUM_IN_PLACE(^=, bitwise_xor)
CUPRUM_IN_PLACE(<<=, left_shift)
CUPRUM_IN_PLACE(>>=, right_shift)
#undef CUPRUM_IN_PLACE

namespace {

void set(const Array& a, ops::Index index, const Value& value) {
  if (!value.is_array()) return ops::set_item(a, index, value.to_scalar(a.type()));
  ops::set_item(a, index, ops::passing(value.array()));
}

}  // namespace

element_reference::element_reference(const array& owner, const std::vector<index_item>& index)
    : array(std::make_shared<const unread>(owner, index)) {}
element_reference::element_reference(const element_reference& other) : array(other.elements()) {}

const element_reference& element_reference::operator=(const operand& value) const {
  set(elements()->owner, elements()->index, operand_access::value(value));
  forget();
  return *this;
}
const element_reference& element_reference::operator=(const element_reference& value) const {
  return *this = operand(value);
}

#define CUPRUM_UPDATE(symbol, operation)                                                \
  const element_reference& element_reference::operator symbol(const operand& b) const { \
    const Array old = ops::get_item(elements()->owner, elements()->index);              \
    return *this = array(ops::binary(Op::operation, old, operand_access::value(b)));    \
  }
CUPRUM_UPDATE(+=, add)
CUPRUM_UPDATE(-=, subtract)
CUPRUM_UPDATE(*=, multiply)
CUPRUM_UPDATE(/=, divide)
CUPRUM_UPDATE(%=, remainder)
CUPRUM_UPDATE(&=, bitwise_and)
CUPRUM_UPDATE(|=, bitwise_or)
CUPRUM_UPDATE(^=, bitwise_xor)
CUPRUM_UPDATE(<<=, left_shift)
CUPRUM_UPDATE(>>=, right_shift)
#undef CUPRUM_UPDATE

row_iterator array::begin() const {
  if (ndim() == 0) throw TypeError("cuprum::array: iteration over a 0-d array; write a.item<T>()");
  return {*this, 0};
}
row_iterator array::end() const { return {*this, ndim() == 0 ? 0 : implementation().shape()[0]}; }

}  // namespace cuprum
