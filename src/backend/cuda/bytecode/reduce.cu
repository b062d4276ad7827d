// Reductions by the interpreter: the choice of the kernel, and those in index order.
#include "backend/cuda/bytecode/reduce.cuh"
#include "codegen/divisor.h"
#include "jit/workspace.h"

namespace cuprum::cuda::bytecode {

namespace {

__global__ void __launch_bounds__(kThreads, 2)
    interpret_in_order(const __grid_constant__ ReduceParameters p) {
  begin_block(p.program);
  reduce_in_order(shared_memory(), p.space.results, p.space.count);
}

void launch_in_order(Context& context, const ReduceParameters& p, const ReduceShape& shape,
                     std::size_t shared_bytes) {
  static std::atomic<std::uint64_t> allowed = 0;
  launch_kernel(context, &interpret_in_order, p, shape, shared_bytes, allowed);
}

LaunchFn find(const Reduction& r) {
  if (r.op == ReduceOp::generic) return &launch_in_order;
  const dtype type = reduced_type(r);
  for (const auto family : {find_sum, find_extremum, find_position, find_truth_or_bits, find_variance}) {
    if (const LaunchFn launch = family(r.op, type)) return launch;
  }
  return nullptr;
}

/// Can the kernel write its result as r.out?
bool writes(const Reduction& r) {
  const bool position = r.op >= ReduceOp::argmin && r.op <= ReduceOp::nanargmax;
  const dtype type = reduced_type(r);
  if (position || is_integer(type) || is_bool(type)) return is_integer(r.out) || is_bool(r.out);
  const dtype result = r.op == ReduceOp::var ? real_type(type) : type;
  return r.out == result || (result == dtype::float32 && is_small_float(r.out));
}

}  // namespace

bool can_reduce(const Reduction& r) { return r.op == ReduceOp::generic || (find(r) != nullptr && writes(r)); }

void run_reduction(Context& context, const Reduction& r, const ReduceShape& shape, const Program& program) {
  ReduceParameters p;
  p.ddof = r.ddof;
  p.out = r.out;
  p.space.inner = shape.inner;
  p.space.items = shape.items;
  p.space.major = shape.major;
  p.space.results = shape.results;
  p.space.part = shape.part;
  p.space.per_row = make_divisor<int64>(shape.row_items);
  p.space.count = shape.count;
  p.space.shift = shape.shift;
  p.space.splits = shape.splits;
  p.space.partials = nullptr;
  p.space.tickets = nullptr;
  const Argument argument(context, program, p.program);
  std::optional<Scratch> partials;
  if (shape.splits > 1) {
    partials.emplace(context, static_cast<std::size_t>(partial_bytes(shape, 1)));
    p.space.partials = partials->get<char>();
    p.space.tickets = tickets(context);
  }
  find(r)(context, p, shape, program.shared_bytes);
}

}  // namespace cuprum::cuda::bytecode
