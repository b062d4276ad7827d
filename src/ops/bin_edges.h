// The edges of a histogram's bins, and the rules that choose their number.
#pragma once

#include "ops/histogram.h"
#include "ops/number.h"

namespace cuprum::ops {

struct BinEdges {
  Array edges;
  bool uniform;  // they were made for bins of equal width
};
/// Of a vector `a`.
BinEdges bin_edges(const char* function, const Array& a, const Bins& bins, const BinRange& range,
                   bool weighted);

/// The range given or that of the values, as numbers of the host; widened where it is empty.
std::pair<Value, Value> outer_edges(const char* function, const Array& a, const BinRange& range);

/// Throws ValueError unless neighbours rise, or are equal.
void check_rising(const Array& edges, const std::string& text);

/// The width of bins that a rule chooses for a vector that is not empty; 0: one bin. Throws ValueError for an unknown rule.
Number bin_width(const std::string& rule, const Array& x, const std::pair<Value, Value>& outer);
void check_rule(const char* function, const std::string& rule);

/// a - b of two numbers with a >= b; of integers in float64, so that it does not overflow.
Number distance(const Value& a, const Value& b);

/// The one element of an array, as a number of its dtype.
Scalar element(const Array& a);

}  // namespace cuprum::ops
