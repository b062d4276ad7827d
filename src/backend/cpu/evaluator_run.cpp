// Cuts the iteration space of an elementwise kernel into blocks and shares them out among the threads.
#include <algorithm>

#include "backend/cpu/evaluator.h"
#include "backend/cpu/threads.h"
#include "core/integers.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kLongRow =
    256;  // bytes: from here on, blocks follow rows, and operands are read in place
constexpr std::int64_t kTileRows = 64;        // along the line of the crossing operand
constexpr std::int64_t kLongNamedRow = 1024;  // the same where rows are read through indices
constexpr int kChunksPerThread = 8;           // so that a thread that starts late takes fewer

/// Runs body(first, last) over [0, blocks), on several threads if the whole work is worth it.
template <class Body>
void share_out(std::int64_t blocks, std::int64_t work, const Body& body) {
  std::int64_t chunks =
      work >= kParallelWork ? std::min<std::int64_t>(blocks, num_threads() * kChunksPerThread) : 1;
  if (num_threads() == 1 || in_parallel()) chunks = 1;
  if (chunks <= 1) return body(0, blocks);
  parallel_for(chunks, [&](std::int64_t c) { body(blocks * c / chunks, blocks * (c + 1) / chunks); });
}

bool follows_rows(const Program& p) {
  const std::int64_t long_row = p.kernel->gathers.empty() ? kLongRow : kLongNamedRow;
  return !p.flat && !p.kernel->shape.empty() && p.kernel->shape.back() * p.itemsize >= long_row;
}

/// Of a row: all of it where it fits a register, else equal pieces.
std::int64_t piece_of(const Program& p) {
  const std::int64_t row = p.kernel->shape.back();
  if (row <= p.block) return row;
  return std::min(ceil_div(ceil_div(row, ceil_div(row, p.block)), 16) * 16, p.block);
}

/// Blocks that are pieces of rows.
void run_rows(const Program& p) {
  const std::int64_t row = p.kernel->shape.back(), piece = piece_of(p);
  share_out(p.total / row * ceil_div(row, piece), p.total * p.cost,
            [&](std::int64_t first, std::int64_t last) {
              Context(p, thread_scratch(p.scratch_bytes())).pieces(first, last, piece);
            });
}

/// Blocks that are ranges of the row-major order; several short rows make one.
void run_ranges(const Program& p) {
  const Dims& shape = p.kernel->shape;
  const std::int64_t row = shape.empty() ? 1 : shape.back();
  const std::int64_t piece = p.flat || row > p.block ? p.block : p.block / row * row;
  share_out(ceil_div(p.total, piece), p.total * p.cost, [&](std::int64_t first, std::int64_t last) {
    Context context(p, thread_scratch(p.scratch_bytes()));
    for (std::int64_t b = first; b < last; ++b) {
      context.range(b * piece, std::min(piece, p.total - b * piece));
    }
  });
}

// -- Tiles

/// The dimension along which an operand runs in memory when that is not the last one; -1 when all run along the last.
int crossing_dimension(const Kernel& kernel) {
  const int last = static_cast<int>(kernel.shape.size()) - 1;
  const auto crossing = [&](const Dims& strides) {
    int best = last;
    for (int d = 0; d < last; ++d) {
      if (strides[d] != 0 && std::abs(strides[d]) < std::abs(strides[best]) && kernel.shape[d] >= 4) best = d;
    }
    return best == last ? -1 : best;
  };
  for (const Store& store : kernel.stores) {
    if (const int d = crossing(store.strides); d >= 0) return d;
  }
  for (const Leaf& leaf : kernel.leaves) {
    if (const int d = crossing(leaf.strides); d >= 0) return d;
  }
  return -1;
}

bool is_plain_copy(const Kernel& kernel) {
  return kernel.code.empty() && has_plain_leaves(kernel) && kernel.stores.size() == 1 &&
         kernel.stores[0].src < kernel.leaves.size();
}

