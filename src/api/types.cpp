#include "cuprum/types.h"

#include <complex>

#include "api/handle.h"
#include "core/common_shape.h"
#include "core/promotion.h"
#include "core/type_facts.h"
#include "expr/host_copy.h"
#include "expr/overlap.h"
#include "ops/bits.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

dtype smallest_type_of(const array& a) {
  if (is_bool(a.type())) return dtype::bool_;
  if (is_complex(a.type())) return smallest_type(a.item<std::complex<double>>());
  if (is_floating(a.type())) return smallest_type(a.item<double>());
  return is_unsigned_integer(a.type()) ? smallest_type(a.item<std::uint64_t>())
                                       : smallest_type(a.item<std::int64_t>());
}

}  // namespace

dtype promote_types(const dtype& a, const dtype& b) {
  const OperandType both[] = {{a}, {b}};
  return result_type(std::span<const OperandType>(both));
}
dtype result_type(const std::vector<operand>& operands) {
  if (operands.empty()) throw ValueError("cuprum.result_type: at least one array or dtype is required");
  std::vector<OperandType> types;
  for (const operand& o : operands) types.push_back(operand_access::value(o).operand_type());
  return result_type(std::span<const OperandType>(types));
}
bool can_cast(dtype from, dtype to, const std::string& casting) {
  return can_cast(from, to, parse_casting(casting.c_str()));
}
dtype common_type(const std::vector<array>& arrays) {
  std::vector<dtype> types;
  for (const array& a : arrays) types.push_back(a.type());
  return common_type(std::span<const dtype>(types));
}
dtype min_scalar_type(const operand& value) {
  const Value v = operand_access::value(value);
  switch (v.kind()) {
    case Value::Kind::array:
      return v.array().ndim() != 0 ? v.array().type() : smallest_type_of(array(v.array()));
    case Value::Kind::scalar: return dtype::bool_;
    case Value::Kind::weak_int:
      return v.is_negative() ? smallest_type(static_cast<std::int64_t>(v.integer()))
                             : smallest_type(static_cast<std::uint64_t>(v.integer()));
    case Value::Kind::weak_float: return smallest_type(v.real());
    case Value::Kind::weak_complex: return smallest_type(std::complex<double>(v.real(), v.imag()));
  }
  throw TypeError("cuprum.min_scalar_type: an operand without a kind");
}

finfo::finfo(cuprum::dtype type) : dtype(real_type(type)) {
  const FloatFacts f = float_facts(type);
  bits = f.bits;
  nmant = f.nmant;
  precision = f.precision;
  eps = f.eps;
  epsneg = f.epsneg;
  max = f.max;
  min = -f.max;
  smallest_normal = tiny = f.tiny;
  smallest_subnormal = f.smallest_subnormal;
  resolution = f.resolution;
}
iinfo::iinfo(cuprum::dtype type) : dtype(type) {
  if (!is_integer(type))
    throw ValueError(std::string("cuprum.iinfo: Invalid integer data type '") + name(type) + "'.");
  const IntegerRange range = integer_range(type);
  bits = static_cast<int>(itemsize(type)) * 8;
  min = range.min;
  max = range.max;
}

shape_type broadcast_shapes(const std::vector<shape_type>& shapes) {
  std::vector<Dims> all;
  for (const shape_type& shape : shapes) all.push_back(to_dims(shape));
  const Dims result = common_shape("broadcast_shapes", all);
  return shape_type(result.begin(), result.end());
}
bool iscomplexobj(const array& a) { return is_complex(a.type()); }
bool isrealobj(const array& a) { return !is_complex(a.type()); }
bool isfortran(const array& a) { return of(a).f_contiguous() && !of(a).c_contiguous(); }
bool shares_memory(const array& a, const array& b, std::int64_t max_work) {
  const Overlap found = memory_overlap(of(a), of(b), max_work);
  if (found == Overlap::too_hard) throw ValueError("cuprum.shares_memory: Exceeded max_work");
  return found == Overlap::yes;
}
bool may_share_memory(const array& a, const array& b, std::int64_t max_work) {
  return memory_overlap(of(a), of(b), max_work) != Overlap::no;
}

array packbits(const array& a, std::optional<std::int64_t> axis, const std::string& bitorder) {
  return array(ops::packbits(of(a), axis, bitorder));
}
array unpackbits(const array& a, const unpackbits_options& o) {
  return array(ops::unpackbits(of(a), o.axis, o.count, o.bitorder));
}

}  // namespace cuprum
