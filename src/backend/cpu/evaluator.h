// The block evaluator: runs a fused kernel over blocks that stay in the first-level cache.
//
// A kernel is first compiled to a flat program of calls to elementwise loops over *slots*. A slot is a pointer that is set
// for every block: to a leaf's memory, to a store's memory, or to a *register*, a few KB of scratch memory. Then each block is
// evaluated:
//   1. leaves that are contiguous over the block are read where they are; others are copied into a register, or made in one
//      (made_leaf.h: read through indices, or drawn);
//   2. the steps run, one loop call per instruction; values live in registers, which are reused by liveness;
//   3. a step whose value is stored contiguously has written it in place; other stores are copied out.
// A block is a range of the iteration space in row-major order, or a two-dimensional tile where some operand runs
// along another axis (A + A.T): then both sides of the transpose stay in the cache.
// No value depends on the block it is in, so blocks may be cut as speed demands.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/cpu/copies.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/made_leaf.h"
#include "backend/cpu/random/placed.h"
#include "core/small_vector.h"
#include "runtime/program.h"

namespace cuprum::cpu {

inline constexpr std::uint16_t kNoSlot = 0xffff;

/// One loop call: slots[dst] = fn(slots[a], slots[b], slots[c]).
struct Step {
  LoopFn fn;
  std::uint16_t dst, a, b, c;
};

/// How a leaf or a store lies in memory, seen in the row-major order of the iteration space.
struct Access {
  std::byte* data;
  const std::int64_t* strides;  // of the kernel
  std::int64_t run;             // aligned runs of this many elements are contiguous; 0: not even two
  std::int64_t period;          // the elements repeat after this many; 0: they do not
  std::uint16_t slot;
  std::uint16_t reg;  // slot of the register that stands in where memory cannot be used in place
  std::uint8_t itemsize;
  bool flat;  // contiguous as a whole
  bool made;  // read through indices or drawn, into a register or as a row in place
};

Access make_access(const Dims& shape, std::byte* data, const Dims& strides, dtype type);

/// Writes n contiguous elements to positions [flat, flat + n) of an operand of this shape.
void store_range(const Dims& shape, const Access& to, std::int64_t flat, std::int64_t n, std::byte* from);

/// Coordinates of element `flat` of a shape, in row-major order.
void decompose(const Dims& shape, std::int64_t flat, std::int64_t* coords);

struct StoreAccess : Access {
  std::uint16_t src;  // slot of the value
  bool copied;        // the value is copied out after the steps, instead of being computed in place
  bool streamed;      // the value is computed in a register and goes to memory past the cache
};

/// A leaf that is made. More elements than a block has are made at once, where blocks follow each other: what is gathered cannot be
/// read before all of it has come, and a block is too short to wait for (table[idx] * w + w, 4M float32 of a 1 MB table: 9.5 ms block
/// by block, 4.7 so, 5.9 as a call; one thread); and to enter a generator's stream takes as long as some tens of draws.
struct MadeLeaf {
  std::uint16_t leaf;
  LeafSource from;
  std::int64_t ahead;  // elements that are made at once, at most
};

struct Program {
  const Kernel* kernel = nullptr;
  std::int64_t total = 0;     // elements of the iteration space
  std::int64_t block = 0;     // elements of a register
  std::int64_t itemsize = 1;  // of the widest value
  std::uint32_t register_bytes = 0;
  std::uint16_t first_register = 0;  // slots from here on are registers
  std::uint16_t first_scalar = 0;    // the registers that hold the kernel's scalars, one after the other
  std::uint16_t slots = 0;
  SmallVector<Step, 12> steps;
  SmallVector<Access, 6> leaves;
  SmallVector<MadeLeaf, 2> made;
  std::vector<std::shared_ptr<const PlacedLaw>> laws;  // of what is drawn
  SmallVector<StoreAccess, 2> stores;
  SmallVector<std::uint16_t, 2> operands;  // slot of each reduction's operand
  std::int64_t cost = 0;                   // of one element, in additions
  bool flat = true;                        // every leaf and store is contiguous as a whole

