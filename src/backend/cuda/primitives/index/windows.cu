#include "backend/cuda/primitives/index/windows.h"

#include <algorithm>
#include <bit>
#include <type_traits>

#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/index/positions.cuh"
#include "backend/cuda/primitives/index/window_kernels.cuh"
#include "backend/cuda/primitives/sort/radix.h"
#include "backend/cuda/primitives/sort/sort_plan.h"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kTwoPasses = 16;  // bits that two passes of the sort take

/// Words of 16 bytes stay where they are: their position is sorted. The others are sorted themselves.
template <class Word>
constexpr bool stays = sizeof(Word) == 16;
template <class Word>
using Payload = std::conditional_t<sizeof(Word) == 8, std::uint64_t, std::uint32_t>;

template <class Word, class Positions>
__global__ void __launch_bounds__(kWindowThreads)
    make_pairs(const __grid_constant__ Positions positions, unsigned places, unsigned* place,
               Payload<Word>* payload) {
  const std::int64_t p = std::int64_t{blockIdx.x} * kWindowThreads + threadIdx.x;
  if (p >= positions.size) return;
  if constexpr (stays<Word>) {
    payload[p] = static_cast<std::uint32_t>(p);
  } else {
    payload[p] = load<Word>(positions.of_line(p));
  }
  const unsigned here = positions.place(p);
  place[p] = here == kNowhere ? places : here;
}

/// The array, place by place.
template <class Word>
struct WordTarget {
  char* array;
  std::int64_t stride;
  const Payload<Word>* payload;
  const char* line;
  Layout<kIndexArrays + 1> positions;

  __device__ char* at(unsigned place) const { return array + place * stride; }
  /// A sector that is written in part is fetched when it leaves the cache, late and alone; read before, it is there.
  __device__ void touch(unsigned place) const { asm volatile("prefetch.global.L2 [%0];" ::"l"(at(place))); }
  __device__ void write(unsigned place, unsigned pair) const {
    if constexpr (stays<Word>) {
      std::int64_t from[kIndexArrays + 1];
      positions.offsets(payload[pair], from);
      store(at(place), load<Word>(line + from[kIndexArrays]));
    } else {
      store(at(place), static_cast<Word>(payload[pair]));
    }
  }
};

/// A window has some 256 pairs, if the sort need not take a third pass for that.
int window_bits(std::int64_t places, std::int64_t pairs, int place_bits) {
  const std::int64_t wanted = std::max<std::int64_t>(kWindowThreads * places / pairs, 1);
  const int bits = std::bit_width(static_cast<std::uint64_t>(wanted)) - 1;
  return std::clamp(std::max(bits, place_bits - kTwoPasses), 0, kMostWindowBits);
}

template <class Word>
void scatter_words_by_windows(Context& context, const Move& move) {
  const std::int64_t n = move.positions.size;
  const int place_bits = bits_for(move.places + 1);  // bad indices have the number `places`
  const int bits = window_bits(move.places, n, place_bits);
  const auto windows = static_cast<unsigned>((move.places >> bits) + 1);
  const auto count = static_cast<std::size_t>(n);

  Scratch keys(context, count * 8), payloads(context, count * 2 * sizeof(Payload<Word>));
  Areas<std::uint32_t> place{keys.get<std::uint32_t>(), keys.get<std::uint32_t>() + n};
  Areas<Payload<Word>> payload{payloads.get<Payload<Word>>(), payloads.get<Payload<Word>>() + n};
  with_positions(move, [&](auto positions) {
    make_pairs<Word><<<block_count(n, kWindowThreads), kWindowThreads, 0, context.stream>>>(
        positions, static_cast<unsigned>(move.places), place.current, payload.current);
  });
  launched(context, "scatter");
  sort_places(context, place, payload, n, bits, place_bits);

  Scratch starts(context, (std::size_t{windows} + 3) * 4);
  Scratch tiles(context, static_cast<std::size_t>(most_tiles(n)) * sizeof(SharedTile));
  Scratch winners(context, static_cast<std::size_t>(most_slots(n)) * 4 << bits);
  auto* start = starts.get<unsigned>();
  const Windows w{place.current,
                  static_cast<unsigned>(n),
                  static_cast<unsigned>(move.places),
                  bits,
                  start,
                  start + windows + 1,
                  start + windows + 2,
                  tiles.get<SharedTile>(),
                  winners.get<unsigned>()};
  const WordTarget<Word> target{move.array, step_of(move.indices), payload.current, move.line,
                                move.positions};
  find_starts<<<block_count(windows + 1, kWindowThreads), kWindowThreads, 0, context.stream>>>(w, windows);
  launched(context, "scatter");
  write_windows<<<windows, kWindowThreads, 0, context.stream>>>(w, target);
  launched(context, "scatter");
  const auto resident = static_cast<unsigned>(context.multiprocessors) * 8;
  share_claims<<<resident, kWindowThreads, 0, context.stream>>>(w);
  launched(context, "scatter");
  share_writes<<<resident, kWindowThreads, 0, context.stream>>>(w, target);
  launched(context, "scatter");
}

}  // namespace

void scatter_by_windows(Context& context, const Move& move) {
  with_word(move.word, [&](auto word) { scatter_words_by_windows<decltype(word)>(context, move); });
}

}  // namespace cuprum::cuda::primitives