void copy_tile(const Kernel& kernel, const std::int64_t* start, int row_dim, std::int64_t rows,
               std::int64_t cols) {
  const Store& to = kernel.stores[0];
  const Leaf& from = kernel.leaves[to.src];
  const std::size_t last = kernel.shape.size() - 1;
  std::int64_t to_offset = 0, from_offset = 0;
  for (std::size_t d = 0; d <= last; ++d) {
    to_offset += start[d] * to.strides[d];
    from_offset += start[d] * from.strides[d];
  }
  copies().tile(static_cast<int>(itemsize(to.type)),
                {rows, cols, to.data + to_offset, to.strides[row_dim], to.strides[last],
                 from.data + from_offset, from.strides[row_dim], from.strides[last]});
}

/// Elements of a tile. The more of a line of the crossing operand is read at once, the better (3000 x 3000 float32, one
/// thread: B + B.T takes 15.4 ms with tiles of 32 x 32, 12.4 with 64 x 16, 10.5 with 64 x 64); but a program of many steps
/// wants its registers in the first-level cache.
std::int64_t tile_block(const Kernel& kernel) {
  std::size_t size = 1;
  for (const Store& store : kernel.stores) size = std::max(size, itemsize(store.type));
  const std::int64_t bytes = kernel.code.size() <= 2 ? 16384 : 4096;
  return std::max<std::int64_t>(bytes / static_cast<std::int64_t>(size), 512);
}

/// Blocks that are tiles over `row_dim` and the last dimension.
void run_tiles(const Program& p, int row_dim) {
  const Dims& shape = p.kernel->shape;
  const auto dims = static_cast<int>(shape.size());
  const std::int64_t side_rows = std::min(kTileRows, shape[row_dim]);
  const std::int64_t side_cols = std::min(p.block / side_rows, shape[dims - 1]);
  Dims tiles = shape;  // how many along each dimension
  tiles[row_dim] = ceil_div(shape[row_dim], side_rows);
  tiles[dims - 1] = ceil_div(shape[dims - 1], side_cols);
  std::int64_t count = 1;
  for (const std::int64_t t : tiles) count *= t;
  const bool plain = is_plain_copy(*p.kernel);
  share_out(count, p.total * p.cost, [&](std::int64_t first, std::int64_t last) {
    Context context(p, thread_scratch(p.scratch_bytes()));
    std::int64_t start[kMaxDims];
    for (std::int64_t t = first; t < last; ++t) {
      std::int64_t rest = t;
      for (int d = dims - 1; d >= 0; --d) {
        start[d] = rest % tiles[d];
        rest /= tiles[d];
      }
      start[row_dim] *= side_rows;
      start[dims - 1] *= side_cols;
      const std::int64_t rows = std::min(side_rows, shape[row_dim] - start[row_dim]);
      const std::int64_t cols = std::min(side_cols, shape[dims - 1] - start[dims - 1]);
      if (plain) {
        copy_tile(*p.kernel, start, row_dim, rows, cols);
      } else {
        context.tile(start, row_dim, rows, cols);
      }
    }
  });
}

}  // namespace

bool runs_along_rows(const Kernel& kernel) {
  return kernel.shape.size() < 2 || crossing_dimension(kernel) < 0;
}

void run_slice(const Program& p, Context& context, std::int64_t first, std::int64_t last) {
  const Dims& shape = p.kernel->shape;
  const std::int64_t index = p.total / shape[0];
  if (follows_rows(p)) {
    const std::int64_t piece = piece_of(p), pieces = index / shape.back() * ceil_div(shape.back(), piece);
    return context.pieces(first * pieces, last * pieces, piece);
  }
  for (std::int64_t at = first * index; at < last * index; at += p.block) {
    context.range(at, std::min(p.block, last * index - at));
  }
}

void run_elementwise(const Kernel& kernel, std::int64_t slices) {
  Program program;
  const int row_dim = runs_along_rows(kernel) ? -1 : crossing_dimension(kernel);
  CompileOptions options;
  options.tiled = row_dim >= 0;
  options.slices = slices;
  if (options.tiled) options.min_block = tile_block(kernel);
  compile(kernel, options, program);
  if (program.total == 0) return;
  if (options.tiled) {
    run_tiles(program, row_dim);
  } else if (follows_rows(program)) {
    run_rows(program);
  } else {
    run_ranges(program);
  }
}

}  // namespace cuprum::cpu
