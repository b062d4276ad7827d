// Many numbers of one law, by all threads, as if one reader had drawn them one after the other.
//
// The stream is cut into blocks of draws. A number takes as many draws as it takes, so nobody knows where in a block its first number
// begins, nor which number of the result that is. Each thread begins a little before its block: readers that begin at different places
// soon stand at one and the same, and read alike from there on. It keeps the numbers that begin in its block. Then the blocks are gone
// through in order: where a block did not begin where the one before it ended, it is read anew. So the numbers, and the state
// behind them, are those of one reader, for any number of threads.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "backend/cpu/random/reader.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

/// Which draws a law reads. Mixed ones cannot be entered at a guess, and are read by one thread.
enum class Reads : std::uint8_t { wide, narrow, mixed };

/// Numbers while the reader has read fewer than `end` draws and there are fewer than `most`; how many there are.
///
/// A law may have a bulk form: `Unit`, and `Run run(const Unit* units, n, T* out) const`, numbers from units in memory. It reads until a
/// number wants more than that; `law(reader)` gives the next one then.
inline constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();
struct Run {
  std::int64_t units;    // that were read
  std::int64_t numbers;  // that were written
  bool stopped;          // before the end, or within a number
};

template <class T, class Law>
std::int64_t read_numbers(Reader& reader, const Law& law, std::int64_t end, std::int64_t most, T* out) {
  std::int64_t count = 0;
  while (count < most && reader.draws() < end) {
    if constexpr (requires { typename Law::Unit; }) {
      using Unit = typename Law::Unit;
      if (reader.template is_even<Unit>()) {
        const std::int64_t draws = std::min(reader.ready(), end - reader.draws());
        const std::int64_t units =
            std::min(most - count, draws * static_cast<std::int64_t>(8 / sizeof(Unit)));
        const Run run = law.run(reinterpret_cast<const Unit*>(reader.here()), units, out + count);
        reader.template take<Unit>(run.units);
        count += run.numbers;
        if (!run.stopped) continue;
      }
    }
    out[count++] = static_cast<T>(law(reader));
  }
  return count;
}

/// `Law`: T operator()(Reader&) const; a draw serves at most kMostPerDraw numbers, and each number needs some of one.
template <class T, Reads kReads, int kMostPerDraw, class Law>
class Chain {
 public:
  static constexpr std::int64_t kNumbers = (32 << 10) / sizeof(T);  // of a block, at most
  static constexpr std::int64_t kDraws = kNumbers / kMostPerDraw;   // of a block
  static constexpr std::int64_t kWarmDraws = 64;                    // before it

  Chain(const BitState& from, const Law& law, std::int64_t n, T* out)
      : from_(from),
        law_(law),
        n_(n),
        out_(out),
        blocks_(static_cast<std::size_t>(blocks_for(n))),
        scratch_(blocks_for(n) * kNumbers) {
    place_.half_is_held = from_.half_is_held;
    place_.half = from_.half;
  }

  /// The state behind the numbers.
  BitState run() {
    double per_number = 1.0 / kMostPerDraw;  // draws, as far as is known
    while (done_ < n_) {
      const double draws = static_cast<double>(n_ - done_) * per_number;
      const std::int64_t most = static_cast<std::int64_t>(blocks_.size()), before = place_.draws,
                         numbers = done_;
      round(std::clamp<std::int64_t>(static_cast<std::int64_t>(draws / kDraws), 1, most));
      if (done_ > numbers)
        per_number = static_cast<double>(place_.draws - before) / static_cast<double>(done_ - numbers);
    }
    return final_;
  }

 private:
  struct Block {
    StreamPlace first, next;      // where its first number begins, and the first behind it
    std::int64_t count = 0;       // of its numbers
    std::int64_t numbers_before;  // in the result
  };

  /// At a time: several for a thread, and few enough that they are still in the cache when they are put in their place.
  static std::int64_t blocks_for(std::int64_t n) {
    return std::min<std::int64_t>(std::max(16, 4 * num_threads()), n / kNumbers + 1);
  }

  T* numbers_of(std::int64_t k) const { return scratch_.data() + k * kNumbers; }

  /// Blocks from place_ on, where number done_ begins; moves both behind them.
  void round(std::int64_t blocks) {
    const std::int64_t begin = place_.draws;
    parallel_for(blocks, [&](std::int64_t k) {
      read(k, begin + k * kDraws, k == 0 ? place_ : guess(begin + k * kDraws));
    });
    std::int64_t whole = 0;
    for (; whole < blocks && done_ < n_; ++whole) {
      Block& block = blocks_[static_cast<std::size_t>(whole)];
      if (!block.first.same_as(place_)) read(whole, begin + whole * kDraws, place_);
      if (done_ + block.count >= n_) {
        finish();
        break;
      }
      block.numbers_before = done_;
      done_ += block.count;
      place_ = block.next;
    }
    parallel_for(whole, [&](std::int64_t k) {
      const Block& block = blocks_[static_cast<std::size_t>(k)];
      std::memcpy(out_ + block.numbers_before, numbers_of(k),
                  static_cast<std::size_t>(block.count) * sizeof(T));
    });
  }

  /// Block k, which begins at draw `begin`, by a reader that stands at `place`, not behind it.
  void read(std::int64_t k, std::int64_t begin, const StreamPlace& place) {
    Reader reader(from_, place, kWarmDraws + kDraws);
    if (!place.same_as(place_)) {
      while (reader.draws() < begin) law_(reader);
    }
    Block& block = blocks_[static_cast<std::size_t>(k)];
    block.first = reader.place();
    block.count = read_numbers(reader, law_, begin + kDraws, kNumbers, numbers_of(k));
    block.next = reader.place();
  }

  /// A little before draw `begin`.
  StreamPlace guess(std::int64_t begin) const {
    StreamPlace place;
    place.draws = std::max<std::int64_t>(0, begin - kWarmDraws);
    if constexpr (kReads == Reads::wide) {  // which leaves the half alone
      place.half_is_held = from_.half_is_held;
      place.half = from_.half;
    }
    return place;
  }

  /// From place_ up to the last number.
  void finish() {
    Reader reader(from_, place_, kDraws);
    read_numbers(reader, law_, kEver, n_ - done_, out_ + done_);
    final_ = reader.state();
    done_ = n_;
  }

  const BitState& from_;
  const Law& law_;
  const std::int64_t n_;
  T* const out_;
  std::vector<Block> blocks_;
  const Scratch<T> scratch_;
  StreamPlace place_;  // where the next number begins
  std::int64_t done_ = 0;
  BitState final_;
};

}  // namespace cuprum::cpu
