#include "backend/cpu/user_kernels/checked/block_checker.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include "runtime/devices.h"

namespace cuprum::cpu {

namespace {

thread_local BlockChecker* of_this_thread = nullptr;

constexpr std::size_t kPage = 4096, kAnything = std::numeric_limits<std::size_t>::max();

std::string bytes_text(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

bool same_block(const ThreadPlace& a, const ThreadPlace& b) {
  return std::memcmp(&a.block, &b.block, sizeof a.block) == 0;
}

std::string thread_text(const ThreadPlace& other, const ThreadPlace& mine) {
  const std::string text = to_text(other);
  return same_block(other, mine) ? text.substr(text.find("thread")) : text;
}

}  // namespace

/// What a module calls, for the block that this OS thread runs.
struct BlockChecker::Entry {
  static BlockChecker* checker() {
    return of_this_thread && of_this_thread->machine_.running() >= 0 ? of_this_thread : nullptr;
  }
  static Thread& thread(BlockChecker& c) { return c.threads_[c.rank()]; }

  static void touch(void* address, unsigned long bytes, unsigned touch, const void* place) {
    if (BlockChecker* c = checker(); c && bytes != 0)
      c->touch(static_cast<std::byte*>(address), bytes, touch, place);
  }
  static void copy(void* to, const void* from, unsigned long bytes, const void* place) {
    touch(const_cast<void*>(from), bytes, lang::kReads, place);
    touch(to, bytes, lang::kWrites, place);
    if (bytes != 0) std::memmove(to, from, bytes);
  }
  static void fill(void* to, int byte, unsigned long bytes, const void* place) {
    touch(to, bytes, lang::kWrites, place);
    if (bytes != 0) std::memset(to, byte, bytes);
  }
  static void call(const void* place) {
    BlockChecker* c = checker();
    if (!c) return;
    Thread& t = thread(*c);
    if (t.depth < t.calls.size()) t.calls[t.depth] = c->launch_.module.line_before(place);
    ++t.depth;
  }
  static void finish() {
    if (BlockChecker* c = checker(); c && thread(*c).depth != 0) --thread(*c).depth;
  }
  static void fence() {
    if (BlockChecker* c = checker()) c->order_.fence(c->rank());
  }
  static void misaligned(const void* address, unsigned long alignment, const char* type, const void* place) {
    BlockChecker* c = checker();
    if (!c) return;
    c->refuse(Wrong::misaligned, place, [&] {
      const std::size_t off = reinterpret_cast<std::uintptr_t>(address) % alignment;
      return "the address of " + std::string(type) + " is " + bytes_text(off) + " behind a multiple of " +
             std::to_string(alignment) + ": misaligned";
    });
  }
  static void outside(long long index, const char* type, const void* place) {
    BlockChecker* c = checker();
    if (!c) return;
    c->refuse(Wrong::outside, place, [&] {
      return "index " + std::to_string(index) + " is out of bounds of an array of type " + type;
    });
  }
};

const lang::Checks& BlockChecker::checks() {
  static constexpr lang::Checks table{Entry::touch,  Entry::copy,  Entry::fill,       Entry::call,
                                      Entry::finish, Entry::fence, Entry::misaligned, Entry::outside};
  return table;
}

BlockChecker::BlockChecker(CheckedLaunch& launch, BlockMachine& machine)
    : launch_(launch),
      machine_(machine),
      order_(launch.clock),
      shared_(launch.module.thread_bytes(), 4),
      thread_memory_(launch.module.thread_memory()) {
  machine_.tell(this);
  of_this_thread = this;
}

BlockChecker::~BlockChecker() {
  machine_.tell(nullptr);
  of_this_thread = nullptr;
}

// -- Accesses.

void BlockChecker::touch(std::byte* address, std::size_t bytes, unsigned touch, const void* place) {
  if (address >= stacks_ && address < stacks_end_) return;  // local variables
  settle();
  const Target target = find(address);
  const bool reads = touch & lang::kReads, writes = touch & lang::kWrites;
  if (target.room < bytes) {
    refuse(Wrong::outside, place, [&] {
      return std::string(writes ? "writes " : "reads ") + bytes_text(bytes) +
             " out of bounds: " + describe(address, bytes);
    });
  }
  if (!target.shadow) return;
  const std::uint32_t line = line_of(place);
  if (target.shared && reads && target.shadow->has_unwritten_word(target.at, bytes)) {
    launch_.findings.add(Wrong::unwritten, line, here(), [&] {
      return "reads " + describe(address, bytes) +
             ", which no thread of the block has written: uninitialised shared memory";
    });
    target.shadow->set_written(target.at, bytes);
  }
  // Through volatile, blocks speak to each other, in order by fences. Within a block it orders nothing: warps do not run in step.
  const bool atomic = (touch & lang::kAtomic) || ((touch & lang::kVolatile) && !target.shared);
  if (atomic) order_.atomic(rank(), address, reads, writes);
  const Access access{order_.number(rank()), order_.now(), line, 0, atomic};
  const Race race = target.shadow->touch(target.at, bytes, writes, access, order_, rank());
  if (race) note_race(race, address, bytes, writes, line);
  if (writes) target.shadow->set_written(target.at, bytes);
}

BlockChecker::Target BlockChecker::find(std::byte* address) {
  if (launch_.arrays.contains(address)) {
    GuardedArray& array = launch_.arrays.nearest(address);
    if (!array.contains(address)) return {};
    const auto at = static_cast<std::size_t>(address - array.copy);
    return {&array.shadow, at, array.bytes - at, false};
  }
  if (address >= thread_memory_ && address < thread_memory_ + launch_.module.thread_bytes())
    return find_thread_variable(static_cast<std::size_t>(address - thread_memory_));
  if (launch_.module.contains(address)) {
    const auto at = static_cast<std::size_t>(address - launch_.module.data());
    return {&launch_.variables, at, launch_.module.data_bytes() - at, false};
  }
  return {nullptr, 0, is_memory(address) ? kAnything : 0, false};
}

BlockChecker::Target BlockChecker::find_thread_variable(std::size_t at) {
  const ThreadVariable* v = launch_.module.variable_before(at);
  if (v && v->language) return {nullptr, 0, kAnything, false};
  const std::size_t end = v ? v->at + size_of(*v) : 0;
  return at < end ? Target{&shared_, at, end - at, true} : Target{};
}

/// Memory that the kernel got the address of in other ways than as an argument: nothing but that it is some can be said.
bool BlockChecker::is_memory(const std::byte* address) {
  const auto [page, is_new] = launch_.mapped.try_emplace(reinterpret_cast<std::uintptr_t>(address) / kPage);
  if (is_new) page->second = backend_named("cpu").can_use(address, 1);
  return page->second;
}

void BlockChecker::note_race(const Race& race, std::byte* address, std::size_t bytes, bool writes,
                             std::uint32_t line) {
  const auto what = [&] {
    const ThreadPlace other = where(race.other.thread);
    return std::string(writes ? "writes " : "reads ") + describe(address, bytes) + ", which " +
           thread_text(other, here()) + (race.other_writes ? " writes" : " reads") + " in " +
           launch_.findings.line_text(race.other.line) +
           (same_block(other, here()) ? " with no barrier between them: a race"
                                      : " in no order with it: a race");
  };
  if (!writes || !race.other_writes) return launch_.findings.add(Wrong::race, line, here(), what);
  doubt_ = {address, {address, address + bytes}, line, here(), what()};
}

void BlockChecker::settle() {
  if (!doubt_.address) return;
  const bool differs = std::memcmp(doubt_.address, doubt_.before.data(), doubt_.before.size()) != 0;
  doubt_.address = nullptr;
  if (differs) launch_.findings.add(Wrong::race, doubt_.line, doubt_.where, [&] { return doubt_.what; });
}

template <class F>
void BlockChecker::refuse(Wrong wrong, const void* place, F what) {
  launch_.findings.add(wrong, line_of(place), here(), what);
  machine_.stop_thread();
}

// -- Names of things.

std::uint32_t BlockChecker::line_of(const void* place) const {
  std::uint32_t line = launch_.module.line_before(place);
  const Thread& t = threads_[rank()];
  for (std::size_t i = std::min<std::size_t>(t.depth, t.calls.size()); line == 0 && i > 0; --i)
    line = t.calls[i - 1];
  return line;
}

ThreadPlace BlockChecker::where(std::uint32_t number) const {
  const lang::Dim grid = blocks_.grid, block = blocks_.block;
  const std::uint32_t threads = order_.threads(), b = (number - 1) / threads, t = (number - 1) % threads;
  return {{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y},
          {t % block.x, t / block.x % block.y, t / block.x / block.y}};
}

std::string BlockChecker::describe(const std::byte* address, std::size_t bytes) const {
  const auto position = [&](const std::byte* begin, std::size_t size, std::size_t item,
                            const std::string& name) {
    const std::ptrdiff_t at = address - begin, unit = static_cast<std::ptrdiff_t>(item);
    const bool elements = unit > 1 && at % unit == 0 && bytes <= item;
    return (elements ? "element " + std::to_string(at / unit) : "byte " + std::to_string(at)) + " of " +
           name + " (" + (elements ? std::to_string(size / item) + " elements" : bytes_text(size)) + ")";
  };
  if (launch_.arrays.contains(address)) {
    const GuardedArray& a = launch_.arrays.nearest(address);
    return position(a.copy, a.bytes, a.item, "argument " + std::to_string(a.argument));
  }
  if (address >= thread_memory_ && address < thread_memory_ + launch_.module.thread_bytes()) {
    const ThreadVariable* v = launch_.module.shared_near(static_cast<std::size_t>(address - thread_memory_));
    return v ? position(thread_memory_ + v->at, size_of(*v), 1, v->name)
             : "shared memory, of which it has none";
  }
  if (launch_.module.contains(address)) return "a variable of the module";
  std::ostringstream text;
  text << "address " << static_cast<const void*>(address) << ", where no array and no shared memory is";
  return text.str();
}

// -- Blocks, barriers.

void BlockChecker::block_begins(const lang::Blocks& blocks, const char* low, const char* high) {
  blocks_ = blocks;
  stacks_ = reinterpret_cast<const std::byte*>(low);
  stacks_end_ = reinterpret_cast<const std::byte*>(high);
  const unsigned threads = blocks.block.x * blocks.block.y * blocks.block.z;
  threads_.assign(threads, Thread{});
  order_.begin(blocks.first, threads);
  for (const ThreadVariable& v : launch_.module.thread_variables()) {
    if (!v.language) shared_.forget(v.at, v.bytes);
  }
}

void BlockChecker::thread_ends(unsigned rank) {
  settle();
  threads_[rank].ended = true;
}

void BlockChecker::thread_waits(unsigned rank, lang::Scope, const void* place) {
  settle();
  threads_[rank].waits_at = line_of(place);
}

void BlockChecker::lanes_met(unsigned warp, unsigned lanes) { order_.lanes_meet(warp, lanes); }

void BlockChecker::block_met(unsigned live) {
  order_.block_meets();
  const auto place = [&](const Thread& t) {
    return where(order_.number(static_cast<unsigned>(&t - threads_.data())));
  };
  const auto first = std::ranges::find(threads_, false, &Thread::ended);
  if (live < threads_.size()) {
    const auto missing = std::ranges::find(threads_, true, &Thread::ended);
    return launch_.findings.add(Wrong::barrier, first->waits_at, place(*missing), [&] {
      return "has returned, and does not come to the barrier at which " + std::to_string(live) + " of the " +
             std::to_string(threads_.size()) + " threads of the block wait";
    });
  }
  const auto other =
      std::ranges::find_if(threads_, [&](const Thread& t) { return t.waits_at != first->waits_at; });
  if (other == threads_.end()) return;
  launch_.findings.add(Wrong::barrier, other->waits_at, place(*other), [&] {
    return "waits at this barrier, and " + thread_text(place(*first), place(*other)) + " at that of " +
           launch_.findings.line_text(first->waits_at) +
           ": all threads of a block have to come to the same one";
  });
}

void BlockChecker::wait_for_grid(GridBarrier& barrier) {
  order_.arrives_at_grid();
  launch_.turn.unlock();
  barrier.wait();
  launch_.turn.lock();
  order_.grid_met();
}

void BlockChecker::block_hangs() {
  const auto place = [&](const Thread& t) {
    return where(order_.number(static_cast<unsigned>(&t - threads_.data())));
  };
  const auto first = std::ranges::find(threads_, false, &Thread::ended);
  const auto other = std::ranges::find_if(
      threads_, [&](const Thread& t) { return !t.ended && t.waits_at != first->waits_at; });
  launch_.findings.add(Wrong::barrier, first->waits_at, place(*first), [&] {
    return "waits for ever: " + (other == threads_.end()
                                     ? "not all threads that it waits for come here"
                                     : thread_text(place(*other), place(*first)) + " waits in " +
                                           launch_.findings.line_text(other->waits_at));
  });
}

}  // namespace cuprum::cpu
