// gather: out[position, row] = array[indices at position, row].
//
// One pass: each thread finds the places of four words, reads them and writes them, so that four random reads are in
// flight. Many words of an array beyond the cache are read in its order (walk.h). Bad indices are reported (faults.h) and
// read as zero. index_strategy.h chooses the way.
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/index/indices.h"
#include "backend/cuda/primitives/index/positions.cuh"
#include "backend/cuda/primitives/index/walk.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256, kUnroll = 4;

template <class Word>
__global__ void __launch_bounds__(kThreads) gather_words(const __grid_constant__ Move move) {
  const std::int64_t first = std::int64_t{blockIdx.x} * (kThreads * kUnroll) + threadIdx.x;
  Word value[kUnroll];
  char* to[kUnroll];
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    const std::int64_t i = first + u * kThreads;
    to[u] = nullptr;
    value[u] = {};
    if (i >= move.size) continue;
    const auto [position, column] = move.item(i);
    std::int64_t at[kIndexArrays + 1], in_row[2];
    move.positions.offsets(position, at);
    move.row.offsets(column, in_row);
    const Place place = move.indices.locate(at);
    to[u] = move.line + at[kIndexArrays] + in_row[1];
    if (place.number >= 0)
      value[u] = __ldg(reinterpret_cast<const Word*>(move.array + place.offset + in_row[0]));
  }
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    if (to[u]) store(to[u], value[u]);
  }
}

/// The same for single words by one index array.
template <class Word>
__global__ void __launch_bounds__(kThreads)
    gather_row(const __grid_constant__ PositionsInARow positions, const char* array, std::int64_t step) {
  const std::int64_t first = std::int64_t{blockIdx.x} * (kThreads * kUnroll) + threadIdx.x;
  Word value[kUnroll];
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    const std::int64_t p = first + u * kThreads;
    const unsigned place = p < positions.size ? positions.place(p) : kNowhere;
    value[u] = {};
    if (place != kNowhere) value[u] = __ldg(reinterpret_cast<const Word*>(array + place * step));
  }
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) {
    const std::int64_t p = first + u * kThreads;
    if (p < positions.size) store(positions.of_line(p), value[u]);
  }
}

void gather_each(Context& context, const Move& move, bool in_a_row) {
  with_word(move.word, [&](auto word) {
    using Word = decltype(word);
    const unsigned blocks = block_count(move.size, kThreads * kUnroll);
    if (in_a_row) {
      gather_row<Word>
          <<<blocks, kThreads, 0, context.stream>>>(PositionsInARow(move), move.array, step_of(move.indices));
    } else {
      gather_words<Word><<<blocks, kThreads, 0, context.stream>>>(move);
    }
  });
  launched(context, "gather");
}

}  // namespace

}  // namespace primitives

static Fault gather(Context& context, const View& from, Operands index, const View& out,
                    const IndexSite& site) {
  using namespace primitives;
  if (debugging()) {
    if (const Fault fault = first_fault(context, from.shape, index); fault.axis >= 0) return fault;
  }
  if (size_of(out) == 0) return {};
  IndexedMove plan(context, Direction::gather, from, index, &out, site, true);
  const GatherWay way = gather_way(work_of(plan), device_of(context));
  if (way == GatherWay::walk) {
    gather_walking(context, plan.move());
  } else {
    gather_each(context, plan.move(), way == GatherWay::in_a_row);
  }
  plan.finish(context);
  return {};
}

Fault call(Context& context, const CheckIndices& p, Operands in, const View&) {
  return primitives::first_fault(context, p.shape, in);
}

Fault call(Context& context, const Gather& p, Operands in, const View& out) {
  return gather(context, in[0], in.subspan(1), out, p.site);
}

}  // namespace cuprum::cuda
