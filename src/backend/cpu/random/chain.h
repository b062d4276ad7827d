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

/// Numbers that begin before draw `end`, while there are fewer than `most`; how many there are.
///
/// A law may have a bulk form: `Unit`, and `Run run(const Unit* units, n, T* out) const`, numbers from units in memory. It reads until a
/// number wants more than that; `law(reader)` gives the next one then.
inline constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();
struct Run {
  std::int64_t units;    // that were read
  std::int64_t numbers;  // that were written
  bool stopped;          // before the end, or within a number
};

/// The draw that the next number begins in: for a law that reads parts the last one, while any of it is left.
template <Reads kReads>
std::int64_t begins(const StreamPlace& place) {
  const bool within = kReads == Reads::narrow && (place.half_is_held || place.parts_left != 0);
  return place.draws - (within ? 1 : 0);
}

template <Reads kReads, class T, class Law>
std::int64_t read_numbers(Reader& reader, const Law& law, std::int64_t end, std::int64_t most, T* out) {
  std::int64_t count = 0;
  while (count < most && begins<kReads>(reader.place()) < end) {
    if constexpr (requires { typename Law::Unit; }) {
      using Unit = typename Law::Unit;
      if (reader.template is_even<Unit>()) {
        const std::int64_t before = reader.template units_before<Unit>();
        const std::int64_t draws =
            std::min(before > 0 ? reader.left() : reader.ready(), end - reader.draws());
        const std::int64_t units =
            std::min(most - count, before + draws * static_cast<std::int64_t>(8 / sizeof(Unit)));
        const Run run = law.run(reinterpret_cast<const Unit*>(reader.here()) - before, units, out + count);
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
  // Before it. Bulk is cheap, and those who try in pairs take longer to meet readers that began between two.
  static constexpr bool kHasBulk = requires { typename Law::Unit; };
  static constexpr std::int64_t kWarmDraws = kHasBulk ? 256 : 64;

  Chain(const BitState& from, const Law& law, std::int64_t n, T* out)
      : from_(from),
        law_(law),
        n_(n),
        out_(out),
        direct_(fills_blocks(law)),
        most_(direct_ ? n / kNumbers + 1 : blocks_for(n)),
        blocks_(static_cast<std::size_t>(2 * most_)),
        scratch_(direct_ ? 1 : 2 * most_ * kNumbers) {
    place_.half_is_held = from_.half_is_held;
    place_.half = from_.half;
  }

  /// The state behind the numbers. The threads read the blocks of a round while they put those of the round before in their place.
  BitState run() {
    double per_number = 1.0 / kMostPerDraw;  // draws, as far as is known
    std::int64_t placed = 0;  // blocks of the other half that have yet to be put in their place
    while (done_ < n_) {
      const std::int64_t begin = begins<kReads>(place_), numbers = done_;
      const double draws = static_cast<double>(n_ - done_) * per_number;
      const std::int64_t blocks = std::min<std::int64_t>(static_cast<std::int64_t>(draws / kDraws), most_);
      if (blocks == 0) {
        finish();
        break;
      }
      base_ = done_;
      parallel_for(blocks + placed, [&](std::int64_t k) {
        if (k < blocks)
          read(k, begin + k * kDraws, k == 0 ? place_ : guess(begin + k * kDraws));
        else
          put(1 - half_, k - blocks);
      });
      placed = resolve(begin, blocks);
      half_ = 1 - half_;
      if (done_ > numbers)
        per_number =
            static_cast<double>(begins<kReads>(place_) - begin) / static_cast<double>(done_ - numbers);
    }
    parallel_for(placed, [&](std::int64_t k) { put(1 - half_, k); });
    return final_;
  }

 private:
  struct Block {
    StreamPlace first, next;          // where its first number begins, and the first behind it
    std::int64_t count = 0;           // of its numbers
    std::int64_t numbers_before = 0;  // in the result
  };

  /// Do nearly all blocks have as many numbers as a block can have?
  static bool fills_blocks(const Law& law) {
    if constexpr (requires { law.rejects(); })
      return law.rejects() * kNumbers < 0.01;
    else
      return false;
  }

  /// Of a round: several for a thread, and enough that threads seldom wait for each other; 1 MB of numbers, which the caches hold until they are in
  /// their place.
  static std::int64_t blocks_for(std::int64_t n) {
    return std::min<std::int64_t>(std::max(32, 4 * num_threads()), n / kNumbers + 1);
  }

  Block& block_of(int half, std::int64_t k) { return blocks_[static_cast<std::size_t>(half * most_ + k)]; }
  T* numbers_of(int half, std::int64_t k) const {
    return direct_ ? out_ + base_ + k * kNumbers : scratch_.data() + (half * most_ + k) * kNumbers;
  }

  /// Goes through the blocks of a round in order; how many of them are whole. The rest of the numbers is written by itself.
  std::int64_t resolve(std::int64_t begin, std::int64_t blocks) {
    for (std::int64_t k = 0; k < blocks; ++k) {
      Block& block = block_of(half_, k);
      if (!block.first.same_as(place_)) read(k, begin + k * kDraws, place_);
      if (done_ + block.count >= n_) {
        finish();
        return direct_ ? 0 : k;
      }
      block.numbers_before = done_;
      if (direct_ && done_ != base_ + k * kNumbers)
        std::memmove(out_ + done_, numbers_of(half_, k), static_cast<std::size_t>(block.count) * sizeof(T));
      done_ += block.count;
      place_ = block.next;
    }
    return direct_ ? 0 : blocks;
  }

  void put(int half, std::int64_t k) {
    const Block& block = block_of(half, k);
    std::memcpy(out_ + block.numbers_before, numbers_of(half, k),
                static_cast<std::size_t>(block.count) * sizeof(T));
  }

  /// Block k, which begins at draw `begin`, by a reader that stands at `place`, not behind it.
  void read(std::int64_t k, std::int64_t begin, const StreamPlace& place) {
    Reader reader(from_, place, kWarmDraws + kDraws);
    if (!place.same_as(place_)) {
      read_numbers<kReads>(reader, law_, begin, kNumbers, numbers_of(half_, k));  // nobody's
    }
    Block& block = block_of(half_, k);
    block.first = reader.place();
    block.count = read_numbers<kReads>(reader, law_, begin + kDraws, kNumbers, numbers_of(half_, k));
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
    read_numbers<kReads>(reader, law_, kEver, n_ - done_, out_ + done_);
    final_ = reader.state();
    done_ = n_;
  }

  const BitState& from_;
  const Law& law_;
  const std::int64_t n_;
  T* const out_;
  const bool direct_;          // blocks are read where they belong if all are full, and moved if one is not
  const std::int64_t most_;    // blocks of a round
  std::vector<Block> blocks_;  // of two rounds, as the numbers of
  const Scratch<T> scratch_;
  int half_ = 0;                      // of these, for the round that is read
  StreamPlace place_;                 // where the next number begins
  std::int64_t done_ = 0, base_ = 0;  // numbers that are known, and that were before the round
  BitState final_;
};

}  // namespace cuprum::cpu
