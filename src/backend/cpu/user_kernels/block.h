// One block of a launch: its threads run as fibers of one OS thread and wait for each other.
//
// A thread runs until it waits. The last one that a meeting needs makes the results, lets the others go and runs on. Warps take turns:
// one runs until all of its threads wait for something outside it or are done. Threads that are done count nowhere, as on a GPU.
// If nobody can run and no meeting is complete, the threads wait for ever there; here that is an error.
#pragma once

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "backend/cpu/user_kernels/fiber.h"
#include "backend/cpu/user_kernels/grid_barrier.h"
#include "backend/cpu/user_kernels/language/cuprum_language/machine.h"

namespace cuprum::cpu {

namespace lang = cuprum_language;

/// CUDA's limits.
inline constexpr unsigned kMaxBlock = 1024, kWarp = 32, kMaxWarps = kMaxBlock / kWarp;

class BlockMachine : public lang::Machine {
 public:
  BlockMachine();

  /// That of this OS thread.
  static BlockMachine& here();

  /// Runs blocks of a kernel in which nobody waits, on this thread's own stack. An error ends the loop by a jump: the loop is one that
  /// gcc lets no exception out of (omp simd).
  void run_loop(const lang::Blocks& blocks, const lang::Entry& entry, void** arguments);
  /// Runs block blocks.first, all of its threads as fibers. `grid`: where the blocks of a cooperative launch meet.
  void run(const lang::Blocks& blocks, const lang::Entry& entry, void** arguments, GridBarrier* grid);

 private:
  struct Thread {
    BlockMachine* machine;
    unsigned rank;
    // While it waits:
    lang::Scope scope;
    unsigned mask;
    const void* place;
    lang::Arrival* arrival;
    lang::Complete complete;
  };
  /// Sets of lanes, a bit each.
  struct Warp {
    unsigned live = 0, ready = 0, behind = 0;  // behind: ready, when all others have had their turn
    unsigned lanes = 0, active = 0;            // wait at a meeting of that scope
  };

  static void begin(void* thread);
  static void meet_entry(Machine& self, lang::Scope scope, unsigned mask, lang::Arrival& arrival,
                         lang::Complete complete);
  static void give_way_entry(Machine& self);
  static void fail_entry(Machine& self, const char* text);

  void meet(lang::Scope scope, unsigned mask, lang::Arrival& arrival, lang::Complete complete,
            const void* place);
  void leave();  // hands over to the loop of `run`
  void run_warp(unsigned w);
  bool release_lanes(unsigned w, unsigned lane);
  bool release_stragglers(unsigned w);
  bool release_active(unsigned w);
  bool release_block();
  bool next_round();
  void release(unsigned w, unsigned lanes, lang::Complete complete);
  void release_all();
  [[noreturn]] void report_deadlock() const;
  lang::Dim index_of(unsigned rank) const;
  void prepare(unsigned threads);

  std::unique_ptr<FiberStacks> stacks_;
  std::vector<Thread> threads_;
  Warp warps_[kMaxWarps];
  Context main_;
  Thread* running_ = nullptr;
  bool clean_ = false;  // every fiber stands at its beginning

  // Of the block that runs:
  const lang::Blocks* blocks_ = nullptr;
  const lang::Entry* entry_ = nullptr;
  void** arguments_ = nullptr;
  GridBarrier* grid_ = nullptr;
  unsigned live_ = 0, at_block_ = 0, at_grid_ = 0;
  std::exception_ptr error_;

  // While run_loop does:
  std::jmp_buf* way_out_ = nullptr;
  const char* failure_ = nullptr;
};

}  // namespace cuprum::cpu
