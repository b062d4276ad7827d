// The transfer guard: what happens where a program hands NumPy's arrays to a call as they are, and where
// NumPy asks for the bytes of an array. Bytes that cross unasked cost more than the call that needs them.
// So where the host cannot read an array's memory, such a call is refused, with advice; `cp.transfer_guard`
// and CUPRUM_TRANSFERS let it warn, or copy. On the CPU nothing crosses: there the default is to allow it,
// and a guard that is set to "error" refuses NumPy's arrays as operands as a GPU would.
//
// The state belongs to the context (contextvars: one per thread, and per task of asyncio); without one of
// its own, to the process.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ndarray.h"

namespace cuprum::python {

enum class Transfers : std::uint8_t { error, warn, allow };

/// What is in force for arrays of a device.
Transfers transfers(const Backend& device);

/// What a NumPy array is to a call.
enum class HostRole : std::uint8_t {
  operand,    // the data: taken without dimensions, or where the guard lets it pass
  parameter,  // edges, weights, probabilities beside the data: taken up to kHostParameterBytes too
  index,      // positions and masks: taken, however long
};

/// The most bytes of a parameter that are taken without a word: at 25 GB/s, the rate of a bus, so many take 3 us, less
/// than a launch.
inline constexpr std::size_t kHostParameterBytes = std::size_t{1} << 16;

/// The role of an argument that is either the data or a parameter, by what stands beside it.
inline HostRole beside(PyObject* other) {
  return is_ndarray(other) ? HostRole::parameter : HostRole::operand;
}

/// Lets a NumPy array into a call on the current device. Throws TypeError where the guard does not, and for masked
/// arrays and matrices, which are more than their numbers; `position` as in `unwrap`.
void admit_host_array(PyObject* o, HostRole role, const char* function, int position);

/// Lets the bytes of an array go to the host for NumPy. Throws TypeError where the guard does not.
void admit_download(const Array& a);

}  // namespace cuprum::python
