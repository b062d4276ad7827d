#include "codegen/row_plan.h"

#include <algorithm>

#include "codegen/plan_parts.h"
#include "codegen/row_stages.h"
#include "core/integers.h"

namespace cuprum::cuda {

namespace {

using device::kBlock;
using device::kQuad;

constexpr std::int64_t kChunk = 16;               // items of a thread: device/reducers.cuh
constexpr int kMaxCluster = 16;                   // blocks; more than 8 where the kernel is allowed to
constexpr std::size_t kMaxKept = 128;             // registers of a thread for what it keeps
constexpr std::int64_t kMaxUnrolled = 12 * 1024;  // operations in the text of one thread
constexpr std::int64_t kMaxGrid = (std::int64_t{1} << 31) - 1;

/// Every number of items would be a kernel of its own to compile; of 16, at most a quarter is idle.
std::uint8_t items_bucket(std::int64_t items) {
  for (const int bucket : {1, 2, 4, 8, 12}) {
    if (items <= bucket) return static_cast<std::uint8_t>(bucket);
  }
  return kChunk;
}

bool can_fuse(const Kernel& kernel) {
  if (kernel.stages.empty() || kernel.shape.empty() || kernel.reductions.empty()) return false;
  if (!(kernel.reduced >> (kernel.shape.size() - 1) & 1)) return false;  // columns
  if (is_empty(kernel) || reduces_nothing(kernel) || overwrites_row_leaf(kernel)) return false;
  return std::none_of(kernel.reductions.begin(), kernel.reductions.end(),
                      [](const Reduction& r) { return r.op == ReduceOp::generic || r.op == ReduceOp::user; });
}

/// Bytes of device/row_cluster.cuh's parts of a reducer: a thread's chunk.
std::int64_t part_bytes(const Reduction& r) {
  const auto size = static_cast<std::int64_t>(std::max<std::size_t>(itemsize(folded_type(r)), 1));
  if (r.op == ReduceOp::var) return 4 * size;  // three numbers and a count; two of these for complex numbers
  if (is_arg(r.op)) return kQuad * 2 * std::max<std::int64_t>(8, size);
  return kQuad * (is_complex(r.type) ? 2 * size : size);
}

void measure_memory(const Kernel& kernel, const RowStages& stages, Plan& plan) {
  for (std::size_t s = 0; s < stages.count; ++s) {
    std::int64_t parts = 0, states = 0;
    for (std::size_t r = stages.first[s]; r < stages.first[s + 1]; ++r) {
      parts += ceil_div(part_bytes(kernel.reductions[r]), 16) * 16;
      states += kMaxStateBytes;
    }
    plan.part_bytes = std::max(plan.part_bytes, static_cast<std::uint16_t>(parts));
    plan.state_bytes = std::max(plan.state_bytes, static_cast<std::uint16_t>(states));
  }
  const std::int64_t warps = kBlock / 32 * plan.shape.splits;
  plan.shared = static_cast<std::uint32_t>(
      ceil_div(warps, plan.cluster) * plan.chunks * 32 * plan.part_bytes + warps * plan.state_bytes);
}

/// Who keeps a row; false: nobody can.
bool cut(Plan& plan, bool clusters) {
  const ReduceShape& s = plan.shape;
  const std::int64_t width = std::int64_t{1} << s.shift, each = ceil_div(s.items, width);
  if (s.splits == 1 && each <= kChunk) {
    plan.form = Form::row_program;
    plan.items = items_bucket(each);
    plan.full = plan.whole && s.items == plan.items * width;
    plan.grid_x = static_cast<std::uint32_t>(s.blocks);
    return s.blocks <= kMaxGrid;
  }
  constexpr std::int64_t chunk = kChunk * kBlock;
  const std::int64_t chunks = ceil_div(s.part, chunk), blocks = chunks * s.splits;
  if (!clusters || blocks > kMaxCluster || blocks * s.results > kMaxGrid) return false;
  plan.form = Form::row_cluster;
  plan.items = kChunk;
  plan.chunks = static_cast<int>(chunks);
  plan.cluster = static_cast<int>(blocks);
  plan.full = plan.whole && s.items == blocks * chunk;
  plan.grid_x = static_cast<std::uint32_t>(blocks * s.results);
  return true;
}

/// Blocks of a multiprocessor that its registers should suffice for: beside what a thread keeps it needs some 40.
std::uint8_t blocks_for(std::size_t kept) { return kept <= 24 ? 4 : kept <= 40 ? 3 : kept <= 80 ? 2 : 1; }

/// A transcendental function of float64 has its coefficients in registers.
bool needs_registers(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(), [](const Instr& i) {
    return (info(i.op).flags & kTranscendental) && itemsize(real_type(i.key)) == 8;
  });
}

bool has_small_states(const Kernel& kernel) {
  return std::all_of(kernel.reductions.begin(), kernel.reductions.end(), [](const Reduction& r) {
    return r.op != ReduceOp::var && itemsize(folded_type(r)) <= 4;
  });
}

/// Where the items of a thread are kept, and how many blocks share a multiprocessor. Two blocks that keep 16k float32 in
/// registers keep it busy, but of clusters, which wait for each other longer, it takes more: half of the items wait in shared
/// memory. ms for 2^28 float32 (2^27 float64) on an H200, copy 0.51, by blocks and items in memory:
///                    2, 0    3, 8    4, 8         float64    1, 0    2, 8
///   softmax, 256k    0.81    0.71    0.64         16k        0.87    1.22 (spills)
///   layer norm       0.99    0.77    0.95 (spills)           0.78    0.61
///   softmax, 16k     0.52    0.53
void place_items(const Kernel& kernel, const RowStages& stages, Plan& plan) {
  const std::size_t kept = stages.kept_bytes * plan.items;
  const bool clusters = plan.form == Form::row_cluster;
  if ((kept > 64 || (clusters && kept > 32)) && !needs_registers(kernel))
    plan.memory_items = static_cast<std::uint8_t>(plan.items / 8 * 4);
  const std::size_t each = (stages.kept_bytes * kQuad + 15) / 16 * 16;  // bytes of an item
  plan.saved = plan.shared;
  plan.shared += static_cast<std::uint32_t>(plan.memory_items * each * kBlock);
  const std::size_t held = stages.kept_bytes * (plan.items - plan.memory_items);
  plan.blocks_each = clusters && held <= 32 && has_small_states(kernel) ? 4 : blocks_for(held);
}

bool fits(const Kernel& kernel, const RowStages& stages, const Plan& plan) {
  if (stages.kept_bytes * plan.items > kMaxKept) return false;
  std::int64_t length = 16 * static_cast<std::int64_t>(kernel.draws.size());
  for (const auto& list : stages.code) {
    for (const std::size_t i : list) length += info(kernel.code[i].op).flags & kTranscendental ? 16 : 1;
  }
  return length * plan.items * kQuad <= kMaxUnrolled;
}

constexpr int kMaxShared = 200 * 1024;  // of a block

}  // namespace

