// gather: out[position, row] = array[indices at position, row].
//
// One pass: each thread finds the places of four words, reads them and writes them, so that four random reads are in
// flight. Bad indices are reported (faults.h) and read as zero.
#include "backend/cuda/primitives/indices.h"
#include "backend/cuda/primitives/words.cuh"

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

}  // namespace

}  // namespace primitives

IndexFault gather(Context& context, const View& from, const std::vector<View>& index, const View& out,
                  const IndexSite& site) {
  using namespace primitives;
  const bool nothing_to_move = size_of(out) == 0;  // bad indices are bad all the same
  if (debugging() || nothing_to_move) {
    if (const IndexFault fault = first_fault(context, from.shape, index); fault.axis >= 0) return fault;
  }
  if (nothing_to_move) return {};
  IndexedMove plan(context, Direction::gather, from, index, &out, site, true);
  const Move& move = plan.move();
  with_word(move.word, [&](auto word) {
    gather_words<decltype(word)>
        <<<block_count(move.size, kThreads * kUnroll), kThreads, 0, context.stream>>>(move);
  });
  launched(context, "gather");
  plan.finish(context);
  return {};
}

}  // namespace cuprum::cuda
