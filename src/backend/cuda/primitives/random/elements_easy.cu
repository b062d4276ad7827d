// Laws of which most numbers need no more than their unit, or all of them.
#include <optional>

#include "backend/cuda/primitives/random/easy_elements.cuh"
#include "runtime/quantile_table.h"

namespace cuprum::cuda::primitives {

namespace {

/// Counts by a table, which goes to the device with the call: 3 KB for a mean of 5, 10 at most.
bool draw_by_table(Context& context, const DrawJob& job) {
  const std::optional<QuantileTable> table = quantile_table(job.draw);
  if (!table) return false;
  const std::size_t edges = table->edges.size() * 8, guide = table->guide.size() * 2;
  const Scratch memory(context, edges + guide);
  // The tables are not pinned: they have been read when the calls return.
  check(cudaMemcpyAsync(memory.get(), table->edges.data(), edges, cudaMemcpyHostToDevice, context.stream),
        "copying a table of quantiles");
  check(cudaMemcpyAsync(memory.get() + edges, table->guide.data(), guide, cudaMemcpyHostToDevice,
                        context.stream),
        "copying a table of quantiles");
  random::QuantileElement law;
  law.edges = memory.get<const kernels::uint64>();
  law.guide = reinterpret_cast<const kernels::uint16*>(memory.get() + edges);
  law.least = table->least;
  law.count = static_cast<int>(table->edges.size());
  return launch_easy<true>(context, job, law);
}

}  // namespace

bool draw_easy_elements(Context& context, const DrawJob& job) {
  using namespace kernels::random;
  const LawBits p = law_bits(job);
  switch (job.draw.law) {
    case Law::random: return launch_easy<true>(context, job, RandomElement(p));
    case Law::random_f: return launch_easy<true>(context, job, RandomElementFloat(p));
    case Law::triangular: return launch_easy<true>(context, job, TriangularElement(p));
    case Law::standard_normal: return launch_easy<false>(context, job, NormalElement(p));
    case Law::standard_normal_f: return launch_easy<false>(context, job, NormalElementFloat(p));
    case Law::standard_exponential: return launch_easy<false>(context, job, ExponentialElement(p));
    case Law::standard_exponential_f: return launch_easy<false>(context, job, ExponentialElementFloat(p));
    case Law::standard_gamma:
      return p.real(0) > 1 && launch_easy<false>(context, job, GammaElement(p.real(0), 1.0));
    case Law::chisquare:
      return p.real(0) / 2 > 1 && launch_easy<false>(context, job, GammaElement(p.real(0) / 2, 2.0));
    default: return draw_by_table(context, job);
  }
}

}  // namespace cuprum::cuda::primitives
