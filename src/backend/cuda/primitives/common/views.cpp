#include "backend/cuda/primitives/common/views.h"

#include <cstdint>

#include "cuprum/error.h"
#include "runtime/geometry.h"

namespace cuprum::cuda::primitives {

std::int64_t size_of(const View& view) {
  std::int64_t size = 1;
  for (std::int64_t extent : view.shape) size *= extent;
  return size;
}

bool is_aligned(const View& view) {
  const auto size = static_cast<std::int64_t>(itemsize(view.type));
  std::uint64_t bits = reinterpret_cast<std::uintptr_t>(view.data.address());
  for (std::size_t d = 0; d < view.shape.size(); ++d) {
    if (view.shape[d] > 1) bits |= static_cast<std::uint64_t>(view.strides[d]);
  }
  return (bits & static_cast<std::uint64_t>(size - 1)) == 0;
}

bool is_dense(const View& view) {
  return is_c_contiguous(view.shape, view.strides, static_cast<std::int64_t>(itemsize(view.type))) &&
         is_aligned(view);
}

View dense_view(std::byte* data, dtype type, const Dims& shape) {
  return {data, type, shape, contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type)))};
}

namespace {

bool is_contiguous(const View& view) {
  return is_c_contiguous(view.shape, view.strides, static_cast<std::int64_t>(itemsize(view.type)));
}

/// The same memory, byte by byte: for elements that no load of their size may touch.
View as_bytes(View view) {
  view.shape.push_back(static_cast<std::int64_t>(itemsize(view.type)));
  view.strides.push_back(1);
  view.type = dtype::uint8;
  return view;
}

}  // namespace

void copy(Context& context, const View& from, const View& to) {
  const std::int64_t size = size_of(from);
  if (size == 0) return;
  if (is_contiguous(from) && is_contiguous(to)) {
    const std::size_t nbytes = static_cast<std::size_t>(size) * itemsize(from.type);
    return check(cudaMemcpyAsync(to.data, from.data, nbytes, cudaMemcpyDeviceToDevice, context.stream),
                 "copy");
  }
  if (from.type != dtype::uint8 && !(is_aligned(from) && is_aligned(to))) {
    if (from.shape.size() < kMaxDims) return copy(context, as_bytes(from), as_bytes(to));
  }
  Kernel kernel;
  kernel.shape = from.shape;
  kernel.leaves.push_back({from.data, from.type, from.strides});
  kernel.stores.push_back({to.data, to.type, to.strides, 0});
  simplify_geometry(kernel, to.strides);
  run(context, kernel);
}

Dense::Dense(Context& context, const View& view) : view_(view) {
  if (is_dense(view) || size_of(view) == 0) return;
  copy_.emplace(context, static_cast<std::size_t>(size_of(view)) * itemsize(view.type));
  view_ = dense_view(copy_->get(), view.type, view.shape);
  copy(context, view, view_);
}

DenseOutput::DenseOutput(Context& context, const View& target, bool filled) : target_(target), view_(target) {
  if (is_dense(target) || size_of(target) == 0) return;
  copy_.emplace(context, static_cast<std::size_t>(size_of(target)) * itemsize(target.type));
  view_ = dense_view(copy_->get(), target.type, target.shape);
  if (filled) copy(context, target_, view_);
}

void DenseOutput::finish(Context& context) {
  if (copy_) copy(context, view_, target_);
}

void read_back(Context& context, void* to, const void* from, std::size_t nbytes) {
  check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyDeviceToHost, context.stream), "read_back");
  wait_for_stream(context, "read_back");
}

unsigned block_count(std::int64_t items, std::int64_t per_block) {
  const std::int64_t blocks = ceil_div(items, per_block);
  if (blocks > INT32_MAX) throw ValueError("cuprum: an array of more elements than one launch can cover");
  return static_cast<unsigned>(blocks);
}

}  // namespace cuprum::cuda::primitives
