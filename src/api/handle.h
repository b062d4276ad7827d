// Between the public handles and the library's own types.
#pragma once

#include "cuprum/options.h"
#include "expr/array.h"
#include "ops/index.h"
#include "ops/value.h"

namespace cuprum {

struct operand_access {
  /// Borrows the operand's array.
  static Value value(const operand& o);
  /// The operand as an array beside others of `backend`: a number has the dtype that it has in no company, or that one.
  static Array to_array(const operand& o, Backend& backend, std::optional<dtype> type = {}) {
    const Value v = value(o);
    return v.is_array() ? v.array() : cuprum::to_array(v, type && v.is_weak() ? *type : v.type(), backend);
  }
  /// The operation has read it: an array that goes with the statement is let go of.
  static void release(const operand& o);
};

struct index_access {
  static ops::IndexItem item(const index_item& i);
};

inline Dims to_dims(const std::vector<std::int64_t>& v) { return Dims(v.begin(), v.end()); }
inline std::optional<Dims> to_axes(const axes_type& v) {
  return v.empty() ? std::nullopt : std::optional<Dims>(to_dims(v));
}
inline std::optional<Dims> to_axes(const axis_set& set) {
  return set.axes() ? std::optional<Dims>(to_dims(*set.axes())) : std::nullopt;
}
inline std::vector<array> to_handles(std::vector<Array> arrays) {
  std::vector<array> handles;
  for (Array& a : arrays) handles.emplace_back(std::move(a));
  return handles;
}
inline std::vector<Array> to_arrays(const std::vector<array>& handles) {
  std::vector<Array> arrays;
  for (const array& a : handles) arrays.push_back(a.implementation());
  return arrays;
}

}  // namespace cuprum
