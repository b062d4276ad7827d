#include "cuprum/sharing.h"

#include <memory>

#include "api/handle.h"
#include "cuprum/runtime.h"
#include "expr/engine.h"
#include "expr/host_copy.h"
#include "expr/overlap.h"
#include "expr/place.h"
#include "ops/dlpack.h"
#include "runtime/devices.h"

namespace cuprum {

array shared_memory(void* data, dtype type, const shape_type& shape, std::function<void()> release) {
  const Dims dims = to_dims(shape),
             strides = contiguous_strides(dims, static_cast<std::int64_t>(itemsize(type)));
  const Extent e = foreign_extent(type, dims, strides, "from_memory");
  if (!data && e.high > e.low) throw ValueError("cuprum.from_memory: the array has elements and no memory");
  if (reinterpret_cast<std::uintptr_t>(data) % std::min<std::size_t>(itemsize(type), alignof(double)) != 0)
    throw ValueError(std::string("cuprum.from_memory: the memory is not aligned for ") + name(type));
  Backend& backend = current_device();
  if (!backend.host_accessible()) {
    array copy = array(make_array(backend, type, dims));
    upload(copy.implementation(), data);
    if (release) release();
    return copy;
  }
  auto owner = std::make_unique<std::function<void()>>(std::move(release));
  array shared(from_foreign(
      backend, static_cast<std::byte*>(data), static_cast<std::size_t>(e.high), type, dims, strides, 0, true,
      [](void* o) {
        const std::unique_ptr<std::function<void()>> call(static_cast<std::function<void()>*>(o));
        if (*call) (*call)();
      },
      owner.get()));
  static_cast<void>(owner.release());  // it is the array's now
  return shared;
}

void* data_pointer(const array& a) { return export_pointer(a.implementation()); }

void* host_elements(const array& a, dtype type) {
  if (a.type() != type) {
    throw TypeError(std::string("cuprum.host_span: the array has dtype ") + name(a.type()) + ", not " +
                    name(type) + "; write a.astype(...)");
  }
  const Array& array = a.implementation();
  if (!array.backend().known_as().host_accessible()) {
    throw ValueError(std::string("cuprum.host_span: the host cannot read memory of ") +
                     array.backend().name() + "; write a.to_host<T>()");
  }
  if (!array.c_contiguous())
    throw ValueError("cuprum.host_span: the elements do not lie in C order; write a.copy()");
  void* data = export_pointer(array);
  array.backend().synchronize();
  return data;
}

DLManagedTensorVersioned* to_dlpack(const array& a) {
  const Array& array = a.implementation();
  move_over(array);
  const ops::DlDevice device = ops::dl_device(array.backend());
  if (device.type == 0) {
    throw BufferError(std::string("cuprum.to_dlpack: the memory of an array on ") + array.backend().name() +
                      " cannot be shared; write a.to_host<T>()");
  }
  ops::check_dl_strides(array);
  const std::int64_t consumer = device.type == ops::kDlCuda ? ops::hand_to_consumer(array, 1) : -1;
  auto* tensor =
      ops::export_tensor<ops::DlVersioned>(array, array.writeable() ? 0 : ops::kDlReadOnly, consumer);
  return reinterpret_cast<DLManagedTensorVersioned*>(tensor);
}

array from_dlpack(DLManagedTensorVersioned* tensor) {
  auto* versioned = reinterpret_cast<ops::DlVersioned*>(tensor);
  if (!versioned) throw ValueError("cuprum.from_dlpack: the tensor is a null pointer");
  return array(ops::import_tensor(versioned, current_device(), "from_dlpack", [](void* t) {
    auto* owned = static_cast<ops::DlVersioned*>(t);
    if (owned->deleter) owned->deleter(owned);
  }));
}

}  // namespace cuprum
