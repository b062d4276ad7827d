// The virtual registers of the interpreter: planes of 16 bytes per thread in shared memory.
//
// A register of a thread holds kLanes elements. Elements of up to four bytes take a word each, in one plane; those of
// eight bytes lie two to a plane, those of sixteen alone. Plane p + 1 of a register is kPlaneBytes after plane p,
// and the 16 bytes of neighbouring threads are neighbours: every access is free of bank conflicts. A value that is the
// same for all threads (a scalar) stands once, in the place of one thread.
//
// The text compiles for the host too (tests/cpp/test_bytecode.cpp), where shared memory is a plain array.
#pragma once

#include "backend/cuda/bytecode/program.h"
#include "core/element.h"
#include "device/index.cuh"

#if defined(__CUDACC__)
#define CUPRUM_CALL __device__ __noinline__
#else
#define CUPRUM_CALL inline
#endif

namespace cuprum::cuda::bytecode {

using kernels::int32;
using kernels::int64;
using kernels::uint32;
using kernels::uint64;
using kernels::uint8;

struct alignas(16) Plane {
  uint32 word[4];
};

#if defined(__CUDACC__)
using Shared = uint32;  // an address in shared memory
CUPRUM_DEVICE void* at_shared(Shared address) { return __cvta_shared_to_generic(address); }
CUPRUM_DEVICE Plane load_plane(Shared from) {
  const uint4 v = *static_cast<const uint4*>(at_shared(from));
  return {{v.x, v.y, v.z, v.w}};
}
/// An address in device memory, which the compiler then need not tell from one in shared memory.
CUPRUM_DEVICE char* at_global(uint64 address) {
  char* const p = reinterpret_cast<char*>(address);
  __builtin_assume(__isGlobal(p));
  return p;
}
/// In assembly: the compiler would split the store of four floats into four.
CUPRUM_DEVICE void store_plane(Shared to, const Plane& p) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(p.word[0]), "r"(p.word[1]),
               "r"(p.word[2]), "r"(p.word[3])
               : "memory");
}
#else
using Shared = uint64;
CUPRUM_DEVICE char* at_global(uint64 address) { return reinterpret_cast<char*>(address); }
CUPRUM_DEVICE void* at_shared(Shared address) { return reinterpret_cast<void*>(address); }
CUPRUM_DEVICE Plane load_plane(Shared from) { return *static_cast<const Plane*>(at_shared(from)); }
CUPRUM_DEVICE void store_plane(Shared to, const Plane& p) { *static_cast<Plane*>(at_shared(to)) = p; }
#endif

using kernels::Element;

// -- One element as words.

template <class T>
CUPRUM_DEVICE T from_word(uint32 word) {
  if constexpr (kernels::same<T, bool>) {
    return word != 0;
  } else {
    return kernels::bit_cast<T>(static_cast<kernels::bits_of<T>>(word));
  }
}

template <class T>
CUPRUM_DEVICE uint32 to_word(T value) {
  if constexpr (kernels::same<T, bool>) {
    return value ? 1u : 0u;
  } else {
    return static_cast<uint32>(kernels::bit_cast<kernels::bits_of<T>>(value));
  }
}

/// The elements of a register in the hands of a thread: one 16-byte access per plane.
template <class T>
struct Lanes {
  static constexpr int per_plane = sizeof(T) <= 4 ? 4 : sizeof(T) == 8 ? 2 : 1;
  static constexpr int planes = kLanes / per_plane;
  Plane plane[planes];

  CUPRUM_DEVICE void load(Shared from) {
#pragma unroll
    for (int p = 0; p < planes; ++p) plane[p] = load_plane(from + p * kPlaneBytes);
  }
  CUPRUM_DEVICE void store(Shared to) const {
#pragma unroll
    for (int p = 0; p < planes; ++p) store_plane(to + p * kPlaneBytes, plane[p]);
  }
  CUPRUM_DEVICE T get(int i) const {
    const Plane& from = plane[i / per_plane];
    const int w = i % per_plane * (4 / per_plane);
    if constexpr (per_plane == 4) {
      return from_word<T>(from.word[w]);
    } else if constexpr (per_plane == 2) {
      return kernels::bit_cast<T>(static_cast<uint64>(from.word[w + 1]) << 32 | from.word[w]);
    } else {
      return kernels::bit_cast<T>(from);
    }
  }
  CUPRUM_DEVICE void set(int i, T value) {
    Plane& to = plane[i / per_plane];
    const int w = i % per_plane * (4 / per_plane);
    if constexpr (per_plane == 4) {
      to.word[w] = to_word(value);
    } else if constexpr (per_plane == 2) {
      const uint64 bits = kernels::bit_cast<uint64>(value);
      to.word[w] = static_cast<uint32>(bits);
      to.word[w + 1] = static_cast<uint32>(bits >> 32);
    } else {
      to = kernels::bit_cast<Plane>(value);
    }
  }
};

// -- One element where it lies, for loops that are too long to be unrolled.

/// Where element i of a register lies.
template <class T>
CUPRUM_DEVICE Shared element_at(Shared address, int i) {
  if constexpr (sizeof(T) <= 4) return address + 4 * i;
  if constexpr (sizeof(T) == 8) return address + (i >> 1) * kPlaneBytes + 8 * (i & 1);
  return address + i * kPlaneBytes;
}

template <class T>
CUPRUM_DEVICE T load_element(Shared address, int i) {
  [[maybe_unused]] const void* at = at_shared(element_at<T>(address, i));
  if constexpr (sizeof(T) <= 4) {
    return from_word<T>(*static_cast<const uint32*>(at));
  } else if constexpr (sizeof(T) == 8) {
    return kernels::bit_cast<T>(*static_cast<const uint64*>(at));
  } else {
    return kernels::bit_cast<T>(load_plane(element_at<T>(address, i)));
  }
}

template <class T>
CUPRUM_DEVICE void store_element(Shared address, int i, T value) {
  [[maybe_unused]] void* at = at_shared(element_at<T>(address, i));
  if constexpr (sizeof(T) <= 4) {
    *static_cast<uint32*>(at) = to_word(value);
  } else if constexpr (sizeof(T) == 8) {
    *static_cast<uint64*>(at) = kernels::bit_cast<uint64>(value);
  } else {
    store_plane(element_at<T>(address, i), kernels::bit_cast<Plane>(value));
  }
}

}  // namespace cuprum::cuda::bytecode
