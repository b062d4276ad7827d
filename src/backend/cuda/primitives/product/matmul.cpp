// Matrix products: floating dtypes on cuBLAS, integers by a tiled kernel. Matrices stay where they lie when a leading
// dimension says how; batches are one call with strides, or with addresses where two dimensions do not merge.
#include <algorithm>
#include <iterator>

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/product/matmul_plan.h"
#include "backend/cuda/primitives/product/product.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

void clear(Context& context, const View& out) {
  DenseOutput zeros(context, out);
  const std::size_t nbytes = static_cast<std::size_t>(size_of(out)) * itemsize(out.type);
  check(cudaMemsetAsync(zeros.view().data, 0, nbytes, context.stream), "matmul");
  zeros.finish(context);
}

View transposed(View view) {
  const std::size_t d = view.shape.size() - 2;
  std::swap(view.shape[d], view.shape[d + 1]);
  std::swap(view.strides[d], view.strides[d + 1]);
  return view;
}

/// Strides from matrix to matrix are whole elements.
bool has_plain_batch(const Layout<3>& batch, std::int64_t item) {
  for (const auto& strides : batch.strides) {
    for (int d = 0; d < batch.ndim; ++d) {
      if (strides[d] % item != 0) return false;
    }
  }
  return true;
}

/// `out` has plain rows; a and b are matrices that cuBLAS can use.
void multiply(Context& context, const View& a, const View& b, const View& out, const Layout<3>& batch) {
  const auto item = static_cast<std::int64_t>(itemsize(out.type));
  const std::size_t d = out.shape.size() - 2;
  BlasProduct product{out.type,
                      out.shape[d],
                      out.shape[d + 1],
                      a.shape[d + 1],
                      *blas_matrix(MatrixView(a), item),
                      *blas_matrix(MatrixView(b), item),
                      {out.data, false, *leading_dimension(MatrixView(out), item)}};
  product.count = batch.size;
  const bool forward = std::all_of(std::begin(batch.strides), std::end(batch.strides),
                                   [](const auto& strides) { return strides[0] >= 0; });  // all cuBLAS takes
  if (batch.ndim == 1 && forward) {
    product.a_stride = batch.strides[0][0] / item;
    product.b_stride = batch.strides[1][0] / item;
    product.out_stride = batch.strides[2][0] / item;
    return blas_multiply(context, product);
  }
  Scratch addresses(context, static_cast<std::size_t>(batch.size) * 3 * sizeof(void*));
  auto** at = addresses.get<void*>();
  batch_addresses(context, a, b, out, batch, at);
  blas_multiply(context, product, {at, at + batch.size, at + 2 * batch.size});
}

bool is_usable(const View& view) {
  return is_aligned(view) && blas_matrix(MatrixView(view), static_cast<std::int64_t>(itemsize(view.type)));
}
bool has_plain_rows(const View& view) {
  return is_aligned(view) &&
         leading_dimension(MatrixView(view), static_cast<std::int64_t>(itemsize(view.type)));
}

/// A copy without the repetitions of a broadcast batch.
class Packed {
 public:
  Packed(Context& context, const View& view) {
    View once = view;
    for (std::size_t d = 0; d + 2 < view.shape.size(); ++d) {
      if (view.strides[d] == 0) once.shape[d] = 1;
    }
    dense_.emplace(context, once);
    view_ = dense_->view();
    for (std::size_t d = 0; d + 2 < view.shape.size(); ++d) {
      if (view.strides[d] == 0) view_.strides[d] = 0;
      view_.shape[d] = view.shape[d];
    }
  }
  const View& view() const { return view_; }

 private:
  std::optional<Dense> dense_;
  View view_;
};

void blas_matmul(Context& context, const View& a, const View& b, const View& out) {
  if (!has_plain_rows(out)) {
    if (has_plain_rows(transposed(out)))
      return blas_matmul(context, transposed(b), transposed(a), transposed(out));
    DenseOutput dense(context, out);
    blas_matmul(context, a, b, dense.view());
    return dense.finish(context);
  }
  std::optional<Packed> left, right;
  if (!is_usable(a)) left.emplace(context, a);
  if (!is_usable(b)) right.emplace(context, b);
  const View& x = left ? left->view() : a;
  const View& y = right ? right->view() : b;
  const std::size_t batch_ndim = out.shape.size() - 2;
  Layout<3> batch;
  if (make_layout<3>({&x, &y, &out}, 0, batch_ndim, batch) &&
      has_plain_batch(batch, static_cast<std::int64_t>(itemsize(out.type)))) {
    return multiply(context, x, y, out, batch);
  }
  const Dense dense_x(context, x), dense_y(context, y);  // batch dimensions that cannot be told to a kernel
  DenseOutput dense(context, out);
  make_layout<3>({&dense_x.view(), &dense_y.view(), &dense.view()}, 0, batch_ndim, batch);
  multiply(context, dense_x.view(), dense_y.view(), dense.view(), batch);
  dense.finish(context);
}

void loop_matmul(Context& context, const View& a, const View& b, const View& out) {
  const std::size_t batch_ndim = out.shape.size() - 2;
  Layout<3> batch;
  const bool aligned = is_aligned(a) && is_aligned(b) && is_aligned(out);
  if (aligned && make_layout<3>({&a, &b, &out}, 0, batch_ndim, batch)) {
    return integer_matmul(context, a, b, out, batch);
  }
  const Dense left(context, a), right(context, b);
  DenseOutput dense(context, out);
  make_layout<3>({&left.view(), &right.view(), &dense.view()}, 0, batch_ndim, batch);
  integer_matmul(context, left.view(), right.view(), dense.view(), batch);
  dense.finish(context);
}

}  // namespace

}  // namespace primitives

static void matmul(Context& context, const View& a, const View& b, const View& out) {
  using namespace primitives;
  if (size_of(out) == 0) return;
  if (a.shape.back() == 0) return clear(context, out);
  if (has_blas(out.type)) return blas_matmul(context, a, b, out);
  loop_matmul(context, a, b, out);
}

void call(Context& context, const Matmul&, Operands in, const View& out) {
  matmul(context, in[0], in[1], out);
}

}  // namespace cuprum::cuda