  static std::size_t bytes_ahead(const MadeLeaf& leaf) {
    return static_cast<std::size_t>(leaf.ahead * item_size(leaf.from) + 3 * 64) / 64 * 64;
  }
  std::size_t scratch_bytes() const {
    std::size_t bytes = static_cast<std::size_t>(slots - first_register) * register_bytes;
    for (const MadeLeaf& leaf : made) bytes += bytes_ahead(leaf);
    return bytes;
  }
};

struct CompileOptions {
  std::int64_t min_block = 0;  // elements that a block must be able to have
  bool tiled = false;          // blocks will be tiles: nothing can be read or written in place
  std::int64_t slices = 1;     // how many such kernels, one after the other, write the arrays
};

/// Translates `kernel`, which must outlive the program. Operands of reductions are converted to their folded_type.
void compile(const Kernel& kernel, const CompileOptions& options, Program& program);

/// The pointers and registers of one thread that runs `program`.
class Context {
 public:
  Context(const Program& program, std::byte* scratch);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Evaluates elements [flat, flat + n) of the iteration space, n <= program.block.
  void range(std::int64_t flat, std::int64_t n);

  /// Evaluates pieces [first, last) of rows of the last dimension, each cut into pieces of `piece` elements, piece <=
  /// program.block. What is contiguous along the row is read and written where it is; nothing is divided per piece.
  void pieces(std::int64_t first, std::int64_t last, std::int64_t piece);

  /// Evaluates the tile of `rows` x `cols` elements whose first element has the coordinates `start`; rows go along
  /// dimension `row_dim`, columns along the last. rows * cols <= program.block. Registers hold the tile row by row.
  void tile(const std::int64_t* start, int row_dim, std::int64_t rows, std::int64_t cols);

  const std::byte* slot(std::uint16_t s) const { return static_cast<const std::byte*>(slots_[s]); }

 private:
  void run_steps(std::int64_t n);
  void resolve_leaf(std::size_t i, const std::int64_t* coords, std::int64_t flat, std::int64_t n);
  void resolve_store(const StoreAccess& store, const std::int64_t* coords, std::int64_t flat, std::int64_t n);
  void finish_store(const StoreAccess& store, const std::int64_t* coords, std::int64_t flat, std::int64_t n);
  void place_leaf(std::size_t i, std::byte* memory, std::int64_t n, bool whole_row);
  void place_store(const StoreAccess& store, std::byte* memory);
  void leave_store(const StoreAccess& store, std::byte* memory, std::int64_t flat, std::int64_t n);

  const Program& p_;
  const CopyLoops& copies_;
  SmallVector<void*, 24> slots_;
  bool holds(std::size_t i, const std::byte* value, std::int64_t n);
  /// `end`: nothing behind it will be asked for.
  void resolve_made(const std::int64_t* coords, std::int64_t flat, std::int64_t n, std::int64_t end);
  std::int64_t place_made(std::size_t i, std::int64_t flat, std::int64_t n, std::int64_t most);

  /// Elements [first, last) of the iteration space that have been made.
  struct Ahead {
    std::byte* memory;
    std::int64_t first = 0, last = 0, length = 0;
  };
  SmallVector<Ahead, 2> ahead_;

  // Per leaf that is copied to a register: elements that it holds already, of a leaf with a period or of one value.
  SmallVector<std::int64_t, 6> filled_;
  SmallVector<const std::byte*, 6> values_;  // that one value, where a row has but one
};

/// Do all operands run along the last dimension?
bool runs_along_rows(const Kernel& kernel);

/// Evaluates indices [first, last) of the first dimension, of a kernel that runs along rows.
void run_slice(const Program& program, Context& context, std::int64_t first, std::int64_t last);

/// Runs a kernel that has no reductions. `slices`: how many such kernels, one after the other, write the arrays.
void run_elementwise(const Kernel& kernel, std::int64_t slices = 1);

/// At least `bytes` of memory that belongs to this thread, aligned to 64; contents are undefined, valid until the
/// next call of this thread.
std::byte* thread_scratch(std::size_t bytes);

}  // namespace cuprum::cpu
