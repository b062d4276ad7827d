#include "cuprum/array.h"

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
array::array(const array& other) : array(Array(*other.implementation_)) {}
array::array(array&& other) noexcept = default;
array& array::operator=(const array& other) {
  if (this != &other) implementation_ = std::make_unique<Array>(*other.implementation_);
  return *this;
}
array& array::operator=(array&& other) noexcept = default;
array::~array() = default;

// -- Exchange with the host -----------------------------------------------------------------------------

array array::from_bytes(const void* data, dtype type, const shape_type& shape) {
  Array a = ops::empty(to_dims(shape), type, 'C', default_backend());
  upload(a, data);
  return array(std::move(a));
}

void array::to_bytes(void* to, dtype type) const {
  if (type != this->type()) {
    throw TypeError(std::string("cuprum::array::to_host: the array has dtype ") + name(this->type()) +
                    ", not " + name(type) + "; write a.astype(...).to_host<...>()");
  }
  copy_to_host(*implementation_, to);
}

void array::item_bytes(void* to, dtype type) const {
  if (size() != 1) {
    throw ValueError("cuprum::array::item: the array has " + std::to_string(size()) + " elements, not one");
  }
  copy_to_host(record_cast(*implementation_, type), to);
}

// -- What it is -----------------------------------------------------------------------------------------

dtype array::type() const { return implementation_->type(); }
shape_type array::shape() const { return {implementation_->shape().begin(), implementation_->shape().end()}; }
shape_type array::strides() const {
  return {implementation_->strides().begin(), implementation_->strides().end()};
}
int array::ndim() const { return implementation_->ndim(); }
std::int64_t array::size() const { return implementation_->size(); }
std::size_t array::nbytes() const { return implementation_->nbytes(); }
bool array::is_pending() const { return cuprum::is_pending(*implementation_); }

// -- Conversions and views ------------------------------------------------------------------------------

array array::astype(dtype type) const { return array(record_copy(*implementation_, type)); }
array array::copy() const { return array(record_copy(*implementation_, type())); }
array array::reshape(const shape_type& shape) const {
  return array(ops::reshape(*implementation_, to_dims(shape)));
}
array array::transpose(const axes_type& axes) const {
  return array(axes.empty() ? ops::transpose(*implementation_)
                            : ops::transpose(*implementation_, to_dims(axes)));
}
void array::fill(const operand& value) {
  ops::assign_value("array::fill", *implementation_, operand_access::value(value));
}

// -- Writing --------------------------------------------------------------------------------------------

#define CUPRUM_IN_PLACE(symbol, operation)                                   \
  const array& array::operator symbol(const operand& b) const {              \
    ops::inplace(Op::operation, *implementation_, operand_access::value(b)); \
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

std::vector<ops::IndexItem> items(const std::vector<index_item>& index) {
  std::vector<ops::IndexItem> result;
  for (const index_item& i : index) result.push_back(index_access::item(i));
  return result;
}

void set(const Array& a, const std::vector<index_item>& index, const Value& value) {
  if (value.is_array())
    ops::set_item(a, items(index), value.array());
  else
    ops::set_item(a, items(index), value.to_scalar(a.type()));
}

}  // namespace

array element_reference::get() const { return array(ops::get_item(owner_.implementation(), items(index_))); }

const element_reference& element_reference::operator=(const operand& value) const {
  set(owner_.implementation(), index_, operand_access::value(value));
  return *this;
}

#define CUPRUM_UPDATE(symbol, operation)                                                             \
  const element_reference& element_reference::operator symbol(const operand& b) const {              \
    const Array old = ops::get_item(owner_.implementation(), items(index_));                         \
    set(owner_.implementation(), index_, ops::binary(Op::operation, old, operand_access::value(b))); \
    return *this;                                                                                    \
  }
CUPRUM_UPDATE(+=, add)
CUPRUM_UPDATE(-=, subtract)
CUPRUM_UPDATE(*=, multiply)
CUPRUM_UPDATE(/=, divide)
#undef CUPRUM_UPDATE

}  // namespace cuprum
