#include "codegen/plan.h"

#include <algorithm>
#include <limits>

#include "codegen/draws.h"
#include "codegen/plan_parts.h"
#include "core/integers.h"

namespace cuprum::cuda {

namespace {

using device::kBlock;
using device::kTile;

constexpr std::int64_t kIndexLimit = (std::int64_t{1} << 31) - (1 << 20);  // room for one stride of the grid
constexpr std::int64_t kMaxCode = 1024;                                    // operations in one item
constexpr int kMaxLoaded = 256;          // bytes that an item reads: 64 registers
constexpr std::int64_t kShortSide = 16;  // below, a tile would be mostly empty
// Bytes of interleaved stores that a thread writes, where possible: the threads of a warp then share sectors. Two vectors of
// 2^26 float32 take 0.259 ms by runs of 16 bytes, 0.272 by 32; three 0.387 by 24 and 0.490 by 48.
constexpr std::int64_t kMaxRun = 24;

int size_of(dtype t) { return static_cast<int>(itemsize(t)); }

/// Calls f(type) for leaves and stores.
template <class F>
void each_type(const Kernel& kernel, F f) {
  for (const Leaf& leaf : kernel.leaves) f(leaf.type);
  for (const Store& store : kernel.stores) f(store.type);
}

/// Instructions that become a lot of code: a transcendental function is some 50 instructions, 200 in float64.
std::int64_t heavy_count(const Kernel& kernel) {
  return std::count_if(kernel.code.begin(), kernel.code.end(),
                       [](const Instr& i) { return info(i.op).flags & kTranscendental; });
}
bool is_heavy(const Kernel& kernel) { return heavy_count(kernel) != 0 || !kernel.draws.empty(); }

// Blocks of kernels that draw, where threads have to get ready first: each should draw many numbers then.
constexpr std::int64_t kDrawBlocks = 2048;

std::int64_t most_blocks(const Kernel& kernel) {
  const bool slow = std::any_of(kernel.draws.begin(), kernel.draws.end(),
                                [](const Drawn& drawn) { return starts_slowly(drawn.draw); });
  return slow ? kDrawBlocks : 1 << 30;
}

// -- Elementwise.

/// Elements of an item: 16 bytes of the widest type, fewer where many rows are short.
int vector_of(const Kernel& kernel, std::int64_t row) {
  int widest = 1;
  each_type(kernel, [&](dtype type) { widest = std::max(widest, size_of(type)); });
  for (const Instr& i : kernel.code) widest = std::max(widest, size_of(i.out));
  int vector = 16 / widest;
  for (const Drawn& drawn : kernel.draws) vector = std::max(vector, numbers_of_block(drawn.draw));
  // Long code is bound by arithmetic, and its compilation by the number of copies of it.
  const std::int64_t length = 16 * (heavy_count(kernel) + static_cast<std::int64_t>(kernel.draws.size())) +
                              static_cast<std::int64_t>(kernel.code.size());
  int bytes = 0;  // of one element of every leaf: all are read before the first is used
  for (const Leaf& leaf : kernel.leaves) bytes += std::max(4, size_of(leaf.type));
  for (const Gathered& g : kernel.gathers) bytes += size_of(g.index.type);
  while (vector > 1 && (length * vector > kMaxCode || bytes * vector > kMaxLoaded)) vector /= 2;
  while (kernel.shape.size() > 1 && vector > 1 && ceil_div(row, vector) * vector * 8 > row * 9) vector /= 2;
  return vector;
}

/// Bytes of the run that an item of `vector` elements fills.
std::int64_t run_bytes(const Kernel& kernel, int vector) {
  return static_cast<std::int64_t>(kernel.stores.size()) * size_of(kernel.stores[0].type) * vector;
}

/// Items that a thread reads before it writes. One of 16 bytes is best, for blocks then walk through memory in step (a copy
/// of 2^28 float32: 0.516 ms, with two 0.540); two where less than 16 bytes are read or written at a time (as float16: 0.402
/// ms, with two 0.378), or where they come from two places.
int items_in_flight(const Kernel& kernel, int vector) {
  if (kernel.leaves.size() > 2 || is_heavy(kernel)) return 1;
  if (kernel.leaves.size() != 1 || kernel.shape.empty()) return 2;
  const Leaf& leaf = kernel.leaves[0];
  if (leaf.strides.back() != size_of(leaf.type) || vector * size_of(leaf.type) < 16) return 2;
  const bool narrows = std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                   [&](const Store& store) { return vector * size_of(store.type) < 16; });
  return narrows ? 2 : 1;
}

bool lies_across(const Kernel& kernel, std::size_t i, std::size_t dim) {
  if (is_made(kernel, i)) return false;
  const Leaf& leaf = kernel.leaves[i];
  const std::int64_t size = size_of(leaf.type), last = leaf.strides.back();
  return leaf.strides[dim] == size && last != 0 && last != size && kernel.shape[dim] >= kShortSide;
}

/// The dimension along which most bytes lie across the output, or -1.
int turned_dimension(const Kernel& kernel) {
  const std::size_t rank = kernel.shape.size();
  if (rank < 2 || kernel.shape.back() < kShortSide) return -1;
  int best = -1;
  std::int64_t most = 0;
  for (std::size_t d = 0; d + 1 < rank; ++d) {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < kernel.leaves.size(); ++i)
      bytes += lies_across(kernel, i, d) ? size_of(kernel.leaves[i].type) : 0;
    if (bytes > most) {
      most = bytes;
      best = static_cast<int>(d);
    }
  }
  return best;
}

