// What is done with the true elements of a mask: each a `Use` of each_true (mask_kernels.cuh).
#pragma once

#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/common/words.cuh"

namespace cuprum::cuda::primitives {

/// out[rank] = in[i], `in` dense.
template <class Word>
struct SelectDense {
  using Value = Word;
  const Word* in;
  Word* out;

  __device__ Word read(std::int64_t i, std::int64_t) const { return in[i]; }
  __device__ void write(std::int64_t, std::int64_t rank, const Word& value) const { out[rank] = value; }
};

template <class Word>
struct SelectStrided {
  using Value = Word;
  const char* in;
  Word* out;
  Layout<1> layout;

  __device__ Word read(std::int64_t i, std::int64_t) const {
    std::int64_t at[1];
    layout.offsets(i, at);
    return load<Word>(in + at[0]);
  }
  __device__ void write(std::int64_t, std::int64_t rank, const Word& value) const { out[rank] = value; }
};

/// to[i] = from[rank].
template <class Word>
struct Assign {
  using Value = Word;
  char* to;
  Layout<1> layout;
  const char* from;
  std::int64_t step;

  __device__ Word read(std::int64_t, std::int64_t rank) const { return load<Word>(from + step * rank); }
  __device__ void write(std::int64_t i, std::int64_t, const Word& value) const {
    std::int64_t at[1];
    layout.offsets(i, at);
    store(to + at[0], value);
  }
};

/// out[rank] = i.
struct Positions {
  struct Value {};
  std::int64_t* out;

  __device__ Value read(std::int64_t, std::int64_t) const { return {}; }
  __device__ void write(std::int64_t i, std::int64_t rank, Value) const { out[rank] = i; }
};

/// out[rank, d] = coordinate d of i.
struct Coordinates {
  struct Value {};
  int ndim;
  bool narrow;
  std::int64_t* out;
  std::int64_t shape[kMaxDims];
  Divider by[kMaxDims];

  __device__ Value read(std::int64_t, std::int64_t) const { return {}; }
  __device__ void write(std::int64_t i, std::int64_t rank, Value) const {
    std::int64_t* to = out + rank * ndim;
    for (int d = ndim - 1; d > 0; --d) {
      const std::int64_t quotient = by[d].quotient(i, narrow);
      to[d] = i - quotient * shape[d];
      i = quotient;
    }
    to[0] = i;
  }
};

}  // namespace cuprum::cuda::primitives
