// scatter: array[indices at position, row] = line[position, row]; where several positions name one place, the last in
// C order wins, whatever order the threads run in. Five ways:
//   at will   every position carries the same row, so it does not matter who wins
//   winners   an entry per place holds the last position that names it (atomicMax); the others do not write
//   ascending as they come, if the same index array was found to ascend before; if it does not, by winners after all
//   windows   many single words into an array beyond the cache: sorted by window first (windows.h)
//   sorted    for few positions in a large array: positions sorted by place; the last of each place writes
#include <algorithm>

#include "backend/cuda/primitives/ascending.h"
#include "backend/cuda/primitives/destinations.h"
#include "backend/cuda/primitives/windows.h"
#include "backend/cuda/primitives/words.cuh"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kMostPositions = 0xfffffffe;  // entries have 32 bits, and 0 for none
constexpr std::int64_t kPlacesPerPosition = 16;  // up to here clearing the entries costs less than sorting

/// `needed`, here and below: if not null and 0 on the device, there is nothing to do.
__device__ bool is_needed(const unsigned* needed) { return !needed || *needed != 0; }

/// This thread's share of n things; one, or several where blocks are few.
template <class F>
__device__ void each_of(std::int64_t n, F f) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * kThreads) {
    f(i);
  }
}

__global__ void clear_winners(unsigned* winners, std::int64_t places, const unsigned* needed) {
  if (is_needed(needed)) each_of(places, [&](std::int64_t i) { winners[i] = 0; });
}

__global__ void find_winners(const __grid_constant__ Move move, unsigned* winners, const unsigned* needed) {
  if (!is_needed(needed)) return;
  each_of(move.positions.size, [&](std::int64_t p) {
    std::int64_t at[kIndexArrays + 1];
    move.positions.offsets(p, at);
    const Place place = move.indices.locate(at);
    if (place.number >= 0) atomicMax(winners + place.number, static_cast<unsigned>(p) + 1);
  });
}

template <class Word>
__global__ void scatter_words(const __grid_constant__ Move move, const unsigned* winners,
                              const Destinations sorted, const unsigned* needed) {
  if (!is_needed(needed)) return;
  each_of(move.size, [&](std::int64_t i) {
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
  });
}

/// A thread for each, but no more than run at once where most often nothing is needed.
unsigned blocks_for(const Context& context, std::int64_t items, const unsigned* needed) {
  const unsigned blocks = block_count(items, kThreads);
  return needed ? std::min(blocks, static_cast<unsigned>(context.multiprocessors) * 8) : blocks;
}

void write(Context& context, const Move& move, const unsigned* winners, const Destinations& sorted,
           const unsigned* needed = nullptr) {
  const unsigned blocks = blocks_for(context, move.size, needed);
  with_word(move.word, [&](auto word) {
    scatter_words<decltype(word)><<<blocks, kThreads, 0, context.stream>>>(move, winners, sorted, needed);
  });
  launched(context, "scatter");
}

void write_winners(Context& context, const Move& move, const unsigned* needed) {
  Scratch memory(context, static_cast<std::size_t>(move.places) * 4);
  auto* winners = memory.get<unsigned>();
  if (needed) {
    const unsigned blocks = blocks_for(context, move.places, needed);
    clear_winners<<<blocks, kThreads, 0, context.stream>>>(winners, move.places, needed);
    launched(context, "scatter");
  } else {
    check(cudaMemsetAsync(winners, 0, memory.size(), context.stream), "scatter");
  }
  const unsigned blocks = blocks_for(context, move.positions.size, needed);
  find_winners<<<blocks, kThreads, 0, context.stream>>>(move, winners, needed);
  launched(context, "scatter");
  write(context, move, winners, {}, needed);
}

void write_in_order(Context& context, const Move& move) {
  Scratch falls(context, 4);
  check(cudaMemsetAsync(falls.get(), 0, falls.size(), context.stream), "scatter");
  write_if_ascending(context, move, falls.get<unsigned>());
  remember_order(context, move, falls.get<unsigned>());
  write_winners(context, move, falls.get<unsigned>());
}

}  // namespace

}  // namespace primitives

IndexFault scatter(Context& context, const View& to, const std::vector<View>& index, const View& from,
                   const IndexSite& site) {
  using namespace primitives;
  const bool nothing_to_move = size_of(from) == 0;  // bad indices are bad all the same
  if (debugging() || nothing_to_move) {
    if (const IndexFault fault = first_fault(context, to.shape, index); fault.axis >= 0) return fault;
  }
  if (nothing_to_move) return {};
  IndexedMove plan(context, Direction::scatter, to, index, &from, site, true);
  const Move& move = plan.move();
  const std::int64_t n = plan.positions();
  if (n == 1 || plan.is_uniform()) {
    write(context, move, nullptr, {});
  } else if (goes_by_windows(context, move)) {
    ascended_before(context, move) ? write_in_order(context, move) : scatter_by_windows(context, move);
  } else if (move.places <= kPlacesPerPosition * n && n <= kMostPositions) {
    write_winners(context, move, nullptr);
  } else {
    const SortedDestinations sorted(context, move);
    write(context, move, nullptr, sorted.get());
  }
  plan.finish(context);
  return {};
}

}  // namespace cuprum::cuda