void plan_tiles(const Kernel& kernel, int turned, Plan& plan) {
  plan.form = Form::tiles;
  plan.whole = true;
  const auto last = static_cast<int>(kernel.shape.size()) - 1;
  for (int d = last - 1; d >= 0; --d) {
    if (d == turned) continue;
    plan.outer.push_back(static_cast<std::uint8_t>(d));
    plan.matrices *= kernel.shape[d];
  }
  plan.major.push_back(static_cast<std::uint8_t>(turned));
  plan.inner.push_back(static_cast<std::uint8_t>(last));
  plan.rows = kernel.shape[turned];
  plan.row = kernel.shape[last];
  for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
    plan.turned.push_back(lies_across(kernel, i, static_cast<std::size_t>(turned)));
  }
  // Strips of 16 rows of tiles, of fewer where too many tiles would lie beyond the end.
  const std::int64_t down = ceil_div(plan.rows, kTile), across = ceil_div(plan.row, kTile);
  plan.strip_shift = 4;
  while (plan.strip_shift > 0 && (ceil_div(down, 1 << plan.strip_shift) << plan.strip_shift) * 8 > down * 9) {
    --plan.strip_shift;
  }
  plan.strips = ceil_div(down, 1 << plan.strip_shift);
  plan.tiles = (plan.strips << plan.strip_shift) * across * plan.matrices;
  plan.grid_x = static_cast<std::uint32_t>(std::min<std::int64_t>(plan.tiles, 1 << 30));
}

void plan_elementwise(const Kernel& kernel, Plan& plan) {
  const int turned = turned_dimension(kernel);
  if (turned >= 0) return plan_tiles(kernel, turned, plan);
  const auto rank = static_cast<int>(kernel.shape.size());
  for (int d = rank - 1; d >= 0; --d) {
    const bool inner = d == rank - 1;
    (inner ? plan.inner : plan.major).push_back(static_cast<std::uint8_t>(d));
    (inner ? plan.row : plan.rows) *= kernel.shape[d];
  }
  plan.interleaved = is_interleaved(kernel);
  int vector = vector_of(kernel, plan.row);
  while (plan.interleaved && vector > 1 && run_bytes(kernel, vector) > kMaxRun) vector /= 2;
  plan.vector = static_cast<std::uint8_t>(vector);
  plan.unroll = static_cast<std::uint8_t>(items_in_flight(kernel, plan.vector));
  plan.single_row = plan.rows == 1;
  plan.whole = plan.row % plan.vector == 0 && !plan.single_row;  // one kernel for every length
  plan.row_items = ceil_div(plan.row, plan.vector);
  const std::int64_t blocks = ceil_div(plan.row_items * plan.rows, kBlock * plan.unroll);
  plan.grid_x = static_cast<std::uint32_t>(std::clamp<std::int64_t>(blocks, 1, most_blocks(kernel)));
}

