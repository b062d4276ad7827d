// Numbers of a generator that has a stream for each of them (kernels/random/element.h): one kernel, in which no number waits for another.
//
// Where most numbers need no more than their unit, a thread makes the numbers of whole blocks of the generator and writes them in words
// of 16 bytes. The few others of a tile are listed, and drawn by all threads together when the tile is done: in their place they would
// keep whole warps waiting. Other laws are drawn by a thread each.
#pragma once

#include <algorithm>

#include "backend/cuda/primitives/random/draws.cuh"
#include "kernels/random/element_laws.h"
#include "kernels/random/log1p.h"

#if defined(__CUDACC__)  // else the kernels run on the host, in tests
#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/random/elements.h"
#endif

namespace cuprum::cuda::primitives {

inline constexpr int kElementThreads = 256, kElementTile = 4096;  // numbers of a tile

/// The C library's functions, to the last bit: those of the CPU's numbers.
struct DeviceMath {
  random::Log1pForms forms;

  __device__ double log1p(double x) const { return random::log1p_as(forms.wide, x); }
  __device__ float log1p(float x) const { return random::log1p_as(forms.narrow, x); }
  __device__ static float exp(float x) {
    return static_cast<float>(kernels::math::exp(static_cast<double>(x)));
  }
};

/// The state is the host's, always: every call of such a generator leaves it known.
inline random::ElementStream stream_of(const StateSource& s, bool narrow) {
  return random::ElementStream::of(s.words[0], s.words[1], s.words[2], s.words[3], narrow, s.half_is_held(),
                                   s.half());
}

inline random::LawBits law_bits(const DrawJob& job) {
  return {{job.draw.parameters[0], job.draw.parameters[1], job.draw.parameters[2]}};
}

template <class L>
struct ElementJob {
  using Unit = typename L::Unit;
  using Number = typename L::Number;

  L law;
  random::ElementStream stream;
  std::int64_t n;
  Number* out;
  Scaling scaling;
  DeviceMath math;

  ElementJob(const DrawJob& job, const L& law)
      : law(law),
        stream(stream_of(job.state, sizeof(Unit) < 8)),
        n(job.n),
        out(static_cast<Number*>(job.out)),
        scaling(job.scaling),
        math{job.forms} {}
  __device__ void draw(std::int64_t i, const L& l) const {
    random::ElementReader<Unit, DeviceMath> reader(stream, static_cast<std::uint64_t>(i), math);
    out[i] = scaling(l(reader));
  }
};

// -- Tables that every number looks into, in shared memory: a warp reads them at 32 places at a time.

template <class L>
struct SharedTables {
  __device__ void load(const L&) {}
  __device__ bool easy(const L& law, typename L::Unit bits, typename L::Number& x) const {
    return law.easy(typename L::Strips(), bits, x);
  }
};
/// The strips of a ziggurat.
template <class L>
requires requires { L::Strips::edge(0); }
struct SharedTables<L> {
  decltype(L::Strips::edge(0)) edges[256];
  decltype(L::Strips::step(0)) steps[256];

  __device__ auto edge(kernels::uint64 strip) const { return edges[strip]; }
  __device__ auto step(kernels::uint64 strip) const { return steps[strip]; }
  __device__ void load(const L&) {
    for (unsigned i = threadIdx.x; i < 256; i += kElementThreads) {
      edges[i] = L::Strips::edge(i);
      steps[i] = L::Strips::step(i);
    }
  }
  __device__ bool easy(const L& law, typename L::Unit bits, typename L::Number& x) const {
    return law.easy(*this, bits, x);
  }
};
template <>
struct SharedTables<random::QuantileElement> {
  std::uint64_t edges[random::QuantileElement::kMost];
  std::uint16_t guide[1 << random::QuantileElement::kGuideBits];

  __device__ void load(const random::QuantileElement& law) {
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(law.count); i += kElementThreads)
      edges[i] = law.edges[i];
    for (unsigned i = threadIdx.x; i < sizeof(guide) / 2; i += kElementThreads) guide[i] = law.guide[i];
  }
  __device__ bool easy(const random::QuantileElement& law, kernels::uint64 bits, kernels::int64& x) const {
    x = law.of(bits, edges, guide);
    return true;
  }
};

/// Numbers that wait until the tile is done, by their place in it.
struct Listed {
  int count;
  std::uint16_t places[kElementTile];
};
struct NoneListed {};

/// Rows of 32 bytes, by a whole warp: neighbours exchange halves, so that each store fills sectors of 32 bytes. Integers of 64 bits took
/// 0.515 ms where each thread wrote its own row in two words, 64M of them.
template <class T>
__device__ void store_pairs(T* at, const T (&row)[4]) {
  const bool odd = threadIdx.x & 1;
  T own[2], other[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    own[k] = odd ? row[2 + k] : row[k];
    other[k] = __shfl_xor_sync(~0u, odd ? row[k] : row[2 + k], 1);
  }
  // The pair's eight numbers begin at the even thread's row.
  store_row(odd ? at - 2 : at, odd ? other : own);
  store_row(odd ? at + 2 : at + 4, odd ? own : other);
}

