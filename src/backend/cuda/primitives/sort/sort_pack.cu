// Values into sort keys and back.
#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/sort/sort_pack.h"
#include "kernels/sort_key.h"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kThreads = 256;

using namespace kernels;

/// Calls f with the key type of a real dtype.
template <class F>
void with_key(dtype type, F&& f) {
  switch (type) {
    case dtype::bool_:
    case dtype::uint8: return f(UnsignedKey<uint8>());
    case dtype::uint16: return f(UnsignedKey<uint16>());
    case dtype::uint32: return f(UnsignedKey<uint32>());
    case dtype::uint64: return f(UnsignedKey<uint64>());
    case dtype::int8: return f(SignedKey<uint8>());
    case dtype::int16: return f(SignedKey<uint16>());
    case dtype::int32: return f(SignedKey<uint32>());
    case dtype::int64: return f(SignedKey<uint64>());
    case dtype::float16: return f(Float16Key());
    case dtype::bfloat16: return f(BFloat16Key());
    case dtype::float32: return f(Float32Key());
    default: return f(Float64Key());
  }
}

struct Pack {
  std::int64_t size, n;
  Divider by_n;
  bool narrow;
  int key_shift, row_shift;
  Low low;
};

template <class K>
__global__ void pack(const typename K::Bits* values, uint64* words, Pack p) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= p.size) return;
  const typename K::Bits x = values[i];
  const std::int64_t row = p.by_n.quotient(i, p.narrow);
  uint64 word = static_cast<uint64>(p.low == Low::none ? K::lossless(x) : K::canonical(x)) << p.key_shift;
  if (p.row_shift < 64) word |= static_cast<uint64>(row) << p.row_shift;
  if (p.low == Low::bits) word |= x;
  if (p.low == Low::index) word |= static_cast<uint64>(i - row * p.n);
  words[i] = word;
}

template <class K>
__global__ void unpack(const uint64* words, typename K::Bits* values, std::int64_t size, Low low) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= size) return;
  const auto bits = static_cast<typename K::Bits>(words[i]);
  values[i] = low == Low::none ? K::restore(bits) : bits;
}

__global__ void unpack_index(const uint64* words, std::int64_t* index, std::int64_t size, uint64 mask) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) index[i] = static_cast<std::int64_t>(words[i] & mask);
}

/// keys[i] = key of values[positions[i]]; null positions are 0, 1, ...
template <class K>
__global__ void keys_at(const typename K::Bits* values, const std::int64_t* positions, uint64* keys,
                        std::int64_t size) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) keys[i] = K::canonical(values[positions ? positions[i] : i]);
}

/// Of complex numbers: the high key, the low one, or, where both fit one word, both.
template <class K>
__global__ void complex_keys_at(const typename K::Bits* parts, const std::int64_t* positions, uint64* keys,
                                std::int64_t size, bool high) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= size) return;
  const std::int64_t at = positions ? positions[i] : i;
  const auto key = ComplexKey<K>::canonical(parts[2 * at], parts[2 * at + 1]);
  if constexpr (sizeof(key.high) == 4) {
    keys[i] = static_cast<uint64>(key.high) << 32 | key.low;
  } else {
    keys[i] = high ? key.high : key.low;
  }
}

__global__ void rows_at(const std::int64_t* positions, uint64* keys, std::int64_t size, Divider by_n,
                        bool narrow) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) keys[i] = static_cast<uint64>(by_n.quotient(positions[i], narrow));
}

__global__ void count_up(std::int64_t* positions, std::int64_t size) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) positions[i] = i;
}

__global__ void within_rows(const std::int64_t* positions, std::int64_t* index, std::int64_t size,
                            std::int64_t n, Divider by_n, bool narrow) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) index[i] = positions[i] - by_n.quotient(positions[i], narrow) * n;
}

template <class Word>
__global__ void take(const Word* values, const std::int64_t* positions, Word* out, std::int64_t size) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size) out[i] = values[positions[i]];
}

}  // namespace

#define CUPRUM_LAUNCH(kernel, size) kernel<<<block_count(size, kThreads), kThreads, 0, context.stream>>>

void pack_words(Context& context, const View& in, std::int64_t n, const SortPlan& plan, Low low,
                std::uint64_t* words) {
  const std::int64_t size = size_of(in);
  const Pack p{size, n, Divider(n), is_narrow(size), plan.low_bits, plan.row_shift(), low};
  with_key(in.type, [&](auto key) {
    using K = decltype(key);
    CUPRUM_LAUNCH(pack<K>, size)(reinterpret_cast<const typename K::Bits*>(in.data.address()), words, p);
  });
  launched(context, "sort");
}

void unpack_values(Context& context, const std::uint64_t* words, Low low, const View& out) {
  const std::int64_t size = size_of(out);
  with_key(out.type, [&](auto key) {
    using K = decltype(key);
    if constexpr (sizeof(typename K::Bits) <= 4) {
      CUPRUM_LAUNCH(unpack<K>, size)
      (words, reinterpret_cast<typename K::Bits*>(out.data.address()), size, low);
    }
  });
  launched(context, "sort");
}

void unpack_indices(Context& context, const std::uint64_t* words, int bits, std::int64_t* index,
                    std::int64_t size) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  CUPRUM_LAUNCH(unpack_index, size)(words, index, size, mask);
  launched(context, "argsort");
}

void sort_keys_at(Context& context, const View& in, const std::int64_t* positions, bool high,
                  std::uint64_t* keys) {
  const std::int64_t size = size_of(in);
  if (in.type == dtype::complex64) {
    CUPRUM_LAUNCH(complex_keys_at<Float32Key>, size)
    (reinterpret_cast<const uint32*>(in.data.address()), positions, keys, size, high);
  } else if (in.type == dtype::complex128) {
    CUPRUM_LAUNCH(complex_keys_at<Float64Key>, size)
    (reinterpret_cast<const uint64*>(in.data.address()), positions, keys, size, high);
  } else {
    with_key(in.type, [&](auto key) {
      using K = decltype(key);
      CUPRUM_LAUNCH(keys_at<K>, size)
      (reinterpret_cast<const typename K::Bits*>(in.data.address()), positions, keys, size);
    });
  }
  launched(context, "sort");
}

void row_keys_at(Context& context, const std::int64_t* positions, std::int64_t n, std::uint64_t* keys,
                 std::int64_t size) {
  CUPRUM_LAUNCH(rows_at, size)(positions, keys, size, Divider(n), is_narrow(size));
  launched(context, "sort");
}

void first_positions(Context& context, std::int64_t* positions, std::int64_t size) {
  CUPRUM_LAUNCH(count_up, size)(positions, size);
  launched(context, "sort");
}

void positions_within_rows(Context& context, const std::int64_t* positions, std::int64_t n,
                           std::int64_t* index, std::int64_t size) {
  CUPRUM_LAUNCH(within_rows, size)(positions, index, size, n, Divider(n), is_narrow(size));
  launched(context, "argsort");
}

void take_positions(Context& context, const View& in, const std::int64_t* positions, const View& out) {
  const std::int64_t size = size_of(in);
  with_word(itemsize(in.type), [&](auto word) {
    using Word = decltype(word);
    CUPRUM_LAUNCH(take<Word>, size)
    (reinterpret_cast<const Word*>(in.data.address()), positions, reinterpret_cast<Word*>(out.data.address()),
     size);
  });
  launched(context, "sort");
}

}  // namespace cuprum::cuda::primitives