// -- Reductions.

/// Items in flight: as many as 64 registers hold, up to 8 of the smallest.
int unroll_of(const Kernel& kernel, int vector) {
  if (is_heavy(kernel)) return 1;
  int registers = 0;
  for (const Leaf& leaf : kernel.leaves) registers += std::max(1, size_of(leaf.type) * vector / 4);
  for (const Gathered& g : kernel.gathers) registers += std::max(1, size_of(g.index.type) * vector / 4);
  return registers <= 2 ? 8 : registers <= 16 ? 4 : registers <= 32 ? 2 : 1;
}

bool is_dense(const Kernel& kernel, const Reduction& reduction) {
  std::int64_t expected = size_of(reduction.out);
  for (std::size_t d = kernel.shape.size(); d-- > 0;) {
    if (kernel.reduced >> d & 1) continue;
    if (kernel.shape[d] != 1 && reduction.strides[d] != expected) return false;
    expected *= kernel.shape[d];
  }
  return true;
}

bool is_ordered(const Kernel& kernel, const Reduction& reduction) {
  std::int64_t expected = 1;
  for (std::size_t d = kernel.shape.size(); d-- > 0;) {
    if (!(kernel.reduced >> d & 1)) continue;
    if (kernel.shape[d] != 1 && reduction.arg_weights[d] != expected) return false;
    expected *= kernel.shape[d];
  }
  return true;
}

void plan_reduction(const Kernel& kernel, Plan& plan) {
  const bool in_order = plan.pass == Pass::in_order;
  plan.shape = reduce_shape(kernel, in_order);
  plan.form = plan.shape.form;
  list_dimensions(kernel, plan);
  plan.vector = in_order ? 1 : device::kQuad;
  plan.unroll = static_cast<std::uint8_t>(unroll_of(kernel, plan.vector));
  plan.whole = plan.shape.inner % plan.vector == 0;
  plan.single_row = plan.form == Form::rows && plan.shape.major == 1;
  plan.straddles = plan.inner.size() > 1 && kernel.shape.back() % plan.vector != 0;
  plan.row_items = plan.shape.row_items;
  plan.grid_x = static_cast<std::uint32_t>(plan.shape.blocks);
  plan.grid_y = static_cast<std::uint32_t>(plan.shape.splits);
  for (std::size_t i = 0; i < kernel.reductions.size(); ++i) {
    if ((kernel.reductions[i].op == ReduceOp::generic) == in_order) list_reduction(kernel, i, plan);
  }
}

// -- Operands.

/// One of the accesses to consecutive elements: by words of `aligned` bytes, if they lie so.
Access access_to_run(const Kernel& kernel, std::int64_t aligned, const std::byte* data, const Dims& strides) {
  const std::size_t last = kernel.shape.size() - 1;
  if (reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(aligned) != 0) return Access::unit;
  for (std::size_t d = 0; d < last; ++d) {
    if (strides[d] % aligned != 0 && kernel.shape[d] != 1) return Access::unit;
  }
  return Access::vector;
}

Access access_of(const Kernel& kernel, const Plan& plan, const std::byte* data, dtype type,
                 const Dims& strides) {
  if (plan.inner.empty()) return Access::unit;
  const std::int64_t size = size_of(type), last = strides.back();
  if (last == 0) return Access::broadcast;
  if (last != size) return Access::strided;
  return access_to_run(kernel, std::min<std::int64_t>(16, plan.vector * size), data, strides);
}

