// Operations on numbers that the CPU has (expr/array.h) and numbers of Python's: computed at once, by the shortest way.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "core/op.h"
#include "core/promotion.h"
#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// An operand that is a number: its bits, which of Python's int are an int64, of its float a double.
struct Numeral {
  dtype type;
  std::uint64_t low, high;
  Weak weak;  // not beside the dtype: two bytes written singly and read at once take 3 ns

  OperandType operand_type() const { return {type, weak}; }
};

/// The operands of one operation, and the device that those of them are on which are arrays.
class Numerals {
 public:
  /// False: it is no number that the CPU has, or of another device than those before it.
  bool add(const Array& a) {
    if (!a.is_number()) return false;
    const Backend& here = a.backend();
    if (!here.is_cpu || (place_ && place_ != &here)) return false;
    place_ = &here;
    const Scalar s = a.number();
    put({s.type}, s.as<std::uint64_t>(), high_word(s));
    return true;
  }
  bool add(const Value& v);
  void add(std::int64_t integer) { put(kWeakInt, static_cast<std::uint64_t>(integer)); }
  void add(double number);
  void add(const Scalar& s) { put({s.type}, s.as<std::uint64_t>(), high_word(s)); }

  const Numeral& operator[](int i) const { return numbers_[i]; }
  int size() const { return size_; }
  /// Null: none of them is an array.
  const Backend* place() const { return place_; }

 private:
  static std::uint64_t high_word(const Scalar& s) {
    std::uint64_t word;
    std::memcpy(&word, s.bytes + sizeof word, sizeof word);
    return word;
  }
  void put(OperandType type, std::uint64_t low, std::uint64_t high = 0) {
    numbers_[size_++] = {type.type, low, high, type.weak};
  }

  Numeral numbers_[kMaxInputs];
  int size_ = 0;
  const Backend* place_ = nullptr;
};

/// The loop `signature` of `op` over one or two such operands, of which one is an array. Nothing: somebody has to look at one of
/// them, or at the result.
std::optional<HostNumber> compute_numbers(Op op, const Signature& signature, const Numerals& operands);

/// op(a, b) of the two, as NumPy's operators have it.
std::optional<HostNumber> binary_number(Op op, const Numerals& operands);

}  // namespace cuprum::ops
