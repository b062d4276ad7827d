// Piecewise linear interpolation: the points are searched for every value, and the line is computed at its place.
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda {

static void interpolate(Context& context, const View& x, const View& xp, const View& fp, const View& ends,
                        bool reciprocal, const View& out) {
  using namespace primitives;
  const std::int64_t n = xp.shape[0], size = size_of(out);
  if (size == 0) return;
  const auto doubles = [](const View& view) { return reinterpret_cast<const double*>(view.data.address()); };
  const OnLine use{doubles(fp), doubles(ends), reciprocal};
  const SearchPlan plan = plan_search(dtype::float64, n, size, 0, context.shared_per_block, sizeof(double));
  search_views(
      context, plan, {bytes(xp.data), n, nullptr, nullptr, size}, x, out,
      [&](const Search& s) {
        search_with_guide(context, dtype::float64, s, plan, "interp", [&](const GuidedSearch& guided) {
          launch_guided<double>(context, guided, use, plan.shared_bytes);
        });
      },
      [&](const Search& s, const Layout<2>& layout) {
        single_search<double>
            <<<block_count(size, kSearchThreads), kSearchThreads, 0, context.stream>>>(s, layout, use);
        launched(context, "interp");
      });
}

void call(Context& context, const Interpolate& p, Operands in, const View& out) {
  interpolate(context, in[0], in[1], in[2], in[3], p.reciprocal, out);
}

}  // namespace cuprum::cuda