/// Of a leaf that is read through indices: of the row, where an index names one for all elements of an item; else each lies by itself.
Access access_of_gathered(const Kernel& kernel, const Plan& plan, const Gathered& g) {
  const Leaf& leaf = kernel.leaves[g.leaf];
  if (plan.inner.empty()) return Access::unit;
  if (g.strides.back() != 0) return Access::strided;
  const Access access = access_of(kernel, plan, leaf.data, leaf.type, leaf.strides);
  const std::int64_t aligned = std::min<std::int64_t>(16, plan.vector * size_of(leaf.type));
  return access == Access::vector && g.step % aligned != 0 ? Access::unit : access;
}

}  // namespace

void list_dimensions(const Kernel& kernel, Plan& plan) {
  const auto rank = static_cast<int>(kernel.shape.size());
  for (int d = rank - 1; d >= 0; --d) {
    const bool reduced = kernel.reduced >> d & 1, inner = d >= rank - plan.shape.inner_dims;
    (inner ? plan.inner : reduced ? plan.major : plan.outer).push_back(static_cast<std::uint8_t>(d));
    if (!reduced) plan.kept.push_back(static_cast<std::uint8_t>(d));
  }
}

void list_reduction(const Kernel& kernel, std::size_t i, Plan& plan) {
  const Reduction& reduction = kernel.reductions[i];
  plan.reductions.push_back(static_cast<std::uint8_t>(i));
  plan.dense.push_back(!reduction.data || is_dense(kernel, reduction));
  plan.ordered.push_back(is_ordered(kernel, reduction));
}

void place_operands(const Kernel& kernel, Plan& plan) {
  const auto place = [&](const Dims& strides, Access access) {
    std::size_t layout = 0;
    while (layout < plan.layouts.size() && !(*plan.layouts[layout] == strides)) ++layout;
    if (layout == plan.layouts.size()) plan.layouts.push_back(&strides);
    plan.layout_of.push_back(static_cast<std::uint16_t>(layout));
    plan.access_of.push_back(access);
  };
  for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
    const Leaf& leaf = kernel.leaves[i];
    const Gathered* g = gathered(kernel, i);
    Access access = g ? access_of_gathered(kernel, plan, *g)
                      : access_of(kernel, plan, leaf.data, leaf.type, leaf.strides);
    if (access == Access::vector && drawn(kernel, i)) access = Access::unit;  // no memory to be aligned
    place(leaf.strides, access);
  }
  for (const Store& store : kernel.stores)
    place(store.strides, access_of(kernel, plan, store.data, store.type, store.strides));
  for (const Gathered& g : kernel.gathers)
    place(g.strides, access_of(kernel, plan, g.index.data, g.index.type, g.strides));
  if (!plan.interleaved) return;
  const std::int64_t run = run_bytes(kernel, plan.vector);
  const Store& first = kernel.stores[0];
  plan.access_of[kernel.leaves.size()] =
      access_to_run(kernel, run % 16 == 0 ? 16 : run & -run, first.data, first.strides);
}

bool is_wide(const Kernel& kernel, const Plan& plan) {
  std::int64_t total = 1;
  bool wide = false;
  const auto measure = [&](const Dims& strides, dtype type) {
    std::int64_t reach = size_of(type);
    for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
      const std::int64_t step = magnitude(strides[d]);
      if (step != 0 && kernel.shape[d] > kIndexLimit / step) wide = true;
      reach += (kernel.shape[d] - 1) * step;
    }
    wide |= reach > kIndexLimit;
  };
  for (std::int64_t extent : kernel.shape) total *= extent;
  wide |= total > kIndexLimit || plan.row_items * plan.rows > kIndexLimit;
  for (const Leaf& leaf : kernel.leaves) measure(leaf.strides, leaf.type);
  for (const Store& store : kernel.stores) measure(store.strides, store.type);
  for (const Gathered& g : kernel.gathers) measure(g.strides, g.index.type);
  for (std::uint8_t r : plan.reductions) {
    if (!kernel.reductions[r].data) continue;
    Dims strides = kernel.reductions[r].strides;
    for (std::size_t d = 0; d < strides.size(); ++d) {
      if (kernel.reduced >> d & 1) strides[d] = 0;
    }
    measure(strides, kernel.reductions[r].out);
  }
  return wide;
}

