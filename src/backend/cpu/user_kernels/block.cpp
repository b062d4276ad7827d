#include "backend/cpu/user_kernels/block.h"

#include <bit>
#include <string>
#include <utility>

#include "cuprum/error.h"

namespace cuprum::cpu {

BlockMachine::BlockMachine() : Machine{meet_entry, give_way_entry, fail_entry} {}

BlockMachine& BlockMachine::here() {
  thread_local BlockMachine machine;
  return machine;
}

lang::Dim BlockMachine::index_of(unsigned rank) const {
  const lang::Dim block = blocks_->block;
  return {rank % block.x, rank / block.x % block.y, rank / block.x / block.y};
}

void BlockMachine::prepare(unsigned threads) {
  if (!stacks_ || stacks_->count() < threads) {
    stacks_ = std::make_unique<FiberStacks>(std::bit_ceil(threads));
    threads_.resize(stacks_->count());
    clean_ = false;
  }
  if (clean_) return;
  for (unsigned i = 0; i < threads_.size(); ++i) {
    threads_[i] = Thread{this, i, {}, 0, nullptr, nullptr, nullptr};
    stacks_->prepare(i, begin, &threads_[i]);
  }
  clean_ = true;
}

inline void BlockMachine::leave() { switch_context((*stacks_)[running_->rank], main_); }

void BlockMachine::begin(void* argument) {
  Thread& thread = *static_cast<Thread*>(argument);
  BlockMachine& m = *thread.machine;
  for (;;) {  // once per block
    try {
      m.entry_->thread(*m.blocks_, m.arguments_, m.index_of(thread.rank));
    } catch (...) {
      m.error_ = std::current_exception();
    }
    m.retire(thread);
    m.leave();
  }
}

void BlockMachine::retire(const Thread& thread) {
  if (watcher_) watcher_->thread_ends(thread.rank);
  warps_[thread.rank / kWarp].live &= ~(1u << thread.rank % kWarp);
  --live_;
}

void BlockMachine::stop_thread() {
  stopped_ = true;
  retire(*running_);
  leave();
  __builtin_unreachable();  // its stack is laid out anew before the next block
}

void BlockMachine::run_loop(const lang::Blocks& blocks, const lang::Entry& entry, void** arguments) {
  if (setjmp(escape_) != 0) throw DeviceError(failure_);
  // The compiled loop knows that no index along x wraps (entries.h); of a grid that is longer, every thread is called.
  if (std::uint64_t{blocks.grid.x} * blocks.block.x <= 0x7fffffffu - kMaxBlock)
    return entry.loop(blocks, arguments);
  lang::Blocks one = blocks;
  const lang::Dim block = blocks.block;
  for (; one.first < blocks.last; ++one.first) {
    for (unsigned z = 0; z < block.z; ++z)
      for (unsigned y = 0; y < block.y; ++y)
        for (unsigned x = 0; x < block.x; ++x) entry.thread(one, arguments, {x, y, z});
  }
}

void BlockMachine::run(const lang::Blocks& blocks, const lang::Entry& entry, void** arguments,
                       GridBarrier* grid) {
  const unsigned threads = blocks.block.x * blocks.block.y * blocks.block.z;
  prepare(threads);
  blocks_ = &blocks;
  entry_ = &entry;
  arguments_ = arguments;
  grid_ = grid;
  live_ = threads;
  at_block_ = at_grid_ = 0;
  error_ = nullptr;
  stopped_ = false;
  if (watcher_) watcher_->block_begins(blocks, stacks_->low(), stacks_->high());
  for (unsigned w = 0; w < kMaxWarps; ++w) {
    const unsigned lanes = threads > w * kWarp ? threads - w * kWarp : 0;
    const unsigned all = lanes >= kWarp ? ~0u : (1u << lanes) - 1;
    warps_[w] = Warp{all, all, 0, 0, 0};
  }
  clean_ = false;  // until all have come to their ends
  while (live_ != 0) {
    for (unsigned w = 0; w * kWarp < threads; ++w) run_warp(w);
    running_ = nullptr;
    if (live_ == 0 || next_round()) continue;
    if (stopped_) break;
    if (release_block()) continue;
    if (!watcher_) report_deadlock();
    watcher_->block_hangs();
    break;
  }
  clean_ = live_ == 0 && !stopped_;
}

/// Is there a thread that can run, since it gave way or since another warp let it go?
bool BlockMachine::next_round() {
  bool any = false;
  for (Warp& warp : warps_) {
    warp.ready |= std::exchange(warp.behind, 0);
    any |= warp.ready != 0;
  }
  return any;
}

void BlockMachine::run_warp(unsigned w) {
  Warp& warp = warps_[w];
  do {
    while (warp.ready != 0) {
      const unsigned lane = static_cast<unsigned>(std::countr_zero(warp.ready));
      warp.ready &= ~(1u << lane);
      running_ = &threads_[w * kWarp + lane];
      switch_context(main_, (*stacks_)[running_->rank]);
      if (error_) {
        running_ = nullptr;
        std::rethrow_exception(std::exchange(error_, nullptr));
      }
    }
  } while (!stopped_ && (release_stragglers(w) || release_active(w)));
}

// -- What a running thread calls.

void BlockMachine::meet_entry(Machine& self, lang::Scope scope, unsigned mask, lang::Arrival& arrival,
                              lang::Complete complete) {
  static_cast<BlockMachine&>(self).meet(scope, mask, arrival, complete, __builtin_return_address(0));
}

void BlockMachine::give_way_entry(Machine& self) {
  auto& m = static_cast<BlockMachine&>(self);
  if (!m.running_) return;  // in a loop over threads there is nobody to give way to
  m.warps_[m.running_->rank / kWarp].behind |= 1u << m.running_->rank % kWarp;
  m.leave();
}

void BlockMachine::fail_entry(Machine& self, const char* text) {
  auto& m = static_cast<BlockMachine&>(self);
  if (m.running_) throw DeviceError(text);  // on a fiber, whose bottom catches it
  m.failure_ = text;
  std::longjmp(m.escape_, 1);
}

void BlockMachine::meet(lang::Scope scope, unsigned mask, lang::Arrival& arrival, lang::Complete complete,
                        const void* place) {
  Thread& thread = *running_;
  if (watcher_) watcher_->thread_waits(thread.rank, scope, place);
  if (stopped_) stop_thread();
  const unsigned w = thread.rank / kWarp, lane = thread.rank % kWarp;
  thread.scope = scope;
  thread.mask = mask;
  thread.place = place;
  thread.arrival = &arrival;
  thread.complete = complete;
  switch (scope) {
    case lang::Scope::lanes:
      if ((mask >> lane & 1) == 0)
        throw DeviceError("a thread calls a warp function with a mask that does not name its own lane");
      warps_[w].lanes |= 1u << lane;
      if (release_lanes(w, lane)) {
        warps_[w].ready &= ~(1u << lane);
        return;
      }
      break;
    case lang::Scope::active: warps_[w].active |= 1u << lane; break;
    case lang::Scope::block:
      ++at_block_;
      if (at_block_ == live_) {
        release_block();
        warps_[w].ready &= ~(1u << lane);
        return;
      }
      break;
    case lang::Scope::grid:
      if (!grid_)
        throw DeviceError("grid.sync() needs a cooperative launch (enable_cooperative_groups=True)");
      ++at_grid_;
      break;
  }
  leave();
}

// -- Who may go on.

void BlockMachine::release(unsigned w, unsigned lanes, lang::Complete complete) {
  if (complete) {
    lang::Arrival* arrivals[kWarp];
    for (unsigned i = 0; i < kWarp; ++i)
      arrivals[i] = lanes >> i & 1 ? threads_[w * kWarp + i].arrival : nullptr;
    complete(arrivals, kWarp);
  }
  if (watcher_) watcher_->lanes_met(w, lanes);
  warps_[w].lanes &= ~lanes;
  warps_[w].active &= ~lanes;
  warps_[w].ready |= lanes;
}

/// Is the meeting at which `lane` waits complete? Then all of it may go on.
bool BlockMachine::release_lanes(unsigned w, unsigned lane) {
  const Warp& warp = warps_[w];
  const Thread& first = threads_[w * kWarp + lane];
  const unsigned wanted = first.mask & warp.live;
  if ((warp.lanes & wanted) != wanted) return false;
  for (unsigned rest = wanted; rest != 0; rest &= rest - 1) {
    const Thread& other = threads_[w * kWarp + static_cast<unsigned>(std::countr_zero(rest))];
    if (other.mask != first.mask || other.complete != first.complete) return false;
  }
  release(w, wanted, first.complete);
  return true;
}

/// Meetings that are complete since some of their threads are done.
bool BlockMachine::release_stragglers(unsigned w) {
  bool any = false;
  for (unsigned rest = warps_[w].lanes; rest != 0; rest &= rest - 1)
    any |= (warps_[w].lanes & rest & -rest) != 0 &&
           release_lanes(w, static_cast<unsigned>(std::countr_zero(rest)));
  return any;
}

/// Nobody else of the warp can come any more: those that wait at one place go on together.
bool BlockMachine::release_active(unsigned w) {
  const unsigned waiting = warps_[w].active;
  for (unsigned left = waiting; left != 0;) {
    const Thread& first = threads_[w * kWarp + static_cast<unsigned>(std::countr_zero(left))];
    unsigned together = 0;
    for (unsigned rest = left; rest != 0; rest &= rest - 1) {
      if (threads_[w * kWarp + static_cast<unsigned>(std::countr_zero(rest))].place == first.place)
        together |= rest & -rest;
    }
    left &= ~together;
    release(w, together, first.complete);
  }
  return waiting != 0;
}

void BlockMachine::release_all() {
  at_block_ = at_grid_ = 0;
  for (unsigned w = 0; w < kMaxWarps; ++w) warps_[w].ready = warps_[w].live;
}

bool BlockMachine::release_block() {
  if (at_grid_ == live_) {
    if (watcher_)
      watcher_->wait_for_grid(*grid_);
    else
      grid_->wait();
    release_all();
    return true;
  }
  if (at_block_ != live_) return false;
  lang::Arrival* arrivals[kMaxBlock];
  const unsigned threads = static_cast<unsigned>(threads_.size());
  lang::Complete complete = nullptr;
  for (unsigned i = 0; i < threads; ++i) {
    const bool here = warps_[i / kWarp].live >> i % kWarp & 1;
    arrivals[i] = here ? threads_[i].arrival : nullptr;
    if (!here) continue;
    if (complete && threads_[i].complete && threads_[i].complete != complete)
      throw DeviceError("threads of a block meet at barriers of different kinds");
    if (threads_[i].complete) complete = threads_[i].complete;
  }
  if (complete) complete(arrivals, threads);
  if (watcher_) watcher_->block_met(live_);
  release_all();
  return true;
}

void BlockMachine::report_deadlock() const {
  unsigned lanes = 0;
  for (const Warp& warp : warps_) lanes += static_cast<unsigned>(std::popcount(warp.lanes));
  const unsigned number = static_cast<unsigned>(blocks_->first);
  throw DeviceError("the threads of block " + std::to_string(number) + " wait for each other for ever: " +
                    std::to_string(at_block_) + " at __syncthreads, " + std::to_string(lanes) +
                    " at a warp function, " + std::to_string(at_grid_) + " at grid.sync()");
}

}  // namespace cuprum::cpu