// ceil(8 splits / cluster) warps that were given to a block, where cluster = splits * chunks, have less than 8 + chunks chunks.
int most_shared(const Plan& plan) {
  const auto waiting = static_cast<int>(plan.shared - plan.saved);
  if (plan.form != Form::row_cluster) return waiting;
  return waiting + (kBlock / 32 + kMaxCluster) * 32 * plan.part_bytes +
         kBlock / 32 * kMaxCluster * plan.state_bytes;
}

bool overwrites_row_leaf(const Kernel& kernel) {
  for (const Store& store : kernel.stores) {
    if (!store.row) continue;
    for (const Leaf& leaf : kernel.leaves) {
      if (leaf.data && leaf.data == store.data) return true;
    }
  }
  return false;
}

bool make_row_plan(const Kernel& kernel, bool clusters, Plan& plan) {
  if (!can_fuse(kernel)) return false;
  plan.pass = Pass::reduce;
  plan.stores = true;
  plan.shape = reduce_shape(kernel, false);
  list_dimensions(kernel, plan);
  plan.vector = kQuad;
  plan.whole = plan.shape.inner % kQuad == 0;
  plan.single_row = plan.shape.major == 1;
  plan.row_items = plan.shape.row_items;
  if (plan.inner.size() > 1 && kernel.shape.back() % kQuad != 0) return false;  // items cross rows of a leaf
  if (!cut(plan, clusters)) return false;
  const RowStages stages(kernel);
  if (!fits(kernel, stages, plan)) return false;
  if (plan.form == Form::row_cluster) measure_memory(kernel, stages, plan);
  place_items(kernel, stages, plan);
  if (most_shared(plan) > kMaxShared) return false;
  for (std::size_t i = 0; i < kernel.reductions.size(); ++i) list_reduction(kernel, i, plan);
  place_operands(kernel, plan);
  plan.wide = is_wide(kernel, plan);
  return true;
}

}  // namespace cuprum::cuda
