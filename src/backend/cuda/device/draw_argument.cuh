// What a kernel is given of a leaf that it draws: the host fills it in (codegen/draws.h).
//
// Numbers are counted from the first of the call. A generator's draws are counted from its next one; where the upper half of the draw
// before waits to be read, it is the first unit of 32 bits.
#pragma once

#include "kernels/random/element_laws.h"
#include "kernels/random/log1p.h"

namespace cuprum::cuda::device {

namespace random = kernels::random;

/// PCG64, PCG64DXSM. The state is that which gives draw 0.
struct CongruenceStream {
  kernels::uint64 state[2], increment[2];  // the high word first
  kernels::int64 step;  // draws between what a thread takes and what it takes next, as a rule
  kernels::uint64 step_multiplier[2], step_increment[2];
  kernels::uint32 half;
  kernels::int32 held;  // halves that wait: 0 or 1
};

/// Philox4x64: blocks of four draws, none of which is cut in halves. The state has the first one, of which `read` are gone.
struct BlockStream {
  kernels::uint64 counter[4], key[2], block[4];
  kernels::int64 read;
};

template <class Stream>
struct Draw {
  Stream stream;
  random::LawBits parameters;
  double loc, scale;  // of laws that are scaled
  random::Log1pForms forms;
};

}  // namespace cuprum::cuda::device
