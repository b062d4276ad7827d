// How many values lie between the elements of a sorted row: searched for and counted in one pass over the values.
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda {

static void count_between(Context& context, const View& edges, const View& values, const View& out) {
  using namespace primitives;
  const std::int64_t intervals = size_of(out), size = size_of(values);
  if (intervals == 0) return;
  DenseOutput counts(context, out);
  check(cudaMemsetAsync(counts.view().data, 0, static_cast<std::size_t>(intervals) * 8, context.stream),
        "clearing counters");
  if (size > 0) {
    const Dense row(context, edges), counted(context, values);
    const Search s{bytes(row.view().data), edges.shape[0], bytes(counted.view().data), nullptr, size};
    const SearchPlan plan = plan_search(edges.type, s.n, size, intervals, context.shared_per_block);
    const CountInterval use{reinterpret_cast<unsigned long long*>(counts.view().data.address()), plan.copies};
    if (plan.buckets > 0) {
      search_runs(context, edges.type, s, use, plan, "histogram");
    } else {
      Layout<2> layout;
      make_layout<2>({&counted.view(), nullptr}, 0, values.shape.size(), layout);
      search_singly(context, edges.type, s, layout, use, "histogram");
    }
  }
  counts.finish(context);
}

void call(Context& context, const CountBetween&, Operands in, const View& out) {
  count_between(context, in[0], in[1], out);
}

}  // namespace cuprum::cuda
