// What libcuprum and a compiled module of kernels tell each other. Both include this text; a module is compiled anew whenever it changes.
//
// A thread that waits for others *meets* them: it arrives with a value and goes on with a result. The last one to arrive calls the
// meeting's `Complete`, which makes the results of all from their values. So what a shuffle or a vote is stands in the language (warp.h), and
// the machine (block.h) knows nothing but who waits for whom.
#pragma once

#include "kernels/user/parameters.h"

namespace cuprum_language {

struct Dim {
  unsigned x, y, z;
};

/// What a thread brings to a meeting and what it gets.
struct Arrival {
  unsigned long long value = 0, result = 0;
  int choice = 0;  // a lane, or whatever else `Complete` wants to know of this thread
};

/// Makes the results: arrivals[i] is that of the i-th thread of the warp or block, null for one that takes no part.
using Complete = void (*)(Arrival* const* arrivals, unsigned count);

enum class Scope : int {
  lanes,   // those of a mask, in one warp
  active,  // the lanes that come to this place of the program, in whatever order; results are made per place
  block,
  grid,
};

/// The machine that an OS thread runs blocks on.
struct Machine {
  void (*meet)(Machine& machine, Scope scope, unsigned mask, Arrival& arrival, Complete complete);
  void (*give_way)(Machine& machine);                // another thread of the block may run
  void (*fail)(Machine& machine, const char* text);  // ends the launch with an error; does not return
};

/// Blocks [first, last) of a launch, numbered along x, then y, then z.
struct Blocks {
  Machine* machine;
  unsigned long long first, last;
  Dim grid, block;
  unsigned dynamic_shared;  // bytes
  bool cooperative;
};

/// A kernel or a variable of a module.
struct Entry {
  const char* name;
  // Of a kernel: a loop over all threads of the blocks, null where threads may wait for each other; and one thread of block `first`.
  void (*loop)(const Blocks& blocks, void** arguments);
  void (*thread)(const Blocks& blocks, void** arguments, Dim thread);
  bool walks;  // `loop` walks over the grid, all blocks that it is given at a time
  const Parameter* parameters;
  unsigned count;
  // Of a variable.
  void* address;
  unsigned long long bytes;
};

/// The symbol of a module's entries, ended by one without a name.
inline constexpr char kEntries[] = "cuprum_entries";

}  // namespace cuprum_language
