// Many numbers of one law, by all threads, as if one reader had drawn them one after the other.
//
// The stream is cut into blocks of draws. A number takes as many draws as it takes, so nobody knows where in a block its first number
// begins, nor which number of the result that is. Each thread begins a little before its block: readers that begin at different places
// soon stand at one and the same, and read alike from there on. It keeps the numbers that begin in its block, then hears from the
// block before where the first of them does begin. If that is elsewhere, it reads its block anew. So the numbers, and the state
// behind them, are those of one reader, for any number of threads.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "backend/cpu/random/reader.h"
#include "backend/cpu/threads.h"
#include "runtime/spin_lock.h"

namespace cuprum::cpu {

/// Which draws a law reads. Mixed ones cannot be entered at a guess, and are read by one thread.
enum class Reads : std::uint8_t { wide, narrow, mixed };

/// `Law`: T operator()(Reader&) const; a draw serves at most kMostPerDraw numbers, and each number needs some of one.
template <class T, Reads kReads, int kMostPerDraw, class Law>
class Chain {
 public:
  static constexpr std::int64_t kNumbers = (32 << 10) / sizeof(T);  // of a block, at most
  static constexpr std::int64_t kDraws = kNumbers / kMostPerDraw;   // of a block
  static constexpr std::int64_t kWarmDraws = 64;                    // before it

  Chain(const BitState& from, const Law& law, std::int64_t n, T* out)
      : from_(from), law_(law), n_(n), out_(out) {}

  /// The state behind the numbers.
  BitState run() {
    StreamPlace place;
    place.half_is_held = from_.half_is_held;
    place.half = from_.half;
    std::int64_t done = 0;
    double per_number = 1.0 / kMostPerDraw;  // draws, as far as is known
    while (done < n_) {
      const double draws = static_cast<double>(n_ - done) * per_number;
      const std::int64_t before = place.draws, numbers = done;
      round(std::max<std::int64_t>(1, static_cast<std::int64_t>(draws / kDraws)), place, done);
      if (done > numbers)
        per_number = static_cast<double>(place.draws - before) / static_cast<double>(done - numbers);
    }
    return final_;
  }

 private:
  /// What is known at the end of a block.
  struct Link {
    StreamPlace place;         // where the next number begins
    std::int64_t numbers = 0;  // how many came before it
    std::atomic<bool> told{false};

    void tell(const StreamPlace& at, std::int64_t count) {
      place = at;
      numbers = count;
      told.store(true, std::memory_order_release);
    }
    /// Blocks are begun in order, so whoever has to tell is at work.
    void wait() const {
      for (int spins = 0; !told.load(std::memory_order_acquire); ++spins) {
        if (spins < 256)
          cpu_pause();
        else
          sched_yield();
      }
    }
  };

  /// Blocks from `place` on, where number `done` begins; moves both behind them.
  void round(std::int64_t blocks, StreamPlace& place, std::int64_t& done) {
    std::vector<Link> links(static_cast<std::size_t>(blocks) + 1);
    links[0].tell(place, done);
    parallel_for(blocks, [&](std::int64_t k) {
      block(place.draws + k * kDraws, links[static_cast<std::size_t>(k)],
            links[static_cast<std::size_t>(k) + 1]);
    });
    place = links.back().place;
    done = links.back().numbers;
  }

  void block(std::int64_t begin, const Link& before, Link& after) {
    const std::int64_t end = begin + kDraws;
    T numbers[kNumbers];
    const bool told = before.told.load(std::memory_order_acquire);
    Reader reader(from_, told ? before.place : guess(begin));
    if (!told) {
      while (reader.draws() < begin) law_(reader);
    }
    const StreamPlace first = reader.place();
    std::int64_t count = read(reader, end, numbers);
    before.wait();
    if (before.numbers >= n_) return after.tell(before.place, before.numbers);
    if (!first.same_as(before.place)) {
      reader = Reader(from_, before.place);
      count = read(reader, end, numbers);
    }
    if (before.numbers + count < n_) {
      after.tell(reader.place(), before.numbers + count);
      std::memcpy(out_ + before.numbers, numbers, static_cast<std::size_t>(count) * sizeof(T));
      return;
    }
    reader = Reader(from_, before.place);  // once more, up to the last number
    for (std::int64_t i = before.numbers; i < n_; ++i) out_[i] = law_(reader);
    final_ = reader.state();
    after.tell(reader.place(), n_);
  }

  StreamPlace guess(std::int64_t begin) const {
    StreamPlace place;
    place.draws = std::max<std::int64_t>(0, begin - kWarmDraws);
    if constexpr (kReads == Reads::wide) {  // which leaves the half alone
      place.half_is_held = from_.half_is_held;
      place.half = from_.half;
    }
    return place;
  }

  /// The numbers that begin before `end`.
  std::int64_t read(Reader& reader, std::int64_t end, T* numbers) const {
    std::int64_t count = 0;
    while (reader.draws() < end) numbers[count++] = law_(reader);
    return count;
  }

  const BitState& from_;
  const Law& law_;
  const std::int64_t n_;
  T* const out_;
  BitState final_;
};

}  // namespace cuprum::cpu
