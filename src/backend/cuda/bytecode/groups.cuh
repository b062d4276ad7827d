// Groups of elements between device memory and registers.
//
// A group is up to kLanes elements, `stride` bytes apart. Where it is whole and lies in one aligned piece it moves in
// accesses of up to 16 bytes, without passing through the thread's own registers if its layout is that of a register.
#pragma once

#include "backend/cuda/bytecode/registers.cuh"

namespace cuprum::cuda::bytecode {

#if defined(__CUDACC__)
/// 16 bytes from global to shared memory; in flight until wait_for_copies.
CUPRUM_DEVICE void copy_plane(Shared to, const char* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(__cvta_generic_to_global(from))
               : "memory");
#else
  const uint4 v = *reinterpret_cast<const uint4*>(from);
  store_plane(to, Plane{{v.x, v.y, v.z, v.w}});
#endif
}
CUPRUM_DEVICE void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
CUPRUM_DEVICE void store_global(char* to, const Plane& p) {
  *reinterpret_cast<uint4*>(to) = make_uint4(p.word[0], p.word[1], p.word[2], p.word[3]);
}
#else
CUPRUM_DEVICE void copy_plane(Shared to, const char* from) {
  store_plane(to, *reinterpret_cast<const Plane*>(from));
}
CUPRUM_DEVICE void wait_for_copies() {}
CUPRUM_DEVICE void store_global(char* to, const Plane& p) { *reinterpret_cast<Plane*>(to) = p; }
#endif

template <class T>
CUPRUM_DEVICE T read(const char* from) {
  return *reinterpret_cast<const T*>(from);
}
template <class T>
CUPRUM_DEVICE void write(char* to, T value) {
  *reinterpret_cast<T*>(to) = value;
}

/// The word of an element of up to four bytes.
CUPRUM_DEVICE uint32 read_word(const char* from, int log_size) {
  return log_size == 2 ? read<uint32>(from) : log_size == 1 ? read<kernels::uint16>(from) : read<uint8>(from);
}
CUPRUM_DEVICE void write_word(char* to, int log_size, uint32 word) {
  if (log_size == 2) {
    write(to, word);
  } else if (log_size == 1) {
    write(to, static_cast<kernels::uint16>(word));
  } else {
    write(to, static_cast<uint8>(word));
  }
}

/// 16 bytes as two halves: an array that others made may align complex128 to 8 bytes only.
using Wide = kernels::complex<uint64>;
CUPRUM_DEVICE Wide read_wide(const char* from) { return {read<uint64>(from), read<uint64>(from + 8)}; }
CUPRUM_DEVICE void write_wide(char* to, Wide value) {
  write(to, value.re);
  write(to + 8, value.im);
}

CUPRUM_DEVICE Plane truths(const Plane& p) {
  return {{p.word[0] != 0, p.word[1] != 0, p.word[2] != 0, p.word[3] != 0}};
}

// -- One element.

template <class Layout>  // Access or Uniform
CUPRUM_DEVICE void load_lane(Shared to, int i, const char* from, const Layout& a) {
  if (a.log_size <= 2) {
    const uint32 word = read_word(from, a.log_size);
    store_element(to, i, a.is_bool ? static_cast<uint32>(word != 0) : word);
  } else if (a.log_size == 3) {
    store_element(to, i, read<uint64>(from));
  } else {
    store_element(to, i, read_wide(from));
  }
}

CUPRUM_DEVICE void store_lane(char* to, Shared from, int i, const Access& a) {
  if (a.log_size <= 2) {
    write_word(to, a.log_size, load_element<uint32>(from, i));
  } else if (a.log_size == 3) {
    write(to, load_element<uint64>(from, i));
  } else {
    write_wide(to, load_element<Wide>(from, i));
  }
}

/// The same value in all lanes.
CUPRUM_DEVICE void spread(Shared to, const Uniform& u) {
  const char* from = u.data ? reinterpret_cast<const char*>(u.data) : reinterpret_cast<const char*>(u.bytes);
#pragma unroll 1
  for (int i = 0; i < kLanes; ++i) load_lane(to, i, from, u);
}

// -- Groups.

CUPRUM_DEVICE void load_words(Shared to, const char* from, const Access& a, int count) {
  Plane p = {};
  if (a.vector && count == kLanes) {
    if (a.log_size == 2) return copy_plane(to, from);
    if (a.log_size == 1) {
      const uint64 v = read<uint64>(from);
      const uint32 low = static_cast<uint32>(v), high = static_cast<uint32>(v >> 32);
      p = {{low & 0xffff, low >> 16, high & 0xffff, high >> 16}};
    } else {
      const uint32 v = read<uint32>(from);
      p = {{v & 0xff, (v >> 8) & 0xff, (v >> 16) & 0xff, v >> 24}};
    }
  } else {
#pragma unroll
    for (int i = 0; i < kLanes; ++i) {
      if (i < count) p.word[i] = read_word(from + i * a.stride, a.log_size);
    }
  }
  store_plane(to, a.is_bool ? truths(p) : p);
}

CUPRUM_DEVICE void load_group(Shared to, const char* from, const Access& a, int count) {
  if (a.log_size <= 2) return load_words(to, from, a, count);
  if (a.vector && count == kLanes) {
    const int planes = a.log_size == 3 ? 2 : 4;
    for (int i = 0; i < planes; ++i) copy_plane(to + i * kPlaneBytes, from + 16 * i);
  } else if (a.log_size == 3) {
    uint64 v[kLanes];
#pragma unroll
    for (int i = 0; i < kLanes; ++i) v[i] = i < count ? read<uint64>(from + i * a.stride) : 0;
#pragma unroll
    for (int i = 0; i < kLanes; ++i) store_element(to, i, v[i]);
  } else {
#pragma unroll 1
    for (int i = 0; i < count; ++i) store_element(to, i, read_wide(from + i * a.stride));
  }
}

CUPRUM_DEVICE void store_words(char* to, Shared from, const Access& a, int count) {
  const Plane p = load_plane(from);
  if (!a.vector || count < kLanes) {
#pragma unroll
    for (int i = 0; i < kLanes; ++i) {
      if (i < count) write_word(to + i * a.stride, a.log_size, p.word[i]);
    }
  } else if (a.log_size == 2) {
    store_global(to, p);
  } else if (a.log_size == 1) {
    const uint32 low = (p.word[0] & 0xffff) | p.word[1] << 16, high = (p.word[2] & 0xffff) | p.word[3] << 16;
    write(to, static_cast<uint64>(high) << 32 | low);
  } else {
    write(to, (p.word[0] & 0xff) | (p.word[1] & 0xff) << 8 | (p.word[2] & 0xff) << 16 | p.word[3] << 24);
  }
}

CUPRUM_DEVICE void store_group(char* to, Shared from, const Access& a, int count) {
  if (a.log_size <= 2) return store_words(to, from, a, count);
  if (a.vector && count == kLanes) {
    const int planes = a.log_size == 3 ? 2 : 4;
    for (int i = 0; i < planes; ++i) store_global(to + 16 * i, load_plane(from + i * kPlaneBytes));
  } else {
#pragma unroll 1
    for (int i = 0; i < count; ++i) store_lane(to + i * a.stride, from, i, a);
  }
}

}  // namespace cuprum::cuda::bytecode