/// `kSure`: every unit is a number.
template <class L, bool kSure>
__global__ void __launch_bounds__(kElementThreads) draw_easy(const __grid_constant__ ElementJob<L> job) {
  using T = typename L::Number;
  constexpr int per_block = 16 / static_cast<int>(sizeof(typename L::Unit)), width = 128 / per_block;
  constexpr int runs = kElementTile / kElementThreads / per_block;
  __shared__ SharedTables<L> tables;
  __shared__ std::conditional_t<kSure, NoneListed, Listed> waiting;
  tables.load(job.law);
  const std::int64_t first = job.stream.first / width,
                     tiles = (first + job.n + kElementTile - 1) / kElementTile;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if constexpr (!kSure) {
      if (threadIdx.x == 0) waiting.count = 0;
    }
    __syncthreads();
    const std::int64_t begin = tile * kElementTile - first;  // the number of the tile's first unit
#pragma unroll 2
    for (int run = 0; run < runs; ++run) {
      const int block = run * kElementThreads + static_cast<int>(threadIdx.x);
      const std::int64_t i = begin + block * per_block;
      if (i >= job.n) break;
      const random::Pair64 draws =
          job.stream.block(static_cast<std::uint64_t>(tile * (kElementTile / per_block) + block));
      T numbers[per_block];
#pragma unroll
      for (int k = 0; k < per_block; ++k) {
        const std::uint64_t draw = draws.v[k / (per_block / 2)];
        const bool easy = tables.easy(
            job.law, static_cast<typename L::Unit>(draw >> (k % (per_block / 2) * width)), numbers[k]);
        numbers[k] = job.scaling(numbers[k]);
        if constexpr (!kSure) {
          if (!easy)
            waiting.places[atomicAdd(&waiting.count, 1)] = static_cast<std::uint16_t>(block * per_block + k);
        }
      }
      if constexpr (per_block * sizeof(T) == 32) {
        if (begin + (block & ~31) * per_block >= 0 && begin + (block | 31) * per_block + per_block <= job.n) {
          store_pairs(job.out + i, numbers);
          continue;
        }
      }
      if (i >= 0 && i + per_block <= job.n) {
        store_row(job.out + i, numbers);
      } else {
#pragma unroll
        for (int k = 0; k < per_block; ++k) {
          if (i + k >= 0 && i + k < job.n) job.out[i + k] = numbers[k];
        }
      }
    }
    if constexpr (!kSure) {
      __syncthreads();
      const int count = waiting.count;
      for (int w = static_cast<int>(threadIdx.x); w < count; w += kElementThreads) {
        const std::int64_t i = begin + waiting.places[w];
        if (i >= 0 && i < job.n) job.draw(i, job.law);
      }
      __syncthreads();
    }
  }
}

/// Where numbers have parameters of their own: arrays, of which each number has an element, or all have one.
struct ElementArrays {
  const std::uint64_t* data[3];
  int step[3];

  __device__ random::LawBits operator[](std::int64_t i) const {
    random::LawBits bits = {};
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      if (data[k]) bits.v[k] = data[k][step[k] * i];
    }
    return bits;
  }
};

template <class L>
__global__ void __launch_bounds__(kElementThreads) draw_each(const __grid_constant__ ElementJob<L> job) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kElementThreads + threadIdx.x; i < job.n;
       i += std::int64_t{gridDim.x} * kElementThreads)
    job.draw(i, job.law);
}
/// `make(LawBits)` is the law.
template <class L, class Make>
__global__ void __launch_bounds__(kElementThreads)
    draw_each_of(const __grid_constant__ ElementJob<L> job, const ElementArrays arrays, const Make make) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kElementThreads + threadIdx.x; i < job.n;
       i += std::int64_t{gridDim.x} * kElementThreads)
    job.draw(i, make(arrays[i]));
}

#if defined(__CUDACC__)
inline unsigned element_blocks(const Context& context, std::int64_t n, int each) {
  const std::int64_t most =
      std::int64_t{context.multiprocessors} * context.threads_per_multiprocessor / kElementThreads;
  return static_cast<unsigned>(std::clamp<std::int64_t>(ceil_div(n, std::int64_t{each}), 1, most));
}

template <bool kSure, class L>
bool launch_easy(Context& context, const DrawJob& job, const L& law) {
  ElementJob<L> elements(job, law);
  draw_easy<L, kSure>
      <<<element_blocks(context, job.n + 16, kElementTile), kElementThreads, 0, context.stream>>>(elements);
  if (elements.stream.held) {  // those numbers once more
    elements.n = std::min<std::int64_t>(job.n, 4 / sizeof(typename L::Unit));
    draw_each<<<1, kElementThreads, 0, context.stream>>>(elements);
  }
  launched(context, "random");
  return true;
}
template <class L>
bool launch_each(Context& context, const DrawJob& job, const L& law) {
  draw_each<<<element_blocks(context, job.n, kElementThreads), kElementThreads, 0, context.stream>>>(
      ElementJob<L>(job, law));
  launched(context, "random");
  return true;
}
template <class L, class Make>
bool launch_each_of(Context& context, const DrawJob& job, const ElementParameters& arrays, const Make& make) {
  draw_each_of<<<element_blocks(context, job.n, kElementThreads), kElementThreads, 0, context.stream>>>(
      ElementJob<L>(job, make(random::LawBits{{0, 0, 0}})),
      ElementArrays{{arrays.data[0], arrays.data[1], arrays.data[2]},
                    {arrays.step[0], arrays.step[1], arrays.step[2]}},
      make);
  launched(context, "random");
  return true;
}
template <class L>
struct MakeLaw {
  __host__ __device__ L operator()(const random::LawBits& p) const { return L(p); }
};
/// By parameters that are arrays, or numbers.
template <class L>
bool launch_law(Context& context, const DrawJob& job, const ElementParameters& arrays) {
  if (arrays.data[0]) return launch_each_of<L>(context, job, arrays, MakeLaw<L>());
  return launch_each(context, job, L(law_bits(job)));
}
#endif

}  // namespace cuprum::cuda::primitives
