// Numbers of a generator that has a stream for each of them (kernels/random/element.h): one kernel, in which no number waits for another.
//
// Where most numbers need no more than their unit, warps make those of whole blocks of the generator (easy_elements.cuh). Numbers of
// other laws are drawn by a thread each.
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

inline constexpr int kElementThreads = 256;

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
  random::RoundKeys keys;  // which a kernel reads as constants
  std::int64_t n;
  Number* out;
  Scaling scaling;
  DeviceMath math;

  ElementJob(const DrawJob& job, const L& law)
      : law(law),
        stream(stream_of(job.state, sizeof(Unit) < 8)),
        keys(stream.key),
        n(job.n),
        out(static_cast<Number*>(job.out)),
        scaling(job.scaling),
        math{job.forms} {}
  __device__ void draw(std::int64_t i, const L& l) const {
    random::ElementReader<Unit, DeviceMath> reader(stream, static_cast<std::uint64_t>(i), math);
    out[i] = scaling(l(reader));
  }
  __device__ random::Pair64 block(std::uint64_t group) const {
    return random::philox4x32_of_rounds(stream.counter + group, stream.stream, keys);
  }
  /// One that needs more than its unit.
  __device__ void draw_hard(std::int64_t i) const {
    random::HardReader<Unit, DeviceMath> reader(stream, static_cast<std::uint64_t>(i), math);
    out[i] = scaling(law(reader));
  }
};

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
/// Many more than reside, as they begin at once: those that are left when the first ones end are few.
inline unsigned element_blocks(const Context& context, std::int64_t n) {
  const std::int64_t most = std::int64_t{context.multiprocessors} * 64;
  return static_cast<unsigned>(std::clamp<std::int64_t>(ceil_div(n, std::int64_t{kElementThreads}), 1, most));
}

template <class L>
bool launch_each(Context& context, const DrawJob& job, const L& law) {
  draw_each<<<element_blocks(context, job.n), kElementThreads, 0, context.stream>>>(ElementJob<L>(job, law));
  launched(context, "random");
  return true;
}
template <class L, class Make>
bool launch_each_of(Context& context, const DrawJob& job, const ElementParameters& arrays, const Make& make) {
  draw_each_of<<<element_blocks(context, job.n), kElementThreads, 0, context.stream>>>(
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
