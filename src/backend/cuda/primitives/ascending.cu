#include "backend/cuda/primitives/ascending.h"

#include <new>

#include "backend/cuda/primitives/ascending_kernels.cuh"
#include "backend/cuda/primitives/positions.cuh"
#include "backend/cuda/primitives/words.cuh"

namespace cuprum::cuda::primitives {

namespace {

template <class Word>
struct Line {
  PositionsInARow positions;
  char* array;
  std::int64_t step;

  __device__ void write(unsigned place, std::int64_t position) const {
    store(array + place * step, __ldcs(reinterpret_cast<const Word*>(positions.of_line(position))));
  }
};

/// As long as the backend, which is never destroyed.
WriteOrder* order_of(Context& context) {
  if (!context.write_order) {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(WriteOrder), cudaHostAllocMapped | cudaHostAllocPortable), "scatter");
    context.write_order = new (memory) WriteOrder;
  }
  return context.write_order;
}

}  // namespace

bool ascended_before(const Context& context, const Move& move) {
  const volatile WriteOrder* order =
      context.write_order;  // the device may be writing it: a hint, whatever is read
  return order && has_places(move) && is_in_a_row(move) && order->ascends != 0 &&
         order->index == move.indices.index[0].data && order->count == move.positions.size;
}

void write_if_ascending(Context& context, const Move& move, unsigned* falls) {
  const unsigned blocks = block_count(move.positions.size, kAscendingThreads * kAscendingEach);
  with_word(move.word, [&](auto word) {
    const PositionsInARow positions(move);
    const Line<decltype(word)> line{positions, move.array, step_of(move.indices)};
    write_ascending<<<blocks, kAscendingThreads, 0, context.stream>>>(positions, line, falls);
  });
  launched(context, "scatter");
}

void remember_order(Context& context, const Move& move, const unsigned* falls) {
  note_order<<<1, 1, 0, context.stream>>>(move.indices.index[0].data, move.positions.size, falls,
                                          order_of(context));
  launched(context, "scatter");
}

}  // namespace cuprum::cuda::primitives
