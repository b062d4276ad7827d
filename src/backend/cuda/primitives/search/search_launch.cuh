// The launch of a search, for what is made of the places (`Use`, search_kernels.cuh).
#pragma once

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/search/search_kernels.cuh"
#include "backend/cuda/primitives/search/search_plan.h"

namespace cuprum::cuda::primitives {

/// guide = that of a sorted row of n elements of a dtype that has one.
void make_guide(Context& context, dtype type, const char* row, std::int64_t n, unsigned* guide,
                unsigned buckets);

/// f(T()) for the dtypes that have a guide.
template <class F>
void with_line(dtype type, F&& f) {
  switch (type) {
    case dtype::int32: return f(kernels::int32());
    case dtype::int64: return f(kernels::int64());
    case dtype::uint32: return f(kernels::uint32());
    case dtype::uint64: return f(kernels::uint64());
    case dtype::float32: return f(float());
    case dtype::float64: return f(double());
    default: return;
  }
}

/// Blocks of a multiprocessor: two are best where results are written, three where values are only read.
template <class Use>
inline constexpr int kSearchBlocks = Use::kCounts ? 3 : 2;

template <class T, class Use>
__global__ void __launch_bounds__(kSearchThreads, kSearchBlocks<Use>)
    guided_search(const __grid_constant__ GuidedSearch s, const Use use) {
  extern __shared__ uint4 dynamic_memory[];
  search_guided<T>(s, use, reinterpret_cast<char*>(dynamic_memory));
}

template <class T, class Use>
__global__ void __launch_bounds__(kSearchThreads)
    single_search(const Search s, const __grid_constant__ Layout<2> layout, const Use use) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kSearchThreads + threadIdx.x;
  if (i < s.size) search_one<T>(s, layout, use, i);
}

template <class T, class Use>
void launch_guided(Context& context, const GuidedSearch& s, const Use& use, std::size_t shared_bytes) {
  if (shared_bytes > (std::size_t{48} << 10)) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(guided_search<T, Use>),
                               cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
          "shared memory of a search");
  }
  const auto fit = static_cast<int>(context.shared_per_block / (shared_bytes + 1024));
  const auto resident =
      static_cast<unsigned>(context.multiprocessors * std::clamp(fit, 1, kSearchBlocks<Use>));
  const unsigned blocks = std::min(block_count(s.of.size, kSearchTile<T>), resident);
  guided_search<T><<<blocks, kSearchThreads, shared_bytes, context.stream>>>(s, use);
}

/// Searches with a guide: launch(search) launches the kernel.
template <class Launch>
void search_with_guide(Context& context, dtype type, const Search& s, const SearchPlan& plan,
                       const char* operation, const Launch& launch) {
  std::optional<Scratch> guide;
  if (!plan.near) {
    guide.emplace(context, std::size_t{plan.buckets} * 4);
    make_guide(context, type, s.row, s.n, guide->get<unsigned>(), plan.buckets);
  }
  launch(GuidedSearch{s, guide ? guide->get<unsigned>() : nullptr, plan.buckets});
  launched(context, operation);
}

/// Searches for values that are one run, as their results are.
template <class Use>
void search_runs(Context& context, dtype type, const Search& s, const Use& use, const SearchPlan& plan,
                 const char* operation) {
  search_with_guide(context, type, s, plan, operation, [&](const GuidedSearch& guided) {
    with_line(type,
              [&](auto zero) { launch_guided<decltype(zero)>(context, guided, use, plan.shared_bytes); });
  });
}

/// Searches for single values.
template <class Use>
void search_singly(Context& context, dtype type, const Search& s, const Layout<2>& layout, const Use& use,
                   const char* operation) {
  const unsigned blocks = block_count(s.size, kSearchThreads);
  kernels::with_element(type, [&](auto zero) {
    single_search<decltype(zero)><<<blocks, kSearchThreads, 0, context.stream>>>(s, layout, use);
  });
  launched(context, operation);
}

/// For every element of `values` its result in `out`, from its place in `row`: runs(s) for values and results that are one
/// run each, where the plan has a guide; or singly(s, layout).
template <class Runs, class Singly>
void search_views(Context& context, const SearchPlan& plan, Search s, const View& values, const View& out,
                  const Runs& runs, const Singly& singly) {
  Layout<2> layout;
  if (plan.buckets == 0 && is_aligned(values) && is_aligned(out) &&
      make_layout<2>({&values, &out}, 0, out.shape.size(), layout)) {
    s.values = bytes(values.data);
    s.out = bytes(out.data);
    return singly(s, layout);
  }
  const Dense wanted(context, values);
  DenseOutput results(context, out);
  s.values = bytes(wanted.view().data);
  s.out = bytes(results.view().data);
  if (plan.buckets > 0) {
    runs(s);
  } else {
    make_layout<2>({&wanted.view(), &results.view()}, 0, out.shape.size(), layout);
    singly(s, layout);
  }
  results.finish(context);
}

template <class Use>
void search_into(Context& context, const View& row, const View& values, const Use& use, const View& out,
                 const char* operation) {
  const std::int64_t n = row.shape[0], size = size_of(out);
  if (size == 0) return;
  const Dense sorted(context, row);
  const SearchPlan plan = plan_search(row.type, n, size, 0, context.shared_per_block);
  search_views(
      context, plan, {bytes(sorted.view().data), n, nullptr, nullptr, size}, values, out,
      [&](const Search& s) { search_runs(context, row.type, s, use, plan, operation); },
      [&](const Search& s, const Layout<2>& layout) {
        search_singly(context, row.type, s, layout, use, operation);
      });
}

}  // namespace cuprum::cuda::primitives
