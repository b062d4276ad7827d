// Differences, derivatives and integrals over sampled values.
#pragma once

#include <numbers>

#include "cuprum/options.h"

namespace cuprum {

/// Of differences between neighbours.
struct diff_options {
  by_name named = by_name();
  std::int64_t axis = -1;             // the axis to walk along
  std::optional<array> prepend = {};  // what stands before the first
  std::optional<array> append = {};   // what stands after the last
};
/// Differences between neighbours along an axis, taken n times.
array diff(const array& a, std::int64_t n = 1, const diff_options& options = {});
array diff(const array& a, std::int64_t n, std::int64_t axis);

/// Of differences in the flattened array.
struct ediff1d_options {
  by_name named = by_name();
  std::optional<array> to_end = {};    // what follows the differences
  std::optional<array> to_begin = {};  // what stands before them
};
/// Differences of neighbours in the flattened array.
array ediff1d(const array& a, const ediff1d_options& options = {});

/// Of a gradient.
struct gradient_options {
  by_name named = by_name();
  axis_set axis = {};           // all
  std::int64_t edge_order = 1;  // of the differences at the ends: 1 or 2
};
/// The derivative along every axis, an array each: central differences, one-sided ones at the ends. A spacing is a number, or the
/// coordinates along its axis; one number stands for all, none for 1.
std::vector<array> gradient(const array& f, const std::vector<operand>& spacings = {},
                            const gradient_options& options = {});

/// Of an integral.
struct trapezoid_options {
  by_name named = by_name();
  std::optional<array> x = {};  // coordinates; else steps of dx
  double dx = 1.0;              // the distance between samples
  std::int64_t axis = -1;       // the axis to integrate along
};
/// The integral by the trapezoidal rule.
array trapezoid(const array& y, const trapezoid_options& options = {});
array trapezoid(const array& y, const array& x, std::int64_t axis = -1);

/// Of phases.
struct unwrap_options {
  by_name named = by_name();
  std::optional<double> discont = {};    // the jump that is too large; half a period
  std::int64_t axis = -1;                // the axis to walk along
  double period = 2 * std::numbers::pi;  // of the phases
};
/// Phases in which jumps of more than half a period are replaced by their complement.
array unwrap(const array& p, const unwrap_options& options = {});

}  // namespace cuprum
