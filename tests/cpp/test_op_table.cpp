// The table of operations is complete: every row has a doc, a golden line where NumPy has the ufunc, and a loop.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "backend/cpu/loops.h"
#include "core/op.h"
#include "core/op_signatures.h"
#include "golden.h"

namespace cuprum {
namespace {

std::vector<Op> all_ops() {
  std::vector<Op> ops;
  for (int i = 0; i < kOpCount; ++i) ops.push_back(static_cast<Op>(i));
  return ops;
}

bool is_public(Op op) { return (info(op).flags & kInternal) == 0; }

/// name -> inputs, outputs, identity, reorderable, as NumPy has them.
std::map<std::string, std::vector<std::string>> numpy_ufuncs() {
  std::map<std::string, std::vector<std::string>> ufuncs;
  for (const std::string& line : golden::lines("ufuncs.txt")) {
    std::vector<std::string> fields = golden::split(line);
    ufuncs[fields[0]] = {fields.begin() + 1, fields.end()};
  }
  return ufuncs;
}

std::string identity_text(Identity identity) {
  switch (identity) {
    case Identity::none: return "none";
    case Identity::zero: return "0";
    case Identity::one: return "1";
    case Identity::minus_one: return "-1";
    case Identity::true_: return "True";
    case Identity::false_: return "False";
    case Identity::minus_inf: return "-inf";
  }
  return "";
}

TEST(OpTable, EveryRowIsDescribed) {
  std::set<std::string> names;
  for (Op op : all_ops()) {
    const OpInfo& row = info(op);
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands twice";
    EXPECT_EQ(find_op(row.name), op);
    EXPECT_EQ(row.nin, input_count(op));
    ASSERT_GT(std::strlen(row.doc), 10u) << row.name;
    EXPECT_EQ(row.doc[std::strlen(row.doc) - 1], '.') << row.name << ": the doc is a sentence";
    if (op == Op::cast) continue;  // its loops are by pairs of dtypes
    EXPECT_FALSE(row.signatures.empty()) << row.name;
    for (const Signature& s : row.signatures) {
      EXPECT_EQ(find_signature(op, s.key), &s) << row.name;
      EXPECT_EQ(s.key, s.in[key_input(op)]) << row.name;
    }
  }
  EXPECT_EQ(find_op("no_such_ufunc"), Op::count_);
}

TEST(OpTable, PublicRowsAreNumPysUfuncs) {
  const auto ufuncs = numpy_ufuncs();
  for (Op op : all_ops()) {
    if (!is_public(op)) continue;
    const OpInfo& row = info(op);
    ASSERT_TRUE(ufuncs.count(row.name)) << row.name << " has no golden line";
    const std::vector<std::string>& fields = ufuncs.at(row.name);
    EXPECT_EQ(fields[0], std::to_string(row.nin)) << row.name;
    EXPECT_EQ(fields[2], identity_text(row.identity)) << row.name;
    if (fields[3] != "-") {
      EXPECT_EQ(fields[3] == "1", (row.flags & kReorderable) != 0) << row.name;
    }
  }
  std::set<std::string> pairs;
  for (const PairUfunc& pair : pair_ufuncs()) pairs.insert(pair.name);
  for (const auto& [name, fields] : ufuncs) {
    if (fields[1] == "2") {
      EXPECT_TRUE(pairs.count(name)) << name << " is missing among the pairs";
    } else {
      EXPECT_NE(find_op(name.c_str()), Op::count_) << name << " is missing in the table";
    }
  }
}

TEST(OpTable, BothHalvesOfAPairTakeTheSameOperands) {
  for (const PairUfunc& pair : pair_ufuncs()) {
    EXPECT_EQ(input_count(pair.first), input_count(pair.second)) << pair.name;
    ASSERT_EQ(info(pair.first).signatures.size(), info(pair.second).signatures.size()) << pair.name;
    for (const Signature& s : info(pair.first).signatures) EXPECT_TRUE(find_signature(pair.second, s.key));
  }
}

TEST(OpTable, EveryRowHasItsLoops) {
  for (Op op : all_ops()) {
    for (int key = 0; key < kDTypeCount; ++key) {
      const dtype t = static_cast<dtype>(key);
      const bool has_loop = loops().loop[static_cast<int>(op)][key] != nullptr;
      EXPECT_EQ(has_loop, find_signature(op, t) != nullptr) << info(op).name << " of " << name(t);
    }
  }
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      EXPECT_TRUE(loops().cast[from][to])
          << name(static_cast<dtype>(from)) << " to " << name(static_cast<dtype>(to));
    }
  }
}

}  // namespace
}  // namespace cuprum