bool is_interleaved(const Kernel& kernel) {
  if (kernel.stores.size() < 2 || kernel.shape.empty()) return false;
  const Store& first = kernel.stores[0];
  const std::int64_t size = size_of(first.type);
  for (std::size_t k = 1; k < kernel.stores.size(); ++k) {
    const Store& store = kernel.stores[k];
    const bool follows = store.data == first.data + static_cast<std::int64_t>(k) * size;
    if (!follows || store.type != first.type || !(store.strides == first.strides)) return false;
  }
  return first.strides.back() == static_cast<std::int64_t>(kernel.stores.size()) * size;
}

bool is_empty(const Kernel& kernel) {
  for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
    if (kernel.shape[d] == 0 && !(kernel.reduced >> d & 1)) return true;
  }
  return kernel.reductions.empty() && kernel.stores.empty();
}

bool reduces_nothing(const Kernel& kernel) {
  for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
    if (kernel.shape[d] == 0 && (kernel.reduced >> d & 1)) return true;
  }
  return false;
}

SmallVector<Pass, 2> passes_of(const Kernel& kernel) {
  SmallVector<Pass, 2> passes;
  if (kernel.reductions.empty()) {
    passes.push_back(Pass::elementwise);
    return passes;
  }
  for (const Pass pass : {Pass::reduce, Pass::in_order}) {
    const bool wanted = std::any_of(
        kernel.reductions.begin(), kernel.reductions.end(),
        [&](const Reduction& r) { return (r.op == ReduceOp::generic) == (pass == Pass::in_order); });
    if (wanted) passes.push_back(pass);
  }
  return passes;
}

void make_plan(const Kernel& kernel, Pass pass, bool stores, Plan& plan) {
  plan.pass = pass;
  plan.stores = stores;
  if (pass == Pass::elementwise) {
    plan_elementwise(kernel, plan);
  } else {
    plan_reduction(kernel, plan);
  }
  place_operands(kernel, plan);
  plan.wide = is_wide(kernel, plan);
}

std::int64_t step_of_thread(const Kernel& kernel, const Plan& plan, std::size_t leaf) {
  const Dims& strides = kernel.leaves[leaf].strides;
  const std::int64_t size = size_of(kernel.leaves[leaf].type);
  if (strides.empty()) return 0;
  const std::int64_t along = strides.back() / size * plan.vector;
  const std::int64_t down = plan.major.empty() ? 0 : strides[plan.major[0]] / size;
  switch (plan.form) {
    case Form::elementwise: return static_cast<std::int64_t>(plan.grid_x) * kBlock * along;
    case Form::tiles: return down * (kBlock / kTile);
    case Form::columns: return down * (kBlock >> plan.shape.shift);
    case Form::serial: return down;
    default: return along << plan.shape.shift;
  }
}

std::uint8_t inner_stride_class(const Plan& plan, std::size_t layout) {
  if (plan.inner.empty()) return 0;
  const std::int64_t stride = (*plan.layouts[layout])[plan.inner[0]];
  const bool constant = stride == 1 || stride == 2 || stride == 4 || stride == 8 || stride == 16;
  return stride == 0 ? 0 : constant ? static_cast<std::uint8_t>(stride) : kByArgument;
}

}  // namespace cuprum::cuda
