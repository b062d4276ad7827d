// Keyword arguments: structs with designated initialisers, `sum(a, {.axis = 1, .keepdims = true})`.
#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <type_traits>

#include "cuprum/array.h"

namespace cuprum {

/// Some axes, or all of them; negative ones count from the end. `0`, `{0, -1}` and an axes_type are such sets.
class axis_set {
 public:
  /// All axes.
  axis_set() = default;
  template <class T>
  requires(std::is_integral_v<T>) axis_set(T axis) : axes_(axes_type{static_cast<std::int64_t>(axis)}) {}
  axis_set(std::initializer_list<std::int64_t> axes) : axes_(axes) {}
  axis_set(axes_type axes) : axes_(std::move(axes)) {}

  const std::optional<axes_type>& axes() const { return axes_; }

 private:
  std::optional<axes_type> axes_;
};

/// What `axes` is where a function takes it by place. GCC 12 takes `{.axis = 1}` for a list of axes too; it prefers a function with
/// options to a template with axes.
template <class Axes>
concept by_place = std::same_as<Axes, axis_set>;

/// First member of every struct of options: they are given by name, so that `sum(a, {0, 1})` means axes.
struct by_name {
  explicit by_name() = default;
};

/// Of a reduction.
struct reduce_options {
  by_name named = by_name();
  axis_set axis = {};                       // all
  bool keepdims = false;                    // reduced axes stay, with length one
  std::optional<cuprum::dtype> dtype = {};  // what it computes in
  std::optional<double> initial = {};       // what it starts from
  std::optional<array> where = {};          // which elements count: bools that broadcast to the array
  std::optional<array> out = {};            // what receives the result
};

/// Of a mean with degrees of freedom: var, std.
struct moment_options {
  by_name named = by_name();
  axis_set axis = {};                       // all
  bool keepdims = false;                    // reduced axes stay, with length one
  std::optional<cuprum::dtype> dtype = {};  // what it computes in
  double ddof = 0;                          // the divisor is n - ddof
  std::optional<array> mean = {};           // deviations are taken from it
  std::optional<array> where = {};          // which elements count: bools that broadcast to the array
  std::optional<array> out = {};            // what receives the result
};

/// Of what works along one axis, or on the flattened array: argmax, cumsum.
struct axis_options {
  by_name named = by_name();
  std::optional<std::int64_t> axis = {};    // the flattened array
  bool keepdims = false;                    // argmin and argmax alone
  std::optional<cuprum::dtype> dtype = {};  // scans alone
  std::optional<array> out = {};            // what receives the result
};

/// Of creation functions that take after an array.
struct like_options {
  by_name named = by_name();
  std::optional<cuprum::dtype> dtype = {};  // the array's
  char order = 'K';                         // 'C', 'F', 'A' or 'K'
  std::optional<shape_type> shape = {};     // the array's
};

}  // namespace cuprum
