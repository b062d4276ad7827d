// Products. Everything becomes one batched matrix product of two operands of one dtype; what has no contracted
// dimension (outer, products with 0-d arrays) is recorded elementwise.
#include "ops/linalg.h"

#include <optional>
#include <string>

#include "core/layout.h"
#include "core/resolve.h"
#include "expr/overlap.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

constexpr const char* kSignature = "(n?,k),(k,m?)->(n?,m?)";

/// `a` as an operand of that dtype and shape. It is so already, mostly.
Array as_operand(const Array& a, dtype type, const Dims& shape) {
  if (a.type() == type && a.shape() == shape) return a;
  return broadcast_to(record_cast(a, type), shape);
}

/// Sum over the last dimension of `a` and the last but one of `b`, both of dtype `type` and at least 2-d, broadcast over
/// the others. `target` set: computed there.
Array multiply_matrices(const Array& a, const Array& b, dtype type, const Dims& batch, const Array* target) {
  Dims shape = batch, a_shape = batch, b_shape = batch;
  const std::int64_t n = a.shape()[a.ndim() - 2], k = a.shape().back(), m = b.shape().back();
  for (std::int64_t d : {n, m}) shape.push_back(d);
  for (std::int64_t d : {n, k}) a_shape.push_back(d);
  for (std::int64_t d : {k, m}) b_shape.push_back(d);
  check_shape("matmul", shape, type);
  if (k == 0) return full(shape, make_scalar(type, std::int64_t{0}), 'C', a.backend());
  if (element_count(shape) == 0) return target ? *target : make_array(a.backend(), type, shape);
  const Array left = as_operand(a, type, a_shape), right = as_operand(b, type, b_shape);
  if (!target) return record_dense(Matmul{}, {&left, &right}, type, shape);
  BackendCall call({&left, &right, target});
  const View x = readable(left), y = readable(right), out = writable(*target);
  call(Matmul{}, {x, y}, out);
  return *target;
}

/// The product of two short vectors that lie in the CPU's memory: the number, sooner computed than recorded. Nothing: they are
/// pending or elsewhere, or somebody captures or watches what is recorded.
std::optional<Array> product_now(const Array& a, const Array& b) {
  if (a.ndim() != 1 || b.ndim() != 1 || a.type() != b.type() || a.shape()[0] == 0) return std::nullopt;
  const std::int64_t k = a.shape()[0];
  if (a.nbytes() + b.nbytes() >= engine_options().small_bytes) return std::nullopt;
  const EngineLock lock;
  std::optional<View> x = view_now(a), y = view_now(b);
  if (!x || !y || &a.backend() != &b.backend()) return std::nullopt;
  Scalar number;
  number.type = a.type();
  x->shape = {1, k};
  x->strides = {0, a.strides()[0]};
  y->shape = {k, 1};
  y->strides = {b.strides()[0], 0};
  const View in[] = {*std::move(x), *std::move(y)};
  const View out{reinterpret_cast<std::byte*>(number.bytes), a.type(), {1, 1}, {0, 0}, {}};
  Backend& host = a.backend();
  host.call(current_stream(host), Call{Matmul{}, in, {&out, 1}});
  return value_if_0d(Array(number, host));
}

/// The product, seen with `shape`; written to `out` if there is one: at once where dtype and memory allow it.
Array multiply_into(const Array& a, const Array& b, dtype type, const Dims& batch, const Dims& shape,
                    const Array* out) {
  if (!out) return reshape(multiply_matrices(a, b, type, batch, nullptr), shape);
  if (!out->writeable()) throw ValueError("output array is read-only");
  if (out->type() == type && !share_memory(a, *out) && !share_memory(b, *out) && a.shape().back() != 0) {
    Dims full = batch;
    for (std::int64_t d : {a.shape()[a.ndim() - 2], b.shape().back()}) full.push_back(d);
    const auto item = static_cast<std::int64_t>(out->itemsize());
    if (std::optional<Dims> strides = reshaped_strides(out->shape(), out->strides(), full, item, false)) {
      const Array target = out->view(std::move(full), std::move(*strides));
      multiply_matrices(a, b, type, batch, &target);
      return *out;
    }
  }
  assign(*out, Input(reshape(multiply_matrices(a, b, type, batch, nullptr), shape)));
  return *out;
}

[[noreturn]] void throw_core_mismatch(const char* which, int operand, int dimension, std::int64_t a,
                                      std::int64_t b) {
  throw ValueError(std::string("cuprum.matmul: ") + which + " operand " + std::to_string(operand) +
                   " has a mismatch in its core dimension " + std::to_string(dimension) +
                   ", with gufunc signature " + kSignature + " (size " + std::to_string(a) +
                   " is different from " + std::to_string(b) + ")");
}

[[noreturn]] void throw_not_aligned(const char* function, const Array& a, const Array& b, int da, int db) {
  throw ValueError(std::string("cuprum.") + function + ": shapes " + shape_text(a.shape()) + " and " +
                   shape_text(b.shape()) + " not aligned: " + std::to_string(a.shape()[da]) + " (dim " +
                   std::to_string(da) + ") != " + std::to_string(b.shape()[db]) + " (dim " +
                   std::to_string(db) + ")");
}

