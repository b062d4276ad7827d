#include "backend/cuda/primitives/index/destinations.h"

#include <string>

#include "backend/cuda/primitives/sort/sort_plan.h"
#include "cuprum/error.h"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kThreads = 256;

__global__ void number_places(const __grid_constant__ Move move, std::uint64_t* words, int bits) {
  const std::int64_t p = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (p >= move.positions.size) return;
  std::int64_t at[kIndexArrays + 1];
  move.positions.offsets(p, at);
  const Place place = move.indices.locate(at);
  const std::int64_t number = place.number < 0 ? move.places : place.number;
  words[p] = static_cast<std::uint64_t>(number) << bits | static_cast<std::uint64_t>(p);
}

}  // namespace

SortedDestinations::SortedDestinations(Context& context, const Move& move)
    : words_(context, static_cast<std::size_t>(move.positions.size) * 16) {
  const std::int64_t n = move.positions.size;
  const int position_bits = bits_for(n), place_bits = bits_for(move.places + 1);
  if (position_bits + place_bits > 64) {
    throw ValueError("cuprum: " + std::to_string(n) + " indices into " + std::to_string(move.places) +
                     " elements are more than one call can order; index in several calls");
  }
  auto* word = words_.get<std::uint64_t>();
  Areas<std::uint64_t> areas{word, word + n};
  number_places<<<block_count(n, kThreads), kThreads, 0, context.stream>>>(move, areas.current,
                                                                           position_bits);
  launched(context, "number_places");
  sort_words(context, areas, n, position_bits, position_bits + place_bits);
  sorted_ = {areas.current, position_bits, move.places, n};
}

}  // namespace cuprum::cuda::primitives
