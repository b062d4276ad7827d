#include "core/random_bits.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "kernels/random/bits.h"

namespace cuprum {

namespace {

namespace random = kernels::random;
using random::uint128;

uint128 multiplier_of(BitKind kind) {
  return kind == BitKind::pcg64 ? random::kPcgMultiplier : random::kPcgCheapMultiplier;
}
uint128 number(const BitState& s, std::size_t at) { return random::join(s.words[at], s.words[at + 1]); }
void set_number(BitState& s, std::size_t at, uint128 x) {
  s.words[at] = static_cast<std::uint64_t>(x >> 64);
  s.words[at + 1] = static_cast<std::uint64_t>(x);
}

void skip_congruence(BitState& s, uint128 n) {
  const random::Steps steps = random::steps_of(multiplier_of(s.kind), number(s, 2), n);
  set_number(s, 0, steps(number(s, 0)));
}

random::Block64 counter_of(const BitState& s) { return {{s.words[0], s.words[1], s.words[2], s.words[3]}}; }

/// The counter is stepped before its block is made; a block has four draws.
void skip_philox(BitState& s, std::uint64_t n) {
  const std::uint64_t left = 4 - s.words[10];
  if (n <= left) {
    s.words[10] += n;
    return;
  }
  n -= left;
  const std::uint64_t blocks = n / 4 + (n % 4 != 0);
  const random::Block64 counter = random::counted(counter_of(s), blocks);
  const random::Block64 block = random::philox4x64(counter, s.words[4], s.words[5]);
  for (std::size_t i = 0; i < 4; ++i) {
    s.words[i] = counter.v[i];
    s.words[6 + i] = block.v[i];
  }
  s.words[10] = n - 4 * (blocks - 1);
}

void skip_philox4x32(BitState& s, std::uint64_t n) {
  const std::uint64_t at = s.words[3] + n;
  s.words[0] += at / 2;
  s.words[3] = at % 2;
}

void skip_twister(BitState& s, std::uint64_t n) {
  constexpr std::uint64_t length = random::kTwisterWords;
  for (n += s.words[0]; n > length; n -= length) random::twist(s.key.data());
  s.words[0] = n;
}

/// Runs a generator that steps one by one, in its own type.
template <class G, class F>
void with(BitState& s, F&& use) {
  G g;
  if constexpr (std::is_same_v<G, random::Xorwow>) {
    for (std::size_t i = 0; i < 5; ++i) g.x[i] = static_cast<std::uint32_t>(s.words[i]);
    g.weyl = static_cast<std::uint32_t>(s.words[5]);
    use(g);
    for (std::size_t i = 0; i < 5; ++i) s.words[i] = g.x[i];
    s.words[5] = g.weyl;
  } else {
    std::memcpy(&g, s.words.data(), sizeof g);
    use(g);
    std::memcpy(s.words.data(), &g, sizeof g);
  }
}

template <class G>
void skip_steps(BitState& s, std::uint64_t n) {
  with<G>(s, [&](G& g) {
    for (std::uint64_t i = 0; i < n; ++i) g.next();
  });
}

template <class G>
std::uint64_t step(BitState& s) {
  std::uint64_t result = 0;
  with<G>(s, [&](G& g) { result = g.next(); });
  return result;
}

}  // namespace

void skip(BitState& s, std::uint64_t n) {
  switch (s.kind) {
    case BitKind::pcg64:
    case BitKind::pcg64dxsm: return skip_congruence(s, n);
    case BitKind::philox: return skip_philox(s, n);
    case BitKind::philox4x32: return skip_philox4x32(s, n);
    case BitKind::sfc64: return skip_steps<random::Sfc64>(s, n);
    case BitKind::xorwow: return skip_steps<random::Xorwow>(s, n);
    case BitKind::mrg32k3a: return skip_steps<random::Mrg32k3a>(s, n);
    case BitKind::mt19937: return skip_twister(s, n);
  }
}

std::uint64_t draw(BitState& s) {
  switch (s.kind) {
    case BitKind::pcg64: skip_congruence(s, 1); return random::pcg64_output(number(s, 0));
    case BitKind::pcg64dxsm: {
      const std::uint64_t result = random::pcg64dxsm_output(number(s, 0));
      skip_congruence(s, 1);
      return result;
    }
    case BitKind::philox: skip_philox(s, 1); return s.words[6 + s.words[10] - 1];
    case BitKind::philox4x32: {
      const std::uint64_t result = random::philox4x32(s.words[0], s.words[1], s.words[2]).v[s.words[3]];
      skip_philox4x32(s, 1);
      return result;
    }
    case BitKind::sfc64: return step<random::Sfc64>(s);
    case BitKind::xorwow: return step<random::Xorwow>(s);
    case BitKind::mrg32k3a: return step<random::Mrg32k3a>(s);
    case BitKind::mt19937: skip_twister(s, 1); return random::tempered(s.key[s.words[0] - 1]);
  }
  return 0;
}

void skip_units(BitState& s, int bits, std::int64_t n) {
  if (bits == 64) return skip(s, static_cast<std::uint64_t>(n));
  std::int64_t halves = (n + 32 / bits - 1) / (32 / bits);
  if (halves > 0 && s.half_is_held) {
    s.half_is_held = false;
    --halves;
  }
  if (halves == 0) return;
  skip(s, static_cast<std::uint64_t>((halves + 1) / 2 - 1));
  s.half = static_cast<std::uint32_t>(draw(s) >> 32);
  s.half_is_held = halves % 2 != 0;
}

// -- Seeds.

int seed_words(BitKind kind) {
  switch (kind) {
    case BitKind::pcg64:
    case BitKind::pcg64dxsm: return 4;
    case BitKind::philox:
    case BitKind::philox4x32: return 2;
    case BitKind::sfc64:
    case BitKind::xorwow: return 3;
    case BitKind::mrg32k3a: return 6;
    case BitKind::mt19937: return random::kTwisterWords / 2;
  }
  return 0;
}

BitState seeded(BitKind kind, std::span<const std::uint64_t> w) {
  BitState s;
  s.kind = kind;
  switch (kind) {
    case BitKind::pcg64:
    case BitKind::pcg64dxsm: {
      const uint128 increment = random::join(w[2], w[3]) << 1 | 1;
      set_number(s, 2, increment);
      // Both are stepped by the one multiplier here, as in NumPy.
      set_number(
          s, 0, random::steps_of(random::kPcgMultiplier, increment, 1)(increment + random::join(w[0], w[1])));
      break;
    }
    case BitKind::philox:
      s.words[4] = w[0];
      s.words[5] = w[1];
      s.words[10] = 4;
      break;
    case BitKind::philox4x32:
      s.words[1] = w[0];
      s.words[2] = w[1];
      break;
    case BitKind::sfc64:
      std::copy(w.begin(), w.begin() + 3, s.words.begin());
      s.words[3] = 1;
      skip(s, 12);
      break;
    case BitKind::xorwow:
      for (std::size_t i = 0; i < 6; ++i) s.words[i] = static_cast<std::uint32_t>(w[i / 2] >> (32 * (i % 2)));
      s.words[0] |= 1;  // the shifted words must not all be zero
      break;
    case BitKind::mrg32k3a:
      for (std::size_t i = 0; i < 6; ++i)
        s.words[i] = w[i] % (i < 3 ? random::Mrg32k3a::kA : random::Mrg32k3a::kB);
      s.words[0] += s.words[0] == 0;  // nor each half of these
      s.words[3] += s.words[3] == 0;
      break;
    case BitKind::mt19937:
      s.key.resize(random::kTwisterWords);
      for (std::size_t i = 0; i < s.key.size(); ++i)
        s.key[i] = static_cast<std::uint32_t>(w[i / 2] >> (32 * (i % 2)));
      s.key[0] = 0x80000000u;
      s.words[0] = random::kTwisterWords - 1;  // NumPy's
      break;
  }
  return s;
}

BitState seeded_legacy(std::uint32_t seed) {
  BitState s;
  s.kind = BitKind::mt19937;
  s.key.resize(random::kTwisterWords);
  for (std::uint32_t i = 0; i < s.key.size(); ++i) {
    s.key[i] = seed;
    seed = 1812433253u * (seed ^ seed >> 30) + i + 1;
  }
  s.words[0] = random::kTwisterWords;
  return s;
}

BitState seeded_legacy(std::span<const std::uint32_t> seed) {
  BitState s = seeded_legacy(19650218u);
  std::vector<std::uint32_t>& key = s.key;
  const std::size_t n = key.size();
  std::size_t i = 1, j = 0;
  const auto move_on = [&] {
    if (++i >= n) {
      key[0] = key[n - 1];
      i = 1;
    }
  };
  for (std::size_t k = std::max(n, seed.size()); k > 0; --k) {
    key[i] = (key[i] ^ (key[i - 1] ^ key[i - 1] >> 30) * 1664525u) + seed[j] + static_cast<std::uint32_t>(j);
    move_on();
    if (++j >= seed.size()) j = 0;
  }
  for (std::size_t k = n - 1; k > 0; --k) {
    key[i] = (key[i] ^ (key[i - 1] ^ key[i - 1] >> 30) * 1566083941u) - static_cast<std::uint32_t>(i);
    move_on();
  }
  key[0] = 0x80000000u;
  return s;
}

void advance(BitState& s, const std::array<std::uint64_t, 4>& delta) {
  if (s.kind == BitKind::philox) {
    unsigned carry = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const uint128 sum = static_cast<uint128>(s.words[i]) + delta[i] + carry;
      s.words[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<unsigned>(sum >> 64);
    }
    std::fill(s.words.begin() + 6, s.words.begin() + 10, 0);
    s.words[10] = 4;
  } else if (s.kind == BitKind::philox4x32) {
    skip_philox4x32(s, delta[0]);
  } else {
    skip_congruence(s, random::join(delta[1], delta[0]));
  }
  s.half_is_held = false;
  s.half = 0;
}

// -- As words.

namespace {
constexpr std::size_t kFixed = 12 + 3;
}

std::size_t packed_size(BitKind kind) {
  return kFixed + (kind == BitKind::mt19937 ? random::kTwisterWords / 2 : 0);
}

void pack(const BitState& s, std::uint64_t* to) {
  std::copy(s.words.begin(), s.words.end(), to);
  to[12] = std::uint64_t{s.half_is_held} << 32 | s.half;
  to[13] = s.normal_is_held;
  to[14] = std::bit_cast<std::uint64_t>(s.normal);
  std::memcpy(to + kFixed, s.key.data(), s.key.size() * sizeof(std::uint32_t));
}

BitState unpack(BitKind kind, const std::uint64_t* from) {
  BitState s;
  s.kind = kind;
  std::copy_n(from, 12, s.words.begin());
  s.half_is_held = from[12] >> 32 != 0;
  s.half = static_cast<std::uint32_t>(from[12]);
  s.normal_is_held = from[13] != 0;
  s.normal = std::bit_cast<double>(from[14]);
  if (kind == BitKind::mt19937) {
    s.key.resize(random::kTwisterWords);
    std::memcpy(s.key.data(), from + kFixed, s.key.size() * sizeof(std::uint32_t));
  }
  return s;
}

// -- Seed sequences.

namespace {

struct Hash {
  std::uint32_t constant = 0x43b0d7e5u;