/// a and b contracted over the last axis of both: shape a.shape[:-1] + b.shape[:-1].
Array contract_last(const Array& a, const Array& b, const Array* out) {
  Dims shape;
  for (int d = 0; d + 1 < a.ndim(); ++d) shape.push_back(a.shape()[d]);
  for (int d = 0; d + 1 < b.ndim(); ++d) shape.push_back(b.shape()[d]);
  check_shape("dot", shape, a.type());
  const std::int64_t k = a.shape().back();
  auto rows = [k](const Array& x) {
    std::int64_t n = 1;
    for (int d = 0; d + 1 < x.ndim(); ++d) n *= x.shape()[d];
    return reshape(x, Dims{n, k});
  };
  return multiply_into(rows(a), transpose(rows(b)), promote_types(a.type(), b.type()), Dims{}, shape, out);
}

void check_dot_out(const char* function, const Array* out, dtype type, const Dims& shape) {
  if (!out) return;
  if (out->type() != type || out->ndim() != static_cast<int>(shape.size()) || !out->c_contiguous()) {
    throw ValueError(std::string("cuprum.") + function +
                     ": output array is not acceptable (must have the right "
                     "datatype, number of dimensions, and be a C-Array): give one of " +
                     name(type) + " and shape " + to_string(shape));
  }
  if (!(out->shape() == shape)) {
    throw ValueError(std::string("cuprum.") + function + ": output array has wrong dimensions: given " +
                     to_string(out->shape()) + ", the result has " + to_string(shape));
  }
}

Array multiplied(const Array& a, const Array& b, const Array* out) {
  const dtype type = promote_types(a.type(), b.type());
  Array result = apply(Op::multiply, type, a, b);
  if (!out) return value_if_0d(std::move(result));
  assign(*out, Input(result));
  return *out;
}

}  // namespace

Array matmul(const Array& a, const Array& b, const Array* out) {
  for (int k = 0; k < 2; ++k) {
    if ((k ? b : a).ndim() != 0) continue;
    throw ValueError("cuprum.matmul: Input operand " + std::to_string(k) +
                     " does not have enough dimensions (has 0, gufunc core with signature " + kSignature +
                     " requires 1); write a * b for a product with a scalar");
  }
  if (!out && a.ndim() == 1 && b.shape() == a.shape()) {
    if (std::optional<Array> now = product_now(a, b)) return *std::move(now);
  }
  const Array left = a.ndim() == 1 ? expand_dims(a, Dims{0}) : a,
              right = b.ndim() == 1 ? expand_dims(b, Dims{1}) : b;
  const std::int64_t k = left.shape().back(), other = right.shape()[right.ndim() - 2];
  if (k != other) throw_core_mismatch("Input", 1, 0, other, k);
  const Dims batches[] = {Dims(left.shape().begin(), left.shape().end() - 2),
                          Dims(right.shape().begin(), right.shape().end() - 2)};
  const Dims batch = broadcast_shapes("matmul", batches, 2);
  Dims shape = batch;
  if (a.ndim() > 1) shape.push_back(left.shape()[left.ndim() - 2]);
  if (b.ndim() > 1) shape.push_back(right.shape().back());
  const dtype type = promote_types(a.type(), b.type());
  if (out) {
    check_output_cast("matmul", type, out->type(), Casting::same_kind);
    if (!(out->shape() == shape)) {
      throw ValueError(
          "cuprum.matmul: Output operand 0 has a mismatch in its core dimension: out has shape " +
          to_string(out->shape()) + ", the result " + to_string(shape));
    }
  }
  Array result = multiply_into(left, right, type, batch, shape, out);
  return out ? result : value_if_0d(std::move(result));
}

Array dot(const Array& a, const Array& b, const Array* out) {
  const dtype type = promote_types(a.type(), b.type());
  if (a.ndim() == 0 || b.ndim() == 0) {
    check_dot_out("dot", out, type, a.ndim() == 0 ? b.shape() : a.shape());
    return multiplied(a, b, out);
  }
  const int da = a.ndim() - 1, db = b.ndim() > 1 ? b.ndim() - 2 : 0;
  if (a.shape()[da] != b.shape()[db]) throw_not_aligned("dot", a, b, da, db);
  if (!out && da == 0 && b.ndim() == 1) {
    if (std::optional<Array> now = product_now(a, b)) return *std::move(now);
  }
  const Array turned = move_last(b, db);
  if (out) {
    Dims shape;
    for (int d = 0; d < da; ++d) shape.push_back(a.shape()[d]);
    for (int d = 0; d + 1 < turned.ndim(); ++d) shape.push_back(turned.shape()[d]);
    check_dot_out("dot", out, type, shape);
  }
  Array result = contract_last(a, turned, out);
  return out ? result : value_if_0d(std::move(result));
}

