#include "backend/cuda/primitives/linalg/matrices.h"

#include <limits>

#include "cuprum/error.h"
#include "runtime/geometry.h"

namespace cuprum::cuda::primitives {

Dims stack_of(const View& a, std::size_t core) { return Dims(a.shape.begin(), a.shape.end() - core); }

std::int64_t count_of(const Dims& stack) {
  std::int64_t count = 1;
  for (std::int64_t extent : stack) count *= extent;
  return count;
}

View transposed(View view) {
  const std::size_t d = view.shape.size() - 2;
  std::swap(view.shape[d], view.shape[d + 1]);
  std::swap(view.strides[d], view.strides[d + 1]);
  return view;
}

View corner(View view, std::int64_t rows, std::int64_t columns) {
  const std::size_t d = view.shape.size() - 2;
  view.shape[d] = rows;
  view.shape[d + 1] = columns;
  return view;
}

void put(Context& context, const View& from, const View& to, bool conjugated) {
  if (!conjugated || !is_complex(from.type)) return copy(context, from, to);
  if (!is_aligned(from)) return put(context, Dense(context, from).view(), to, true);
  Kernel kernel;
  kernel.shape = from.shape;
  kernel.leaves.push_back({from.data, from.type, from.strides});
  kernel.code.push_back({Op::conjugate, from.type, from.type, 1, {0}});
  kernel.stores.push_back({to.data, to.type, to.strides, 1});
  simplify_geometry(kernel, to.strides);
  run(context, kernel);
}

namespace {

View columns_view(std::byte* data, dtype type, const Dims& stack, Sides sides) {
  Dims shape = stack;
  shape.push_back(sides.n);
  shape.push_back(sides.m);
  return transposed(dense_view(data, type, shape));
}

}  // namespace

Columns::Columns(Context& context, dtype type, const Dims& stack, Sides sides)
    : count_(count_of(stack)),
      step_(sides.m * sides.n * static_cast<std::int64_t>(itemsize(type))),
      memory_(context, static_cast<std::size_t>(count_ * step_)),
      view_(columns_view(memory_.get(), type, stack, sides)) {}

Columns::Columns(Context& context, const View& from, bool conjugated)
    : Columns(context, from.type, stack_of(from), sides_of(from)) {
  put(context, from, view_, conjugated);
}

int as_int(std::int64_t n, const char* function) {
  if (n > std::numeric_limits<int>::max()) {
    throw ValueError(std::string("cuprum.") + function + ": " + std::to_string(n) +
                     " is more than cuSOLVER's int holds; write x.to_device('cpu')");
  }
  return static_cast<int>(n);
}

}  // namespace cuprum::cuda::primitives
