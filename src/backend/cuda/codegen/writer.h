// What the texts of all kernels have in common: the head, the argument's structure, addresses, and instructions.
//
// Derived classes write the Body of a skeleton (source.cpp, row_source.cpp).
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "codegen/arguments.h"

namespace cuprum::cuda {

inline void append(std::string& to, const char* text) { to += text; }
inline void append(std::string& to, const std::string& text) { to += text; }
template <class Number>
requires std::is_arithmetic_v<Number>
void append(std::string& to, Number n) { to += std::to_string(n); }

/// The parts, texts and numbers, one after the other.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string result;
  (append(result, parts), ...);
  return result;
}

class Writer {
 public:
  Writer(const Kernel& kernel, const Plan& plan);
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  virtual std::string write() = 0;

 protected:
  /// How an instruction names a register: within the loop over v.
  virtual std::string reg(std::uint16_t r) const = 0;
  dtype type_of(std::uint16_t reg) const;
  std::string converted(std::uint16_t r, dtype to) const;
  /// A register as what reduction r folds.
  std::string folded(const Reduction& r) const;

  std::size_t nleaves() const { return k_.leaves.size(); }
  std::size_t nstores() const { return p_.stores ? k_.stores.size() : 0; }
  const Reduction& reduction(std::size_t r) const { return k_.reductions[p_.reductions[r]]; }

  /// Includes; `skeleton` is a file of device/.
  void write_head(const char* skeleton);
  void write_params(const char* space);

  /// Statements that split `index` into the coordinates of a list and add them, times strides, to `to<which>`.
  void write_digits(Digits digits, const DimList& dims, const char* index, StrideOf kind, std::size_t first,
                    std::size_t last, const std::string& to);
  /// coordinate * stride, or nothing for a stride of 0.
  std::string product(StrideOf kind, std::size_t which, std::uint8_t d, const std::string& coordinate) const;
  /// The offsets of all layouts at one place. `outer`: on top of o0, o1, ...
  void write_at(bool outer);
  /// Statements that make o0, o1, ... the offsets of outer coordinate n.
  void write_outer_offsets();
  std::string address(std::size_t pointer, std::size_t operand) const;
  /// The stride between the elements of a vector, as an expression.
  std::string inner_stride(std::size_t operand) const;
  std::string access(std::size_t operand) const;

  /// Instructions, each with `begin(i)` before its operation.
  using List = std::vector<std::size_t>;
  template <class Begin>
  void write_code(const List& instructions, const Begin& begin) {
    for (const std::size_t i : instructions) {
      if (shares_angle(i, instructions) && angle_of(i, instructions) == i)
        put("      const auto a", i, " = k::angle_of(", reg(k_.code[i].src[0]), ");\n");
      begin(i);
      write_operation(i, instructions);
    }
  }

  /// Members of the Body: position<R> and ddof<R>.
  void write_position(bool rows);
  void write_ddof();
  /// Statements that make `at` the offset of result n of reduction r.
  void write_result_offset(std::size_t r);

  template <class... Parts>
  void put(const Parts&... parts) {
    (append(out_, parts), ...);
  }

  const Kernel& k_;
  const Plan& p_;
  std::string out_;

 private:
  using Strides = std::map<std::tuple<StrideOf, std::size_t, std::uint8_t>, std::size_t>;

  void write_user_functions();
  void write_user_call(const Instr& instr);
  void write_operation(std::size_t i, const List& among);

  // sin and cos of one float32 operand reduce it once (kernels/circular.h).
  /// The first sin or cos of the operand of instruction i.
  std::size_t angle_of(std::size_t i, const List& among) const;
  bool shares_angle(std::size_t i, const List& among) const;

  std::map<std::pair<Digits, std::uint8_t>, std::size_t> divisors_;
  Strides strides_;
};

}  // namespace cuprum::cuda
