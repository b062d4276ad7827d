// Copies of the arrays of a launch, far from each other: whatever lies outside of one is memory of nobody for gigabytes, so that no
// wrong address is one of another array, and no wrong write harms the program.
//
// The kernel gets the addresses of the copies. When it is done, the bytes that it has written go back, and no others: another stream may work on
// what lies between the elements of a view.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/cpu/user_kernels/checked/shadow.h"
#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// A copy, of all arrays that overlap.
struct GuardedArray {
  std::byte* original;
  std::size_t bytes;
  std::byte* copy;
  std::size_t argument;  // of the kernel, from 1 on: the first that is in it
  std::size_t item;      // bytes of an element; 0: its elements do not lie side by side
  Shadow shadow;

  bool contains(const std::byte* address) const { return address >= copy && address < copy + bytes; }
};

class GuardedArrays {
 public:
  /// Puts the addresses of the copies into the arguments.
  GuardedArrays(const Launch& launch, void** arguments, std::span<const View> in, std::span<const View> out);
  ~GuardedArrays();
  GuardedArrays(const GuardedArrays&) = delete;
  GuardedArrays& operator=(const GuardedArrays&) = delete;

  /// Is the address in a copy, or in what lies between?
  bool contains(const std::byte* address) const { return address >= low_ && address < low_ + bytes_; }
  /// The copy that an address of these is in, else the nearest one.
  GuardedArray& nearest(const std::byte* address);

  void copy_back();

 private:
  void reserve();
  void relocate(std::byte* bytes, std::size_t count);

  std::vector<GuardedArray> arrays_;  // by address of their copies
  std::byte* low_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t last_ = 0;
};

}  // namespace cuprum::cpu
