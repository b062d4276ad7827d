// The elementwise loops against the scalar meanings, for every (operation, key) of the table and every cast, at every
// instruction-set level: equal bit for bit wherever the loop is made from the meaning, and for all loops the same value
// at every position, length and alignment.
#include <gtest/gtest.h>

#include <string>

#include "core/op_signatures.h"
#include "element_samples.h"
#include "simd_levels.h"

namespace cuprum {
namespace {

using testing_support::Bytes;
using testing_support::Element;
using testing_support::Level;
using testing_support::runnable_levels;
using testing_support::same_element;
using testing_support::Samples;

constexpr std::int64_t kLongest = 70;    // longer than any vector
constexpr std::int64_t kSeveral = 1500;  // more than one block of any loop that works in blocks
constexpr std::int64_t kOffsets[] = {0, 1, 5};

// -- The scalar meanings as loops of this file's own.

template <class T>
T load(const void* p, std::int64_t i) {
  T value;
  std::memcpy(&value, static_cast<const unsigned char*>(p) + i * sizeof(T), sizeof(T));
  return value;
}

template <class Meaning, Op op, dtype key>
void reference_loop(std::int64_t n, void* dst, const void* a, const void* b, const void* c) {
  constexpr Signature s = signature_of(op, key);
  for (std::int64_t i = 0; i < n; ++i) {
    Element<s.out> result;
    if constexpr (input_count(op) == 1) {
      result = Meaning()(load<Element<s.in[0]>>(a, i));
    } else if constexpr (input_count(op) == 2) {
      result = Meaning()(load<Element<s.in[0]>>(a, i), load<Element<s.in[1]>>(b, i));
    } else {
      result =
          Meaning()(load<Element<s.in[0]>>(a, i), load<Element<s.in[1]>>(b, i), load<Element<s.in[2]>>(c, i));
    }
    std::memcpy(static_cast<unsigned char*>(dst) + i * sizeof(result), &result, sizeof(result));
  }
}

template <dtype from, dtype to>
void reference_cast(std::int64_t n, void* dst, const void* a, const void*, const void*) {
  for (std::int64_t i = 0; i < n; ++i) {
    const Element<to> result = kernels::cast<Element<to>>(load<Element<from>>(a, i));
    std::memcpy(static_cast<unsigned char*>(dst) + i * sizeof(result), &result, sizeof(result));
  }
}

template <Op op, int key = 0, class Meaning>
void add_references(LoopTable& table, Meaning meaning) {
  constexpr dtype type = static_cast<dtype>(key);
  if constexpr (has_loop(op, type))
    table.loop[static_cast<int>(op)][key] = &reference_loop<Meaning, op, type>;
  if constexpr (key + 1 < kDTypeCount) add_references<op, key + 1>(table, meaning);
}

template <int from = 0, int to = 0>
void add_reference_casts(LoopTable& table) {
  table.cast[from][to] = &reference_cast<static_cast<dtype>(from), static_cast<dtype>(to)>;
  if constexpr (to + 1 < kDTypeCount) {
    add_reference_casts<from, to + 1>(table);
  } else if constexpr (from + 1 < kDTypeCount) {
    add_reference_casts<from + 1, 0>(table);
  }
}

LoopTable make_references() {
  LoopTable table = {};
#define CUPRUM_OP(op, ...) add_references<Op::op>(table, [](auto... x) { return kernels::op(x...); });
  // (The row `cast` has no signatures: its lambda is never called.)
#include "core/op_table.def"
#undef CUPRUM_OP
  add_reference_casts(table);
  return table;
}

const LoopTable& references() {
  static const LoopTable table = make_references();
  return table;
}

// -- One loop under test.

struct Case {
  std::string name;
  LoopFn loop, reference;
  int inputs;
  dtype in[kMaxInputs];
  dtype out;
  bool exact;  // the loop is made from the scalar meaning: bits must agree

  Bytes arguments[kMaxInputs];

  void sample(Samples& samples, std::int64_t n) {
    for (int i = 0; i < inputs; ++i) arguments[i] = samples.of(in[i], n);
  }
  const void* argument(int i, std::int64_t offset) const {
    return i < inputs ? arguments[i].data() + offset * itemsize(in[i]) : nullptr;
  }
  /// n results, from element `offset` of the arguments on. What lies behind them must stay untouched.
  Bytes run(LoopFn f, std::int64_t n, std::int64_t offset) const {
    const std::size_t size = n * itemsize(out);
    Bytes memory(offset * itemsize(out) + size + 64, 0xa5);
    unsigned char* dst = memory.data() + offset * itemsize(out);
    f(n, dst, argument(0, offset), argument(1, offset), argument(2, offset));
    for (int i = 0; i < 64; ++i) EXPECT_EQ(dst[size + i], 0xa5) << name << " wrote past its end, n = " << n;
    return Bytes(dst, dst + size);
  }
  /// The first index at which the results differ, or -1.
  std::int64_t difference(const Bytes& a, const Bytes& b, std::int64_t b_offset = 0) const {
    const std::size_t size = itemsize(out);
    for (std::size_t i = 0; i < a.size() / size; ++i) {
      if (!same_element(out, a.data() + i * size, b.data() + (i + b_offset) * size))
        return static_cast<std::int64_t>(i);
    }
    return -1;
  }
};

/// Vector functions of the C library stand in for these; tests/cpp/test_math_ulp.cpp bounds their difference.
bool is_exact(Op op, dtype key) {
  if (op == Op::absolute) return !is_complex(key);
  return !((info(op).flags & kTranscendental) && is_floating(key));
}

std::vector<Case> all_cases(const LoopTable& loops) {
  std::vector<Case> cases;
  for (int op = 0; op < kOpCount; ++op) {
    for (int key = 0; key < kDTypeCount; ++key) {
      const Signature* s = signature(static_cast<Op>(op), static_cast<dtype>(key));
      if (!s) continue;
      Case c = {};
      c.name = std::string(info(static_cast<Op>(op)).name) + " of " + name(s->key);
      c.loop = loops.loop[op][key];
      c.reference = references().loop[op][key];
      c.inputs = input_count(static_cast<Op>(op));
      for (int i = 0; i < c.inputs; ++i) c.in[i] = s->in[i];
      c.out = s->out;
      c.exact = is_exact(static_cast<Op>(op), s->key);
      cases.push_back(c);
    }
  }
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      Case c = {};
      c.name =
          std::string("cast of ") + name(static_cast<dtype>(from)) + " to " + name(static_cast<dtype>(to));
      c.loop = loops.cast[from][to];
      c.reference = references().cast[from][to];
      c.inputs = 1;
      c.in[0] = static_cast<dtype>(from);
      c.out = static_cast<dtype>(to);
      c.exact = true;
      cases.push_back(c);
    }
  }
  return cases;
}

