// Matrix products: cut into tiles by their shape, so that no bit depends on the number of threads. float32 and float64 go to
// fused_matmul.cpp and matrix_vector.cpp where the machine has registers for it, small ones to simd/small_product.h; other BLAS
// dtypes to blas_matmul.cpp, all others to the blocked loop of simd/product.h.
#include "backend/cpu/matmul.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "backend/cpu/backend.h"
#include "backend/cpu/blas.h"
#include "backend/cpu/blas_matmul.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/fused_matmul.h"
#include "backend/cpu/matrix_vector.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/small_product.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

void loop_matmul(dtype type, const Matrix& a, const Matrix& b, const Matrix& out) {
  const std::int64_t wide = CUPRUM_CALL_LEVEL(product_columns(type)), across = ceil_div(out.cols, wide);
  const std::int64_t tiles = ceil_div(out.rows, kProductRows) * across;
  const auto tile = [&](std::int64_t index, unsigned char* scratch) {
    const std::int64_t i = index / across * kProductRows, j = index % across * wide;
    const std::int64_t i_end = std::min(out.rows, i + kProductRows), j_end = std::min(out.cols, j + wide);
    const MatrixRef left = a.block(i, i_end, 0, a.cols).ref(), right = b.block(0, b.rows, j, j_end).ref();
    const MatrixRef result = out.block(i, i_end, j, j_end).ref();
    CUPRUM_CALL_LEVEL(product_block(type, i_end - i, j_end - j, a.cols, left, right, result, scratch));
  };
  // Several tiles per task where tiles are small: each task takes scratch memory.
  const std::int64_t grain = std::max<std::int64_t>(1, (1 << 20) / (kProductRows * wide * a.cols + 1));
  parallel_for(ceil_div(tiles, grain), [&](std::int64_t task) {
    const Scratch<unsigned char> scratch(kProductScratch);
    for (std::int64_t i = task * grain; i < std::min(tiles, (task + 1) * grain); ++i) tile(i, scratch.data());
  });
}

constexpr std::int64_t kFewProducts = 256;  // up to these a call of BLAS takes longer than the work
constexpr std::int64_t kFewest = 64;        // up to these registers are not worth it

/// Products that are computed before BLAS has begun: on one thread stacks of 8 x 8, float64, take 0.45 of the time, of 16 x 16 0.6. BLAS,
/// which may contract, catches up at 32 where registers hold four numbers. Right operands that lie in columns are BLAS's.
bool is_small(const View& a, const View& b, const View& out) {
  const std::size_t row = out.shape.size() - 2, column = row + 1;
  const std::int64_t m = out.shape[row], n = out.shape[column], k = a.shape[column];
  const auto size = static_cast<std::int64_t>(itemsize(out.type));
  return (a.type == dtype::float32 || a.type == dtype::float64) && std::max({m, n, k}) <= kSmallProduct &&
         m * n * k > kFewest && b.strides[column] == size && out.strides[column] == size;
}

bool has_few_products(const View& a, const View& out) {
  const std::size_t row = out.shape.size() - 2, column = row + 1;
  return out.shape[row] * out.shape[column] * a.shape[column] <= kFewProducts;
}

void fill_zero(const View& out) {
  const Space<1> space({&out}, out.shape.size());
  const std::size_t size = itemsize(out.type);
  space.each(0, space.size(), [&](auto p) { std::memset(p[0], 0, size); });
}

enum class Way { few, small, fused, vector, blas, loop };

constexpr std::int64_t kDeep =
    1 << 15;  // from so many products of an element on, those of a small result are summed in pieces

Way way_of(const View& a, const View& b, const View& out) {
  const std::size_t row = out.shape.size() - 2, column = row + 1;
  const std::int64_t m = out.shape[row], n = out.shape[column], k = a.shape[column];
  if (is_small(a, b, out)) return Way::small;
  if (has_few_products(a, out)) return Way::few;
  const bool deep = k >= kDeep && m * n <= kDeep / 2;
  if (m > 1 && n > 1 && !deep && has_fused_matmul(a.type)) return Way::fused;
  if (!deep &&
      as_matrix_vector(a.type, last_matrix(a, a.data), last_matrix(b, b.data), last_matrix(out, out.data)))
    return Way::vector;
  return std::max({m, n, k}) <= kMaxBlas && has_blas(a.type) ? Way::blas : Way::loop;
}