  std::uint32_t operator()(std::uint32_t value) {
    value ^= constant;
    constant *= 0x931e8875u;
    value *= constant;
    return value ^ value >> 16;
  }
};

std::uint32_t mixed(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t result = 0xca01f9ddu * x - 0x4973f715u * y;
  return result ^ result >> 16;
}

}  // namespace

SeedPool::SeedPool(std::span<const std::uint32_t> given, std::span<const std::uint32_t> spawn_key,
                   std::size_t size)
    : pool_(size) {
  std::vector<std::uint32_t> entropy(given.begin(), given.end());
  // Children are told from other sequences by standing behind a whole pool.
  if (!spawn_key.empty() && entropy.size() < size) entropy.resize(size);
  entropy.insert(entropy.end(), spawn_key.begin(), spawn_key.end());
  Hash hash;
  for (std::size_t i = 0; i < size; ++i) pool_[i] = hash(i < entropy.size() ? entropy[i] : 0);
  for (std::size_t from = 0; from < size; ++from) {
    for (std::size_t to = 0; to < size; ++to) {
      if (from != to) pool_[to] = mixed(pool_[to], hash(pool_[from]));
    }
  }
  for (std::size_t from = size; from < entropy.size(); ++from) {
    for (std::uint32_t& word : pool_) word = mixed(word, hash(entropy[from]));
  }
}

std::vector<std::uint32_t> SeedPool::generate(std::size_t words) const {
  std::vector<std::uint32_t> result(words);
  std::uint32_t constant = 0x8b51f9ddu;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint32_t value = pool_[i % pool_.size()] ^ constant;
    constant *= 0x58f38dedu;
    value *= constant;
    result[i] = value ^ value >> 16;
  }
  return result;
}

std::vector<std::uint64_t> SeedPool::generate_wide(std::size_t words) const {
  const std::vector<std::uint32_t> halves = generate(2 * words);
  std::vector<std::uint64_t> result(words);
  for (std::size_t i = 0; i < words; ++i) result[i] = std::uint64_t{halves[2 * i + 1]} << 32 | halves[2 * i];
  return result;
}

std::vector<std::uint32_t> fresh_entropy() {
  std::random_device device;
  return {device(), device(), device(), device()};
}

}  // namespace cuprum