class LoopsTest : public testing::TestWithParam<Level> {
 protected:
  Samples samples_{20240607};
};

TEST_P(LoopsTest, EveryRowOfTheTableHasItsLoops) {
  for (int op = 0; op < kOpCount; ++op) {
    for (int key = 0; key < kDTypeCount; ++key) {
      const bool wanted = has_loop(static_cast<Op>(op), static_cast<dtype>(key));
      EXPECT_EQ(GetParam().loops->loop[op][key] != nullptr, wanted)
          << info(static_cast<Op>(op)).name << " of " << name(static_cast<dtype>(key));
    }
  }
}

TEST_P(LoopsTest, LoopEqualsScalarMeaning) {
  for (Case& c : all_cases(*GetParam().loops)) {
    if (!c.exact) continue;
    c.sample(samples_, kSeveral);
    const std::int64_t at = c.difference(c.run(c.loop, kSeveral, 0), c.run(c.reference, kSeveral, 0));
    EXPECT_EQ(at, -1) << c.name << " differs from its meaning at " << at;
  }
}

TEST_P(LoopsTest, ValueDoesNotDependOnPositionOrLength) {
  for (Case& c : all_cases(*GetParam().loops)) {
    c.sample(samples_, kLongest + 5);
    const Bytes whole = c.run(c.loop, kLongest + 5, 0);
    for (const std::int64_t offset : kOffsets) {
      for (std::int64_t n = 0; n <= kLongest; ++n) {
        const std::int64_t at = c.difference(c.run(c.loop, n, offset), whole, offset);
        ASSERT_EQ(at, -1) << c.name << ": element " << at << " of " << n << " at offset " << offset
                          << " differs";
      }
    }
  }
}

TEST_P(LoopsTest, ValueDoesNotDependOnTheBlock) {
  for (Case& c : all_cases(*GetParam().loops)) {
    c.sample(samples_, kSeveral);
    const Bytes whole = c.run(c.loop, kSeveral, 0);
    const std::int64_t at = c.difference(c.run(c.loop, kSeveral - 701, 701), whole, 701);
    EXPECT_EQ(at, -1) << c.name << ": element " << at << " differs";
  }
}

TEST_P(LoopsTest, ResultMayReplaceAnyArgument) {
  for (Case& c : all_cases(*GetParam().loops)) {
    for (int replaced = 0; replaced < c.inputs; ++replaced) {
      if (c.in[replaced] != c.out) continue;
      c.sample(samples_, kSeveral);
      const Bytes apart = c.run(c.loop, kSeveral, 0);
      void* dst = c.arguments[replaced].data();
      c.loop(kSeveral, dst, c.argument(0, 0), c.argument(1, 0), c.argument(2, 0));
      const std::int64_t at = c.difference(apart, c.arguments[replaced]);
      EXPECT_EQ(at, -1) << c.name << ": element " << at << " differs when argument " << replaced
                        << " is replaced";
    }
  }
}

TEST_P(LoopsTest, AnyByteThatIsNotZeroIsTrue) {
  const Bytes bytes = {0, 1, 2, 127, 128, 255, 0, 3};
  const LoopTable& loops = *GetParam().loops;
  for (int to = 0; to < kDTypeCount; ++to) {
    if (static_cast<dtype>(to) == dtype::bool_) continue;
    const Bytes ones = {0, 1, 1, 1, 1, 1, 0, 1};
    Bytes got(8 * 16), wanted(8 * 16);
    loops.cast[0][to](8, got.data(), bytes.data(), nullptr, nullptr);
    loops.cast[0][to](8, wanted.data(), ones.data(), nullptr, nullptr);
    EXPECT_EQ(got, wanted) << "cast to " << name(static_cast<dtype>(to));
  }
  Bytes got(8);
  loops.loop[static_cast<int>(Op::logical_not)][0](8, got.data(), bytes.data(), nullptr, nullptr);
  EXPECT_EQ(got, (Bytes{1, 0, 0, 0, 0, 0, 1, 0}));
}

INSTANTIATE_TEST_SUITE_P(Levels, LoopsTest, testing::ValuesIn(runnable_levels()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cuprum