/// A stack of left matrices over one right one is one matrix with all their rows, where these lie one behind the other. Appends
/// the stack's dimensions to the rows as far as they do.
void merge_stack(View& a, View& b, View& out) {
  while (out.shape.size() > 2) {
    const std::size_t stack = out.shape.size() - 3, row = stack + 1;
    const auto follows = [&](const View& v) {
      return v.shape[row] == 1 || v.strides[stack] == v.strides[row] * v.shape[row];
    };
    if (b.strides[stack] != 0 || !follows(a) || !follows(out)) return;
    for (View* v : {&a, &out}) {
      if (v->shape[row] == 1) v->strides[row] = v->strides[stack];
      v->shape[row] *= v->shape[stack];
    }
    for (View* v : {&a, &b, &out}) {
      v->shape.erase(stack);
      v->strides.erase(stack);
    }
  }
}

void matmul_stack(const View& a, const View& b, const View& out) {
  const std::size_t batch_ndim = out.shape.size() - 2;
  const std::int64_t m = out.shape[batch_ndim], n = out.shape[batch_ndim + 1], k = a.shape[batch_ndim + 1];
  if (k == 0) return fill_zero(out);
  const Space<3> batch({&a, &b, &out}, batch_ndim);
  if (m == 0 || n == 0 || batch.size() == 0) return;
  const Way way = way_of(a, b, out);
  std::optional<BlasThreads> one;
  if (way == Way::blas) one.emplace(1);
  const auto product = [&](std::int64_t begin, std::int64_t end) {
    batch.each(begin, end, [&](auto p) {
      const Matrix left = last_matrix(a, p[0]), right = last_matrix(b, p[1]), result = last_matrix(out, p[2]);
      switch (way) {
        case Way::small:
          return CUPRUM_CALL_LEVEL(small_product(a.type, m, n, k, left.ref(), right.ref(), result.ref()));
        case Way::few:
          return CUPRUM_CALL_LEVEL(product_small(a.type, m, n, k, left.ref(), right.ref(), result.ref()));
        case Way::fused: return fused_matmul(a.type, left, right, result);
        case Way::vector: return matrix_vector(*as_matrix_vector(a.type, left, right, result));
        case Way::blas: return blas_matmul(a.type, left, right, result);
        case Way::loop: return loop_matmul(a.type, left, right, result);
      }
    });
  };
  constexpr std::int64_t kLarge =
      1 << 22;  // products that are worth all threads; smaller ones are shared out
  if (m * n * k >= kLarge || batch.size() == 1) return product(0, batch.size());
  const std::int64_t grain =
      std::max<std::int64_t>(ceil_div(1 << 16, m * n * k), ceil_div(batch.size(), kMaxBlasCallers));
  parallel_for(ceil_div(batch.size(), grain),
               [&](std::int64_t task) { product(task * grain, std::min(batch.size(), (task + 1) * grain)); });
}

}  // namespace

void matmul(const View& a, const View& b, const View& out) {
  if (out.shape.size() == 2 || is_small(a, b, out) || has_few_products(a, out))
    return matmul_stack(a, b, out);
  View left = a, right = b, result = out;
  merge_stack(left, right, result);
  matmul_stack(left, right, result);
}

void call(const Matmul&, Operands in, const View& out) { matmul(in[0], in[1], out); }

namespace {

/// The product as one of a matrix and a vector, if it is such a one and computed so.
std::optional<MatrixVector> matrix_vector_of(const Call& call) {
  if (!std::holds_alternative<Matmul>(call.primitive)) return std::nullopt;
  const View &a = call.in[0], &b = call.in[1], &out = call.out[0];
  if (out.shape.size() != 2 || element_count(out.shape) == 0 || a.shape[1] == 0) return std::nullopt;
  if (way_of(a, b, out) != Way::vector) return std::nullopt;
  return as_matrix_vector(a.type, last_matrix(a, a.data), last_matrix(b, b.data), last_matrix(out, out.data));
}

}  // namespace

bool makes_matrix(const Call& call) {
  constexpr std::size_t kLarge = 1 << 20;
  if (!std::holds_alternative<Matmul>(call.primitive) || call.out[0].shape.size() != 2) return false;
  const View& matrix = call.in[0];
  if (bytes_of(matrix.shape, matrix.type) < kLarge) return false;
  const std::optional<MatrixVector> product = matrix_vector_of(call);
  return product && product->from_right && call.out[0].shape[1] == 1 &&
         matrix.strides[0] == matrix.shape[1] * matrix.strides[1];
}

void matmul_making(const Call& call, const Kernel& maker) { matrix_vector(*matrix_vector_of(call), &maker); }

bool matmul_both(const Call& first, const Call& second) {
  const std::optional<MatrixVector> one = matrix_vector_of(first), other = matrix_vector_of(second);
  return one && other && matrix_vectors(*one, *other);
}

}  // namespace cuprum::cpu
