// Evaluation, threads and memory.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cuprum/array.h"

namespace cuprum {

/// Runs everything that the arrays are pending on, in as few kernels as possible.
void evaluate(const std::vector<array>& arrays);

/// The pending graph of `a` and the kernels that it will become, as text.
std::string show_graph(const array& a);

/// Turns deferral off and on (CUPRUM_EAGER).
void set_eager(bool eager);

/// New arrays of this thread live on `device` from now on: "cpu", "cuda", "cuda:1". Throws Error with the reason where it
/// cannot be had.
void set_device(std::string_view device);
/// The device that new arrays of this thread live on.
std::string device();
/// Evaluates what is pending on that device, and waits until it is done.
void synchronize();

/// Memory of the device that new arrays live on.
struct memory_info {
  std::size_t used_bytes;   // in arrays
  std::size_t total_bytes;  // taken from the system
  std::size_t peak_bytes;   // highest used_bytes
};
/// The figures of now.
memory_info memory();

/// Gives cached memory back to the system.
void free_all_blocks();

}  // namespace cuprum
