#include "ops/vector_products.h"

#include <array>
#include <string>
#include <vector>

#include "core/common_shape.h"
#include "core/promotion.h"
#include "core/texts.h"
#include "ops/basic_index.h"
#include "ops/contraction.h"
#include "ops/elementwise.h"
#include "ops/join.h"
#include "ops/linalg.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// A generalised ufunc of two inputs, as NumPy names it in errors.
struct Gufunc {
  const char* name;
  const char* signature;
  int core[2];    // dimensions that it works along
  int shared[2];  // which of them must agree
};

/// Both operands in one dtype.
struct OneType {
  Array a, b;
};

std::int64_t core_length(const Array& x, int core, int place) { return x.shape()[x.ndim() - core + place]; }

OneType checked_operands(const Gufunc& f, const Array& a, const Array& b) {
  const Array* const operands[] = {&a, &b};
  for (int i = 0; i < 2; ++i) {
    if (operands[i]->ndim() >= f.core[i]) continue;
    throw ValueError(prefix(f.name) + "Input operand " + std::to_string(i) +
                     " does not have enough dimensions (has " + std::to_string(operands[i]->ndim()) +
                     ", gufunc core with signature " + f.signature + " requires " +
                     std::to_string(f.core[i]) + ")");
  }
  const std::int64_t first = core_length(a, f.core[0], f.shared[0]),
                     second = core_length(b, f.core[1], f.shared[1]);
  if (first != second) {
    throw ValueError(prefix(f.name) + "Input operand 1 has a mismatch in its core dimension " +
                     std::to_string(f.shared[1]) + ", with gufunc signature " + f.signature + " (size " +
                     std::to_string(second) + " is different from " + std::to_string(first) + ")");
  }
  const dtype type = promote_types(a.type(), b.type());
  return {record_cast(a, type), record_cast(b, type)};
}

Array conjugated(const Array& a) { return is_complex(a.type()) ? unary(Op::conjugate, a) : a; }

// -- Cross products -------------------------------------------------------------------------------------

using Components = std::vector<Array>;

/// NumPy names the parameter in front of the text.
int named_axis(const char* parameter, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) {
    throw AxisError(std::string("cuprum.cross: ") + parameter + ": axis " + std::to_string(axis) +
                    " is out of bounds for array of dimension " + std::to_string(ndim));
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

void check_lengths(std::int64_t a, std::int64_t b) {
  const auto fits = [](std::int64_t n) { return n == 2 || n == 3; };
  if (fits(a) && fits(b)) return;
  throw ValueError(
      "cuprum.cross: incompatible dimensions for cross product\n(dimension must be 2 or 3): given " +
      std::to_string(a) + " and " + std::to_string(b));
}

Dims without(Dims shape, int axis) {
  shape.erase(static_cast<std::size_t>(axis));
  return shape;
}

/// The components of vectors along an axis.
Components components(const Array& given, int axis, dtype type) {
  const Array x = record_cast(given, type);
  Components parts;
  for (std::int64_t i = 0; i < x.shape()[axis]; ++i)
    parts.push_back(squeeze(part(x, axis, i, 1), Dims{axis}));
  return parts;
}

/// A vector of two has a third component that is zero, and its products are left out.
Components cross_components(const Components& a, const Components& b) {
  const auto times = [](const Array& x, const Array& y) { return binary(Op::multiply, x, y); };
  const auto minus = [](const Array& x, const Array& y) { return binary(Op::subtract, x, y); };
  const Array last = minus(times(a[0], b[1]), times(a[1], b[0]));
  if (a.size() == 2 && b.size() == 2) return {last};
  if (a.size() == 2) return {times(a[1], b[2]), unary(Op::negative, times(a[0], b[2])), last};
  if (b.size() == 2) return {unary(Op::negative, times(a[2], b[1])), times(a[2], b[0]), last};
  return {minus(times(a[1], b[2]), times(a[2], b[1])), minus(times(a[2], b[0]), times(a[0], b[2])), last};
}

}  // namespace

Array vecdot(const Array& given_a, const Array& given_b) {
  const auto [a, b] = checked_operands({"vecdot", "(n),(n)->()", {1, 1}, {0, 0}}, given_a, given_b);
  return sum_of_products(conjugated(a), b, Dims{-1});
}

/// A stack of vectors with one matrix is one product of matrices.
Array matvec(const Array& given_a, const Array& given_b) {
  const auto [a, b] = checked_operands({"matvec", "(m,n),(n)->(m)", {2, 1}, {1, 0}}, given_a, given_b);
  if (b.ndim() == 1) return matmul(a, b);
  if (a.ndim() == 2) return matmul(b, transpose(a));
  return squeeze(matmul(a, expand_dims(b, Dims{-1})), Dims{-1});
}

Array vecmat(const Array& given_a, const Array& given_b) {
  const auto [given, b] = checked_operands({"vecmat", "(n),(n,m)->(m)", {1, 2}, {0, 0}}, given_a, given_b);
  const Array a = conjugated(given);
  if (a.ndim() == 1 || b.ndim() == 2) return matmul(a, b);
  return squeeze(matmul(expand_dims(a, Dims{-2}), b), Dims{-2});
}

Array cross(const Array& a, const Array& b, std::int64_t axisa, std::int64_t axisb, std::int64_t axisc) {
  if (a.ndim() < 1 || b.ndim() < 1) {
    throw ValueError("cuprum.cross: At least one array has zero dimension: given shapes " +
                     to_string(a.shape()) + " and " + to_string(b.shape()));
  }
  const int da = named_axis("axisa", axisa, a.ndim()), db = named_axis("axisb", axisb, b.ndim());
  check_lengths(a.shape()[da], b.shape()[db]);
  const dtype type = promote_types(a.type(), b.type());
  common_shape("cross", std::array{without(a.shape(), da), without(b.shape(), db)});
  const Components parts = cross_components(components(a, da, type), components(b, db, type));
  if (parts.size() == 1) return parts[0];
  return stack(parts, named_axis("axisc", axisc, parts[0].ndim() + 1));
}

}  // namespace cuprum::ops
