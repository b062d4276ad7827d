// Promotion and type resolution against NumPy's own answers, over the full cross product.
#include <gtest/gtest.h>

#include <optional>

#include "core/resolve.h"
#include "golden.h"

namespace cuprum {
namespace {

using golden::operands;

/// A ufunc by NumPy's name: one operation, or two for divmod, modf and frexp.
struct Ufunc {
  std::string name;
  Op first;
  std::optional<Op> second;
};

Ufunc find_ufunc(const std::string& name) {
  for (const PairUfunc& pair : pair_ufuncs()) {
    if (name == pair.name) return {name, pair.first, pair.second};
  }
  return {name, find_op(name.c_str()), {}};
}

std::string inputs_of(const Signature& s, int nin) {
  std::string text;
  for (int k = 0; k < nin; ++k) text += char_of_dtype(s.in[k]);
  return text;
}

/// The loop of a call in the form of the golden files.
std::string resolve_text(const Ufunc& ufunc, const std::string& chars, std::optional<dtype> type = {},
                         Casting casting = Casting::same_kind) {
  const std::vector<OperandType> given = operands(chars);
  try {
    Op op = ufunc.first;
    const Signature& s = resolve_call(ufunc.name.c_str(), op, given, type, casting);
    std::string text = inputs_of(s, input_count(op)) + char_of_dtype(s.out);
    if (ufunc.second) {
      Op second = *ufunc.second;
      const Signature& t = resolve_call(ufunc.name.c_str(), second, given, type, casting);
      EXPECT_EQ(inputs_of(s, input_count(op)), inputs_of(t, input_count(op)));
      text += char_of_dtype(t.out);
    }
    return text;
  } catch (const Error& error) {
    return golden::error_token(ufunc.name, error);
  }
}

/// Compares every answer of the rows; returns how many there were.
template <class Ask>
int compare(const std::string& file, Ask ask) {
  int count = 0;
  for (const golden::Row& row : golden::rows(file)) {
    for (std::size_t i = 0; i < row.answers.size(); ++i) {
      if (row.answers[i] == "-") continue;
      EXPECT_EQ(ask(row, i), row.answers[i]) << file << ": " << row.line << " [" << i << "]";
      ++count;
    }
  }
  return count;
}

TEST(Promotion, PairsCastsAndTriplesAreNumPys) {
  int count = 0;
  for (const golden::Row& row : golden::rows("promotion.txt")) {
    std::string ours;
    for (char c : row.head[0] == "result" ? golden::kOperands : golden::kDTypes) {
      const OperandType other = golden::operand(c);
      std::vector<OperandType> all = operands(row.head[1]);
      if (row.head[0] == "promote") {
        ours += char_of_dtype(promote_types(all[0].type, other.type));
      } else if (row.head[0] == "cast") {
        int strictest = 0;
        while (!can_cast(all[0].type, other.type, static_cast<Casting>(strictest))) ++strictest;
        ours += static_cast<char>('0' + strictest);
      } else {
        all.push_back(other);
        ours += char_of_dtype(result_type(all));
      }
      ++count;
    }
    EXPECT_EQ(ours, row.answers[0]) << row.line;
  }
  EXPECT_EQ(count, 14 * 14 * 2 + 17 * 17 * 17);
}

TEST(Promotion, Bfloat16FollowsFloat16) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const dtype t = static_cast<dtype>(i);
    if (t == dtype::float16 || t == dtype::bfloat16) continue;
    const dtype half = promote_types(dtype::float16, t);
    const dtype expected = half == dtype::float16 ? dtype::bfloat16 : half;
    EXPECT_EQ(promote_types(dtype::bfloat16, t), expected) << name(t);
    EXPECT_EQ(promote_types(t, dtype::bfloat16), expected) << name(t);
    for (Casting casting : {Casting::safe, Casting::same_kind, Casting::unsafe}) {
      EXPECT_EQ(can_cast(dtype::bfloat16, t, casting), can_cast(dtype::float16, t, casting)) << name(t);
      EXPECT_EQ(can_cast(t, dtype::bfloat16, casting), can_cast(t, dtype::float16, casting)) << name(t);
    }
  }
  EXPECT_EQ(promote_types(dtype::bfloat16, dtype::float16), dtype::float32);
  EXPECT_FALSE(can_cast(dtype::bfloat16, dtype::float16));
  EXPECT_TRUE(can_cast(dtype::bfloat16, dtype::float16, Casting::same_kind));
}

TEST(Promotion, IntegerRanges) {
  EXPECT_EQ(integer_range(dtype::int8).min, -128);
  EXPECT_EQ(integer_range(dtype::int8).max, 127u);
  EXPECT_EQ(integer_range(dtype::int64).min, INT64_MIN);
  EXPECT_EQ(integer_range(dtype::int64).max, static_cast<std::uint64_t>(INT64_MAX));
  EXPECT_EQ(integer_range(dtype::uint32).max, UINT32_MAX);
  EXPECT_EQ(integer_range(dtype::uint64).max, UINT64_MAX);
}

