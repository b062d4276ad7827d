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
  /// Of the index of a gather, among the kernel's pointers.
  std::size_t index_pointer(std::size_t gather) const {
    return nleaves() + nstores() + p_.reductions.size() + gather;
  }
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

  // Reading leaves (writer_leaves.cpp).
  using List = std::vector<std::size_t>;
  /// Statements that read `count` elements of leaves at the place `a` into l.x<i>. Whatever no index waits for is read first.
  void write_leaves(const List& leaves);
  /// The one element of leaf i at the place, as an expression: `at` is "a.a" or "o", before the number of a layout.
  std::string leaf_element(std::size_t i, const char* at = "a.a") const;
  /// The stride between the elements of a vector, as an expression.
  std::string inner_stride(std::size_t operand) const;
  std::string access(std::size_t operand) const;

  /// Instructions, each with `begin(i)` before its operation.
  template <class Begin>
  void write_code(const List& instructions, const Begin& begin) {
    for (const std::size_t i : instructions) {
      if (shares_angle(i, instructions) && angle_of(i, instructions) == i)
        put("      const auto a", i, " = k::angle_of(", reg(k_.code[i].src[0]), ");\n");
      begin(i);
      write_operation(i, instructions);
    }
  }

  /// Members of the Body: what draws leaves, and the constructor, which makes them.
  void write_start();
  /// ... position<R> and ddof<R>.
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

  std::size_t number_of(const Gathered& g) const { return static_cast<std::size_t>(&g - k_.gathers.data()); }
  std::size_t number_of(const Drawn& d) const { return static_cast<std::size_t>(&d - k_.draws.data()); }
  /// Does an index name a row of the table, for all elements of an item?
  bool names_row(std::size_t gather) const;
  std::string elements(std::size_t i) const;
  void write_index(std::size_t gather);
  void write_gather(std::size_t gather, std::size_t i);

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
