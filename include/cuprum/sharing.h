// Memory that an array shares with the program or with another library, without a copy.
//
// While memory is shared, the library writes where it lies and waits for nothing on the program's side: synchronize() before
// the program reads what was recorded.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>

#include "cuprum/array.h"

struct DLManagedTensorVersioned;  // of DLPack's header, which the program includes if it uses it

namespace cuprum {

/// What from_memory calls: elements of a dtype at an address.
array shared_memory(void* data, dtype type, const shape_type& shape, std::function<void()> release);
/// What host_span calls: the address of the elements, which must be of that dtype.
void* host_elements(const array& a, dtype type);

/// An array over elements of the program, in C order; `release` is called when the last array over them has gone. On a device
/// that cannot read host memory the elements are copied, and released at once.
template <class T>
array from_memory(T* data, const shape_type& shape, std::function<void()> release = {}) {
  return shared_memory(data, dtype_of<T>, shape, std::move(release));
}

/// The array's own elements for the program to read and write: of an array in C order that the host can reach, evaluated. The
/// array must outlive the span. TypeError if T is not its dtype, ValueError where there is no such memory.
template <class T>
std::span<T> host_span(const array& a) {
  return {static_cast<T*>(host_elements(a, dtype_of<std::remove_const_t<T>>)),
          static_cast<std::size_t>(a.size())};
}

/// The same as a std::mdspan or its like: `host_mdspan<std::mdspan<double, std::dextents<int, 2>>>(a)`.
template <multidimensional_span M>
M host_mdspan(const array& a) {
  using T = typename M::element_type;
  const shape_type shape = a.shape(), strides = a.strides();
  if (shape.size() != M::rank()) {
    throw ValueError("cuprum.host_mdspan: the array has " + std::to_string(shape.size()) +
                     " dimensions, the span " + std::to_string(M::rank()));
  }
  std::array<typename M::index_type, M::rank()> extents{};
  for (std::size_t i = 0; i < M::rank(); ++i) extents[i] = static_cast<typename M::index_type>(shape[i]);
  const M view(host_span<T>(a).data(), extents);
  for (std::size_t i = 0; i < M::rank(); ++i) {
    const auto extent = static_cast<std::int64_t>(view.extent(i));
    const auto stride = static_cast<std::int64_t>(view.stride(i) * sizeof(T));
    if (extent != shape[i] || (extent > 1 && a.size() > 0 && stride != strides[i])) {
      throw ValueError("cuprum.host_mdspan: along axis " + std::to_string(i) + " the array has " +
                       std::to_string(shape[i]) + " elements at steps of " + std::to_string(strides[i]) +
                       " bytes, the span " + std::to_string(extent) + " at " + std::to_string(stride));
    }
  }
  return view;
}

/// The address of the first element on the array's device, evaluated. What the program does with it on the current stream
/// comes behind all that was recorded.
void* data_pointer(const array& a);

/// The array as a DLPack tensor (version 1), which the receiver deletes. The memory is the array's.
DLManagedTensorVersioned* to_dlpack(const array& a);
/// An array over the memory of a DLPack tensor, which is deleted when the last array over it has gone.
array from_dlpack(DLManagedTensorVersioned* tensor);

}  // namespace cuprum
