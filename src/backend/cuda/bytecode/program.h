// The form in which a fused kernel goes to the interpreter: one block of bytes, which a block of threads copies to its
// shared memory as it is.
//
//   Header | Instruction[length + fold_length] | Uniform[uniforms] | Divisor<Index>[dims] | Access[accesses] |
//   int64 strides[accesses][dims]
//
// A position is (kept, major, inner), each counting dimensions in row-major order, and the dimensions of the program are
// listed in this order, whatever order the kernel has them in: first those that `kept` counts, then those of `major`,
// then the inner row. Elementwise kernels have everything but the last dimension under `kept`; reductions as
// codegen/reduce_shape.h says. A thread runs the program for kLanes consecutive elements of the inner row at a time.
//
// A register is named by 16 bits: the address of its first plane in units of 16 bytes, and kUniform where all threads
// share the value (otherwise the thread's own place is added).
#pragma once

#include <cstdint>

#include "backend/cuda/bytecode/loop_numbers.h"

namespace cuprum::cuda::bytecode {

inline constexpr int kLanes = 4;      // elements per register and thread
inline constexpr int kThreads = 256;  // of a block
inline constexpr int kPlaneBytes = 16 * kThreads;

constexpr int planes_of(dtype t) { return itemsize(t) <= 4 ? 1 : itemsize(t) == 8 ? 2 : 4; }

inline constexpr std::uint16_t kUniform = 0x8000;

enum Code : std::uint16_t {
  kLoad = 0xff00,  // dst = access src[0]
  kStore,          // access dst = register src[0]
  kWait,           // until the loads so far have arrived
};

struct Instruction {
  std::uint16_t code;  // number of a loop, or a Code
  std::uint16_t dst;
  std::uint16_t src[3];
  std::uint16_t unused[3];
};

/// A value that all threads share: a scalar, or a leaf that is the same everywhere (then `data` is not 0).
struct Uniform {
  unsigned char bytes[16];
  std::uint64_t data;
  std::uint16_t name;  // of the register, without kUniform
  std::uint8_t log_size;
  std::uint8_t is_bool;
  std::uint8_t unused[4];
};

/// A leaf, where a result goes, or the positions of elements for argmax and the like (`data` 0, strides the weights).
struct Access {
  std::uint64_t data;     // address of the first element
  std::int64_t stride;    // bytes from one element of a group to the next
  std::uint8_t log_size;  // of an element
  std::uint8_t is_bool;   // any byte but 0 means true
  std::uint8_t vector;    // a group lies in memory as one piece, aligned to itself (at most to 16 bytes)
  std::uint8_t unused[5];
};

struct Header {
  std::uint32_t bytes;  // of the program, a multiple of 16
  std::uint32_t
      coordinates_at;  // offsets in shared memory: an Index per dimension before the inner row and thread
  std::uint32_t registers_at;
  std::uint32_t uniforms_at;  // offsets in the program
  std::uint32_t dims_at;
  std::uint32_t accesses_at;
  std::uint32_t strides_at;
  std::uint16_t kept, major, inner;  // dimensions of each kind
  std::uint16_t uniforms;
  std::uint16_t length;       // instructions that compute the values of a group
  std::uint16_t fold_length;  // instructions, after those, that fold `value` into `total`
  std::uint16_t value;        // register that is reduced
  std::uint16_t total;
  std::uint16_t result;     // access of the reduction's result
  std::uint16_t positions;  // access of the positions
  std::uint16_t straddles;  // groups may cross the end of the last dimension: elements are reached one by one
  std::uint16_t unused[7];
};

static_assert(sizeof(Header) == 64 && sizeof(Access) == 24 && sizeof(Uniform) == 32 &&
              sizeof(Instruction) == 16);

}  // namespace cuprum::cuda::bytecode
