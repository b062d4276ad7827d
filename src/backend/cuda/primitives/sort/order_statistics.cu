// Passes over a long row that find the elements at a few ranks (order_statistics.cuh).
#include "backend/cuda/primitives/sort/order_statistics.cuh"

#include <algorithm>

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr std::int64_t kLong =
    1 << 16;  // elements; a sort of fewer takes no longer than the launches of this

template <class K>
__global__ void __launch_bounds__(kCountThreads, 3)
    digit_counts(const typename K::Bits* row, std::int64_t n, int shift, int bits, const Wanted* wanted,
                 unsigned long long* counts) {
  extern __shared__ unsigned digit_memory[];
  count_digits<K>(row, n, shift, bits, *wanted, counts, digit_memory);
}

template <class K>
void find_elements(Context& context, const View& row, const Ranks& ranks, const View& out) {
  using Bits = typename K::Bits;
  const auto* const data = reinterpret_cast<const Bits*>(row.data.address());
  const std::int64_t n = row.shape.back();
  const auto counters = static_cast<std::size_t>(ranks.count) * kDigits;
  const Scratch state(context, sizeof(Wanted)), counting(context, counters * 8);
  auto* const wanted = state.get<Wanted>();
  auto* const counts = counting.get<unsigned long long>();
  if (counters * 4 > (std::size_t{48} << 10)) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(digit_counts<K>),
                               cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(counters * 4)),
          "shared memory of order statistics");
  }
  const auto resident = static_cast<unsigned>(context.multiprocessors) * 3;
  const unsigned blocks = std::min(block_count(n, kCountThreads * (32 / sizeof(Bits))), resident);
  begin_ranks<<<1, kPickThreads, 0, context.stream>>>(ranks, wanted, counts);
  for (int above = sizeof(Bits) * 8; above > 0;) {
    const int bits = std::min(above, kDigitBits), shift = above - bits;
    digit_counts<K>
        <<<blocks, kCountThreads, counters * 4, context.stream>>>(data, n, shift, bits, wanted, counts);
    pick_digits<K><<<1, kPickThreads, 0, context.stream>>>(wanted, ranks.count, bits, counts);
    above = shift;
  }
  write_elements<K>
      <<<1, 32, 0, context.stream>>>(wanted, ranks.count, reinterpret_cast<Bits*>(out.data.address()));
  launched(context, "partition");
}

bool find_elements(Context& context, dtype type, const View& row, const Ranks& ranks, const View& out) {
  using namespace kernels;
  switch (type) {
    case dtype::int32: find_elements<SignedKey<uint32>>(context, row, ranks, out); return true;
    case dtype::uint32: find_elements<UnsignedKey<uint32>>(context, row, ranks, out); return true;
    case dtype::float32: find_elements<Float32Key>(context, row, ranks, out); return true;
    case dtype::int64: find_elements<SignedKey<uint64>>(context, row, ranks, out); return true;
    case dtype::uint64: find_elements<UnsignedKey<uint64>>(context, row, ranks, out); return true;
    case dtype::float64: find_elements<Float64Key>(context, row, ranks, out); return true;
    default: return false;
  }
}

}  // namespace

}  // namespace primitives

bool order_statistics(Context& context, const View& in, const Dims& kth, const View& out) {
  using namespace primitives;
  const std::int64_t n = in.shape.back();
  if (size_of(in) != n || n < kLong || kth.size() > kMaxRanks || is_complex(in.type) || itemsize(in.type) < 4)
    return false;
  Ranks ranks{};
  for (std::int64_t k : kth) ranks.of[ranks.count++] = k;
  const Dense row(context, in);
  DenseOutput found(context, out);
  const bool done = find_elements(context, in.type, row.view(), ranks, found.view());
  found.finish(context);
  return done;
}

}  // namespace cuprum::cuda
