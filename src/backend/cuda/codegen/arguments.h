// The argument of a generated kernel, a structure that is passed by value: its text, and its bytes for one launch.
//
//   space       the skeleton's part (device/space.cuh)
//   by[]        prepared divisions by extents
//   stride[]    strides and weights that are neither 0 nor constants of the text
//   pointer[]   leaves, stores, results, the indices of gathers
//   gather[]    how leaves are read through indices
//   draw0 ...   what leaves are drawn from
//   ddof[]      one per variance
//   s0, s1 ...  the scalars
// Both sides enumerate the members by the functions below, in one order.
#pragma once

#include <cstddef>

#include "codegen/draws.h"
#include "codegen/plan.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

enum class StrideOf : std::uint8_t { layout, result, weight };
enum class Digits : std::uint8_t { outer, major, inner, kept };

/// f(list, dimension) for the divisors: all dimensions of a list but the slowest.
template <class F>
void each_divisor(const Plan& plan, F f) {
  const auto of = [&](Digits digits, const DimList& dims) {
    for (std::size_t i = 0; i + 1 < dims.size(); ++i) f(digits, dims[i]);
  };
  of(Digits::outer, plan.outer);
  of(Digits::major, plan.major);
  of(Digits::inner, plan.inner);
  bool scattered = false;
  for (std::uint8_t dense : plan.dense) scattered |= !dense;
  if (scattered) of(Digits::kept, plan.kept);
}

/// f(kind, which, dimension, value) for the strides; `which` is a layout or a position in plan.reductions.
template <class F>
void each_stride(const Kernel& kernel, const Plan& plan, F f) {
  for (std::size_t l = 0; l < plan.layouts.size(); ++l) {
    const Dims& strides = *plan.layouts[l];
    for (const DimList* list : {&plan.outer, &plan.major, &plan.inner}) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        const std::uint8_t d = (*list)[i];
        if (strides[d] == 0 || (list == &plan.inner && i == 0 && inner_stride_class(plan, l) != kByArgument))
          continue;
        f(StrideOf::layout, l, d, strides[d]);
      }
    }
  }
  for (std::size_t r = 0; r < plan.reductions.size(); ++r) {
    const Reduction& reduction = kernel.reductions[plan.reductions[r]];
    if (!plan.dense[r]) {
      for (std::uint8_t d : plan.kept) f(StrideOf::result, r, d, reduction.strides[d]);
    }
    if (is_arg(reduction.op) && !plan.ordered[r]) {
      for (std::uint8_t d : plan.major) f(StrideOf::weight, r, d, reduction.arg_weights[d]);
      if (plan.form != Form::rows && !is_row_program(plan.form)) continue;
      for (std::uint8_t d : plan.inner) f(StrideOf::weight, r, d, reduction.arg_weights[d]);
    }
  }
}

/// Memory that a launch needs beside its operands.
struct Workspace {
  char* partials = nullptr;
  std::uint32_t* tickets = nullptr;
  SmallVector<device::FaultRecord*, 4> told = {};  // of bad indices, per gather; none: nobody is
  device::random::Log1pForms log1p = {};           // of the C library
};

/// Bytes under construction. The most that a kernel takes by value.
class ArgumentBuffer {
 public:
  static constexpr std::size_t kCapacity = 32764;

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  unsigned char* data() { return bytes_; }
  void add(const void* value, std::size_t size, std::size_t alignment);
  template <class T>
  void add(const T& value) {
    static_assert(!std::is_same_v<T, Place>, "a kernel is given addresses");
    add(&value, sizeof value, alignof(T));
  }

 private:
  std::size_t size_ = 0;
  alignas(16) unsigned char bytes_[kCapacity + 20];
};

/// Alignment of an element in a structure of the device.
inline std::size_t alignment_of(dtype t) { return is_complex(t) ? itemsize(t) / 2 : itemsize(t); }

/// The bytes of one launch.
void pack_arguments(const Kernel& kernel, const Plan& plan, const Workspace& workspace,
                    ArgumentBuffer& buffer);

}  // namespace cuprum::cuda