Array vdot(const Array& a, const Array& b) {
  const Array x = ravel(a), y = ravel(b);
  if (x.size() != y.size()) {
    throw ValueError("cuprum.vdot: cannot reshape array of size " + std::to_string(y.size()) +
                     " into shape " + shape_text(x.shape()) + "; both must have the same number of elements");
  }
  return dot(is_complex(x.type()) ? apply(Op::conjugate, x.type(), x) : x, y);
}

Array inner(const Array& a, const Array& b) {
  if (a.ndim() == 0 || b.ndim() == 0) return multiplied(a, b, nullptr);
  if (a.shape().back() != b.shape().back()) throw_not_aligned("inner", a, b, a.ndim() - 1, b.ndim() - 1);
  return value_if_0d(contract_last(a, b, nullptr));
}

Array outer(const Array& a, const Array& b, const Array* out) {
  const Array column = expand_dims(ravel(a), Dims{1}), row = expand_dims(ravel(b), Dims{0});
  const Value operands[] = {column, row};
  UfuncOptions options;
  options.out = out;
  return call(Op::multiply, operands, options);
}

Array tensordot(const Array& a, const Array& b, const Dims& axes_a, const Dims& axes_b) {
  const Dims from = normalize_axes("tensordot", axes_a, a.ndim()),
             to = normalize_axes("tensordot", axes_b, b.ndim());
  bool equal = from.size() == to.size();
  for (std::size_t k = 0; equal && k < from.size(); ++k) equal = a.shape()[from[k]] == b.shape()[to[k]];
  if (!equal) {
    throw ValueError("cuprum.tensordot: shape-mismatch for sum: shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()) + " over axes " + to_string(axes_a) + " and " + to_string(axes_b));
  }
  Dims shape;
  std::int64_t contracted = 1;
  // The axes that stay first, then those that are summed over, in the order of the pairs.
  auto arranged = [&](const Array& x, const Dims& axes) {
    Dims order;
    std::int64_t rows = 1;
    std::uint64_t used = 0;
    for (std::int64_t d : axes) used |= std::uint64_t{1} << d;
    for (int d = 0; d < x.ndim(); ++d) {
      if (used >> d & 1) continue;
      order.push_back(d);
      shape.push_back(x.shape()[d]);
      rows *= x.shape()[d];
    }
    contracted = 1;
    for (std::int64_t d : axes) {
      order.push_back(d);
      contracted *= x.shape()[d];
    }
    return reshape(transpose(x, order), Dims{rows, contracted});
  };
  const Array left = arranged(a, from), right = arranged(b, to);
  check_shape("tensordot", shape, a.type());
  return reshape(contract_last(left, right, nullptr), shape);  // without dimensions too an array, as in NumPy
}

Array tensordot(const Array& a, const Array& b, std::int64_t axes) {
  if (axes > a.ndim() || axes > b.ndim()) {
    throw ValueError("cuprum.tensordot: shape-mismatch for sum: " + std::to_string(axes) +
                     " axes of arrays with shapes " + to_string(a.shape()) + " and " + to_string(b.shape()));
  }
  Dims from, to;
  for (std::int64_t k = 0; k < axes; ++k) {
    from.push_back(a.ndim() - axes + k);
    to.push_back(k);
  }
  return tensordot(a, b, from, to);
}

Array sliding_dot(const Array& a, const Array& v, std::int64_t left, std::int64_t right) {
  const std::int64_t count = a.size() + left + right - v.size() + 1;
  if (a.ndim() != 1 || v.ndim() != 1 || v.size() == 0 || left < 0 || right < 0 || count < 1) {
    throw ValueError("cuprum.sliding_dot: a vector and one that fits into it are needed, given shapes " +
                     to_string(a.shape()) + " and " + to_string(v.shape()) + " with " + std::to_string(left) +
                     " and " + std::to_string(right) + " elements more");
  }
  const dtype type = promote_types(a.type(), v.type());
  const bool small = type == dtype::float16 || type == dtype::bfloat16;
  const dtype wide = small ? dtype::float32 : type;  // rounded once, at the end
  const Array along = record_cast(a, wide), weights = record_cast(v, wide);
  return record_cast(record_dense(SlidingDot{left}, {&along, &weights}, wide, Dims{count}), type);
}

Array kron(const Array& a, const Array& b) {
  const int n = std::max(a.ndim(), b.ndim());
  Dims left, right, shape;  // sizes of a and of b alternate
  for (int d = 0; d < n; ++d) {
    const int da = d - (n - a.ndim()), db = d - (n - b.ndim());
    const std::int64_t x = da < 0 ? 1 : a.shape()[da], y = db < 0 ? 1 : b.shape()[db];
    left.push_back(x);
    left.push_back(1);
    right.push_back(1);
    right.push_back(y);
    shape.push_back(x * y);
  }
  if (2 * n > kMaxDims) {
    throw ValueError("cuprum.kron: arrays of more than " + std::to_string(kMaxDims / 2) +
                     " dimensions, given " + std::to_string(n));
  }
  return reshape(multiplied(reshape(a, left), reshape(b, right), nullptr), shape);
}

}  // namespace cuprum::ops
