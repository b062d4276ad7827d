// What two runs must have in common to use one compiled kernel: operations, dtypes, the number of dimensions and how
// operands are reached, but no extent, no stride, no address and no value of a scalar.
#pragma once

#include <cstdint>
#include <string_view>

#include "codegen/plan.h"

namespace cuprum::cuda {

/// A compact binary string, built in place.
class Key {
 public:
  void clear() { bytes_.clear(); }
  void byte(unsigned value) { bytes_.push_back(static_cast<char>(value)); }
  void word(unsigned value) {
    byte(value & 255);
    byte(value >> 8);
  }
  std::string_view text() const { return {bytes_.data(), bytes_.size()}; }
  std::uint64_t hash() const;

 private:
  SmallVector<char, 512> bytes_;
};

void make_key(const Kernel& kernel, const Plan& plan, Key& key);

}  // namespace cuprum::cuda
