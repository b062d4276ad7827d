// scatter: array[indices at position, row] = line[position, row]; where several positions name one place, the last in
// C order wins, whatever order the threads run in. Four ways, of which index_strategy.h chooses:
//   at will   every position carries the same row, so it does not matter who wins
//   winners   an entry per place holds the last position that names it (atomicMax); the others do not write
//   windows   many single words into an array beyond the cache: sorted by window first (windows.h)
//   sorted    for few positions in a large array: positions sorted by place; the last of each place writes
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/index/destinations.h"
#include "backend/cuda/primitives/index/positions.cuh"
#include "backend/cuda/primitives/index/windows.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;

__global__ void find_winners(const __grid_constant__ Move move, unsigned* winners) {
  const std::int64_t p = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (p >= move.positions.size) return;
  std::int64_t at[kIndexArrays + 1];
  move.positions.offsets(p, at);
  const Place place = move.indices.locate(at);
  if (place.number >= 0) atomicMax(winners + place.number, static_cast<unsigned>(p) + 1);
}

template <class Word>
__global__ void scatter_words(const __grid_constant__ Move move, const unsigned* winners,
                              const Destinations sorted) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= move.size) return;
  auto [position, column] = move.item(i);
  if (sorted.words) {
    if (sorted.place(position) == sorted.places || !sorted.is_last(position)) return;
    position = sorted.position(position);
  }
  std::int64_t at[kIndexArrays + 1], in_row[2];
  move.positions.offsets(position, at);
  move.row.offsets(column, in_row);
  const Place place = move.indices.locate(at);
  if (place.number < 0) return;
  if (winners && winners[place.number] != static_cast<unsigned>(position) + 1) return;
  store(move.array + place.offset + in_row[0], load<Word>(move.line + at[kIndexArrays] + in_row[1]));
}

void write(Context& context, const Move& move, const unsigned* winners, const Destinations& sorted) {
  const unsigned blocks = block_count(move.size, kThreads);
  with_word(move.word, [&](auto word) {
    scatter_words<decltype(word)><<<blocks, kThreads, 0, context.stream>>>(move, winners, sorted);
  });
  launched(context, "scatter");
}

void write_winners(Context& context, const Move& move) {
  Scratch memory(context, static_cast<std::size_t>(move.places) * 4);
  auto* winners = memory.get<unsigned>();
  check(cudaMemsetAsync(winners, 0, memory.size(), context.stream), "scatter");
  const unsigned blocks = block_count(move.positions.size, kThreads);
  find_winners<<<blocks, kThreads, 0, context.stream>>>(move, winners);
  launched(context, "scatter");
  write(context, move, winners, {});
}

}  // namespace

}  // namespace primitives

static Fault scatter(Context& context, const View& to, Operands index, const View& from,
                     const IndexSite& site) {
  using namespace primitives;
  const bool nothing_to_move = size_of(from) == 0;  // bad indices are bad all the same
  if (debugging() || nothing_to_move) {
    if (const Fault fault = first_fault(context, to.shape, index); fault.axis >= 0) return fault;
  }
  if (nothing_to_move) return {};
  IndexedMove plan(context, Direction::scatter, to, index, &from, site, true);
  const Move& move = plan.move();
  switch (scatter_way(work_of(plan), device_of(context))) {
    case ScatterWay::at_will: write(context, move, nullptr, {}); break;
    case ScatterWay::windows: scatter_by_windows(context, move); break;
    case ScatterWay::winners: write_winners(context, move); break;
    case ScatterWay::sorted: write(context, move, nullptr, SortedDestinations(context, move).get()); break;
  }
  plan.finish(context);
  return {};
}

Fault call(Context& context, const Scatter& p, Operands in, const View& out) {
  return scatter(context, out, in.subspan(1), in[0], p.site);
}

}  // namespace cuprum::cuda
