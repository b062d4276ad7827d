// Views made ready for kernels that want plain memory, and the few words that launches are written in.
#pragma once

#include <optional>

#include "backend/cuda/context.h"
#include "core/integers.h"

namespace cuprum::cuda::primitives {

std::int64_t size_of(const View& view);

/// Elements in C order without gaps, aligned to their size.
bool is_dense(const View& view);

/// Is every element aligned to its size?
bool is_aligned(const View& view);

/// A dense view of this shape at `data`.
View dense_view(std::byte* data, dtype type, const Dims& shape);

/// to[...] = from[...], equal shapes and dtypes, as a fused kernel or a plain copy of memory.
void copy(Context& context, const View& from, const View& to);

/// The elements of a view in C order without gaps: where they lie, or in a copy.
class Dense {
 public:
  Dense(Context& context, const View& view);
  const View& view() const { return view_; }

 private:
  std::optional<Scratch> copy_;
  View view_;
};

/// Dense memory that becomes `target`, at once or by `finish`. `filled`: it starts with the elements of `target`.
class DenseOutput {
 public:
  DenseOutput(Context& context, const View& target, bool filled = false);
  const View& view() const { return view_; }
  void finish(Context& context);

 private:
  View target_;
  std::optional<Scratch> copy_;
  View view_;
};

/// Copies a few bytes to the host and waits for them.
void read_back(Context& context, void* to, const void* from, std::size_t nbytes);

/// Number of blocks for `items` of work, `per_block` each, as the launch wants it. Throws where the grid is too small.
unsigned block_count(std::int64_t items, std::int64_t per_block);

}  // namespace cuprum::cuda::primitives