TEST(Promotion, CastingRulesByName) {
  for (const char* rule : {"no", "equiv", "safe", "same_kind", "unsafe"})
    EXPECT_STREQ(name(parse_casting(rule)), rule);
  EXPECT_THROW(parse_casting("some_kind"), ValueError);
}

TEST(Resolve, EveryCallIsNumPys) {
  const int count = compare("ufunc_types.txt", [](const golden::Row& row, std::size_t i) {
    return resolve_text(find_ufunc(row.head[0]),
                        (row.head[1] == "-" ? "" : row.head[1]) + golden::kOperands[i]);
  });
  EXPECT_GT(count, 15000);
}

TEST(Resolve, Bfloat16CallsFollowFloat16) {
  const std::string each = golden::kOperands + "E";
  compare("bfloat16.txt", [&](const golden::Row& row, std::size_t i) {
    std::string chars = row.head[1];
    chars[chars.find('*')] = chars.size() == 1 ? 'E' : each[i];
    return resolve_text(find_ufunc(row.head[0]), chars);
  });
}

TEST(Resolve, RequestedDtypeAndCastingAreNumPys) {
  const int count = compare("ufunc_dtype.txt", [](const golden::Row& row, std::size_t i) {
    const std::string& second = row.head[3];
    std::string chars(1, golden::kDTypes[i]);
    if (second != "-") chars += second == "=" ? chars : second;
    return resolve_text(find_ufunc(row.head[0]), chars, dtype_of_char(row.head[2][0]),
                        parse_casting(row.head[1].c_str()));
  });
  EXPECT_GT(count, 30000);
}

std::string reduce_text(const std::string& name, dtype in, std::optional<dtype> type,
                        std::optional<dtype> out) {
  try {
    Op op = find_op(name.c_str());
    const Signature& s = resolve_reduce(op, in, type, out);
    return {char_of_dtype(s.in[1]), char_of_dtype(s.out)};
  } catch (const Error& error) {
    return golden::error_token(name, error);
  }
}

TEST(Resolve, EveryReductionIsNumPys) {
  compare("reduce_types.txt", [](const golden::Row& row, std::size_t i) -> std::string {
    const dtype in = dtype_of_char(golden::kDTypes[i]);
    if (row.head[0] == "mean") return {char_of_dtype(in), char_of_dtype(mean_type(in))};
    if (row.head[0] == "var" || row.head[0] == "std") return {char_of_dtype(in), char_of_dtype(var_type(in))};
    const auto given = row.head[2] == "-" ? std::optional<dtype>() : dtype_of_char(row.head[2][0]);
    return row.head[1] == "out" ? reduce_text(row.head[0], in, {}, given)
                                : reduce_text(row.head[0], in, given, {});
  });
}

TEST(Resolve, ExceptionsSayWhatNumPySays) {
  for (const std::string& line : golden::lines("errors.txt")) {
    const std::vector<std::string> field = golden::split(line, '|');
    const Ufunc ufunc = find_ufunc(field[1]);
    const std::vector<OperandType> given = operands(field[2]);
    const auto type = field[3] == "-" ? std::optional<dtype>() : dtype_of_char(field[3][0]);
    const Casting casting = parse_casting(field[4].c_str());
    Op op = ufunc.first;
    try {
      if (field[0] == "call") resolve_call(ufunc.name.c_str(), op, given, type, casting);
      if (field[0] == "reduce") resolve_reduce(op, given[0].type, type);
      if (field[0] == "output") check_output_cast(field[1].c_str(), given[0].type, given[1].type, casting);
      if (field[0] == "output 2")
        check_output_cast(field[1].c_str(), given[0].type, given[1].type, casting, 2);
      ADD_FAILURE() << "no exception: " << line;
    } catch (const TypeError& error) {
      EXPECT_EQ(error.what(), field[6]);
      EXPECT_EQ(dynamic_cast<const UFuncTypeError*>(&error) != nullptr, field[5] == "UFuncTypeError") << line;
    }
  }
}

TEST(Resolve, ComparisonsWithIntegersOutOfRange) {
  // uint8 array < 300, array < -1, 300 < array, -1 < array
  EXPECT_TRUE(compare_out_of_range(Op::less, false, true));
  EXPECT_FALSE(compare_out_of_range(Op::less, false, false));
  EXPECT_FALSE(compare_out_of_range(Op::less, true, true));
  EXPECT_TRUE(compare_out_of_range(Op::less, true, false));
  EXPECT_TRUE(compare_out_of_range(Op::greater_equal, true, true));
  EXPECT_FALSE(compare_out_of_range(Op::equal, false, true));
  EXPECT_TRUE(compare_out_of_range(Op::not_equal, true, false));
}

TEST(Resolve, WhereTestsItsConditionForTruth) {
  const OperandType given[] = {{dtype::float32}, {dtype::int8}, kWeakFloat};
  Op op = Op::where;
  const Signature* s = resolve(op, given);
  ASSERT_NE(s, nullptr);
  EXPECT_EQ(s->in[0], dtype::bool_);
  EXPECT_EQ(s->out, dtype::float64);
}

}  // namespace
}  // namespace cuprum
