// The elements at a few ranks (order_statistics.cuh): of rows that fit a block, or by passes over a long one.
#include "backend/cuda/primitives/sort/order_statistics.cuh"

#include <algorithm>

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr std::int64_t kLong = 1 << 16;   // elements of one row, which many blocks pass over
constexpr std::int64_t kShort = 512;      // elements; a sort of fewer takes no longer
constexpr std::int64_t kRowBytes = 4096;  // of a block's memory that are not for the row

template <class K>
__global__ void __launch_bounds__(kCountThreads, 3)
    digit_counts(const typename K::Bits* row, std::int64_t n, int shift, int bits, const Wanted* wanted,
                 unsigned long long* counts) {
  extern __shared__ unsigned digit_memory[];
  count_digits<K>(row, n, shift, bits, *wanted, counts, digit_memory);
}

template <class K>
__global__ void __launch_bounds__(kRowThreads)
    row_elements(const typename K::Bits* rows, int n, const Ranks ranks, typename K::Bits* out) {
  extern __shared__ uint4 row_memory_[];
  find_in_row<K>(rows, n, ranks, out, reinterpret_cast<char*>(row_memory_));
}

template <class K>
void find_in_rows(Context& context, const View& rows, const Ranks& ranks, const View& out) {
  using Bits = typename K::Bits;
  const std::int64_t n = rows.shape.back();
  const auto bytes = static_cast<int>(row_memory<K>(n, ranks.count));
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(row_elements<K>),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "shared memory of order statistics");
  row_elements<K><<<static_cast<unsigned>(size_of(rows) / n), kRowThreads, static_cast<std::size_t>(bytes),
                    context.stream>>>(reinterpret_cast<const Bits*>(rows.data.address()), static_cast<int>(n),
                                      ranks, reinterpret_cast<Bits*>(out.data.address()));
  launched(context, "partition");
}

template <class K>
void find_elements(Context& context, const View& row, const Ranks& ranks, const View& out) {
  if (size_of(row) != row.shape.back() || row.shape.back() < kLong)
    return find_in_rows<K>(context, row, ranks, out);
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
  const std::int64_t n = in.shape.back(), rows = size_of(in) / std::max<std::int64_t>(n, 1);
  if (kth.size() > kMaxRanks || is_complex(in.type) || itemsize(in.type) < 4) return false;
  if (rows != 1 || n < kLong) {
    const std::int64_t bytes = n * static_cast<std::int64_t>(itemsize(in.type)) +
                               static_cast<std::int64_t>(kth.size()) * kDigits * 4 + kRowBytes;
    if (n < kShort || rows >= std::int64_t{1} << 31 ||
        bytes > static_cast<std::int64_t>(context.shared_per_block))
      return false;
  }
  Ranks ranks{};
  for (std::int64_t k : kth) ranks.of[ranks.count++] = k;
  const Dense row(context, in);
  DenseOutput found(context, out);
  const bool done = find_elements(context, in.type, row.view(), ranks, found.view());
  found.finish(context);
  return done;
}

}  // namespace cuprum::cuda
