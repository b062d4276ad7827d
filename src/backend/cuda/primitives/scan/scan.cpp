// Cumulative folds along the last axis. Which way a scan goes depends on its operation, layout and shape:
//   in order    short rows, and operations of which nothing is known but their meaning: one thread per row, with NumPy's
//               bits
//   columns     the axis strides over memory and a neighbouring axis does not
//   rows        everything else, made dense first where it is not
// Sums of floats in rows longer than kInOrder are folded in tiles: rounded less often than NumPy's, never in another
// order from run to run.
#include "backend/cuda/primitives/scan/scan.h"

#include "backend/cuda/primitives/fold/fold.h"
#include "runtime/scan_fold.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr std::int64_t kInOrder = 512;       // a walk through a row of these takes about 20 us
constexpr std::int64_t kManyColumns = 4096;  // fewer would leave most of the device idle

ScanKernels kernels_of(ScanOp op, dtype type) {
  switch (op) {
    case ScanOp::sum: return sum_kernels(type);
    case ScanOp::prod: return prod_kernels(type);
    case ScanOp::min: return min_kernels(type);
    default: return max_kernels(type);
  }
}

/// Rows of equal distance in both views, one thread each; false where there are other dimensions.
bool scan_in_order(Context& context, Op op, const View& in, const View& out) {
  Layout<2> rows;
  if (!is_aligned(in) || !is_aligned(out)) return false;
  if (!make_layout<2>({&in, &out}, 0, in.shape.size() - 1, rows) || rows.ndim > 1) return false;
  fold_rows(context, op, in.type,
            {rows.size, in.shape.back(), reinterpret_cast<const char*>(in.data.address()),
             reinterpret_cast<char*>(out.data.address()), rows.strides[0][0], in.strides.back(),
             rows.strides[1][0], out.strides.back()});
  return true;
}

/// A dimension along which neighbours lie side by side in both arrays, or -1.
int neighbouring(const View& in, const View& out) {
  const auto size = static_cast<std::int64_t>(itemsize(in.type));
  const int last = static_cast<int>(in.shape.size()) - 1;
  if (in.strides[last] == size && out.strides[last] == size) return -1;
  for (int d = 0; d < last; ++d) {
    if (in.strides[d] == size && out.strides[d] == size && in.shape[d] >= 32) return d;
  }
  return -1;
}

bool scan_by_columns(Context& context, ScanOp op, View in, View out) {
  const int across = neighbouring(in, out);
  if (across < 0 || !is_aligned(in) || !is_aligned(out)) return false;
  ScanColumns scan{};
  scan.n = in.shape.back();
  scan.width = in.shape[across];
  scan.in = reinterpret_cast<const char*>(in.data.address());
  scan.out = reinterpret_cast<char*>(out.data.address());
  scan.in_step = in.strides.back();
  scan.out_step = out.strides.back();
  scan.strips = ceil_div(scan.width, 32);
  for (View* v : {&in, &out}) {
    v->shape.erase(across);
    v->strides.erase(across);
  }
  if (!make_layout<2>({&in, &out}, 0, in.shape.size() - 1, scan.matrices)) return false;
  if (scan.width * scan.matrices.size < kManyColumns) return false;
  kernels_of(op, in.type).columns(context, scan, scan.n <= kInOrder);
  return true;
}

}  // namespace

}  // namespace primitives

static void scan(Context& context, ScanOp op, Op fold, const View& in, const View& out) {
  using namespace primitives;
  const std::int64_t size = size_of(in);
  if (size == 0) return;
  const std::int64_t n = in.shape.back();
  if (op != ScanOp::generic && scan_by_columns(context, op, in, out)) return;
  const bool in_order = op == ScanOp::generic || n <= kInOrder;
  if (in_order && scan_in_order(context, fold_of(op, fold), in, out)) return;
  const Dense from(context, in);
  DenseOutput to(context, out);
  if (in_order) {
    scan_in_order(context, fold_of(op, fold), from.view(), to.view());
  } else {
    kernels_of(op, in.type)
        .rows(context, {size / n, n, reinterpret_cast<const char*>(from.view().data.address()),
                        reinterpret_cast<char*>(to.view().data.address())});
  }
  to.finish(context);
}

void call(Context& context, const Scan& p, Operands in, const View& out) {
  scan(context, p.op, p.fold, in[0], out);
}

}  // namespace cuprum::cuda
