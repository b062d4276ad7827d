#include "host.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/cast.h"
#include "errors.h"
#include "expr/engine.h"
#include "expr/overlap.h"
#include "expr/place.h"
#include "gil.h"
#include "numpy_interop.h"
#include "ops/index.h"
#include "runtime/devices.h"
#include "runtime/lock.h"

namespace cuprum::python {

namespace {

nb::object number_from(const Scalar& s) {
  switch (s.type) {
    case dtype::bool_: return nb::bool_(s.as<bool>());
    case dtype::int8: return nb::int_(s.as<std::int8_t>());
    case dtype::int16: return nb::int_(s.as<std::int16_t>());
    case dtype::int32: return nb::int_(s.as<std::int32_t>());
    case dtype::int64: return nb::int_(s.as<std::int64_t>());
    case dtype::uint8: return nb::int_(s.as<std::uint8_t>());
    case dtype::uint16: return nb::int_(s.as<std::uint16_t>());
    case dtype::uint32: return nb::int_(s.as<std::uint32_t>());
    case dtype::uint64: return nb::int_(s.as<std::uint64_t>());
    case dtype::complex64:
    case dtype::complex128: {
      double parts[2];
      const Scalar wide = cast_scalar(s, dtype::complex128);
      std::memcpy(parts, wide.bytes, sizeof parts);
      return checked(PyComplex_FromDoubles(parts[0], parts[1]));
    }
    case dtype::float64: return nb::float_(s.as<double>());
    default: return nb::float_(cast_scalar(s, dtype::float64).as<double>());
  }
}

/// Strides of the dense layout that keeps the order of axes of `strides` (NumPy's K order).
Dims dense_strides(const Dims& shape, const Dims& strides, std::int64_t itemsize, char order) {
  if (order == 'C' || shape.size() < 2) return contiguous_strides(shape, itemsize);
  if (order == 'F') return fortran_strides(shape, itemsize);
  Dims axes;
  for (std::size_t d = 0; d < shape.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  std::stable_sort(axes.begin(), axes.end(), [&](std::int64_t a, std::int64_t b) {
    return std::abs(strides[a]) > std::abs(strides[b]);
  });
  Dims dense(shape.size());
  std::int64_t step = itemsize;
  for (std::size_t i = shape.size(); i-- > 0;) {
    dense[axes[i]] = step;
    step *= std::max<std::int64_t>(shape[axes[i]], 1);
  }
  return dense;
}

bool equal_layout(const Dims& shape, const Dims& a, const Dims& b) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] > 1 && a[d] != b[d]) return false;
  }
  return true;
}

char resolve_order(char order, const HostArray& h) {
  const auto item = static_cast<std::int64_t>(itemsize(h.type));
  if (order != 'A') return order;
  return is_f_contiguous(h.shape, h.strides, item) && !is_c_contiguous(h.shape, h.strides, item) ? 'F' : 'C';
}

/// `h` as an array of `backend` over its own memory; `owner` is kept alive.
Array foreign_view(Backend& backend, const HostArray& h, PyObject* owner) {
  const Extent e = extent(h.type, h.shape, h.strides, 0);
  Py_INCREF(owner);
  return from_foreign(backend, h.data + e.low, static_cast<std::size_t>(e.high - e.low), h.type, h.shape,
                      h.strides, -e.low, h.writeable, &release_python_object, owner);
}

/// Does the host cast before it sends? A device does it sooner, but for integers that the host is to know.
bool casts_here(const Backend& backend, const HostArray& h, dtype to, std::size_t keep) {
  if (backend.host_accessible()) return true;
  const std::size_t nbytes = static_cast<std::size_t>(element_count(h.shape)) * itemsize(to);
  return to != h.type && is_integer(h.type) && is_integer(to) && nbytes <= keep;
}

nb::object numpy_native_copy(PyObject* o, dtype t) {
  return nb::module_::import_("numpy").attr("array")(nb::handle(o),
                                                     nb::arg("dtype") = nb::handle(from_dtype(t)),
                                                     nb::arg("order") = "K", nb::arg("copy") = true);
}

}  // namespace

void release_python_object(void* o) {
  with_gil([&] { Py_DECREF(static_cast<PyObject*>(o)); });
}

namespace {

struct Released {
  std::mutex mutex;
  std::vector<PyObject*> objects;
};
Released& released() {
  static auto* const instance = new Released;  // streams outlive static destructors
  return *instance;
}

int release_all(void*) {
  std::vector<PyObject*> objects;
  {
    const std::lock_guard guard(released().mutex);
    objects.swap(released().objects);
  }
  for (PyObject* o : objects) Py_DECREF(o);
  return 0;
}

}  // namespace

// The interpreter keeps few calls at a time; what a call that it refuses would free is freed by the next one.
void release_python_object_soon(void* o) {
  if (Py_IsInitialized() && has_gil()) return Py_DECREF(static_cast<PyObject*>(o));
  {
    const std::lock_guard guard(released().mutex);
    released().objects.push_back(static_cast<PyObject*>(o));
  }
  if (Py_IsInitialized()) Py_AddPendingCall(&release_all, nullptr);
}

nb::object element_of(const Array& a) { return element_of(a, a.offset()); }

nb::object element_of(const Array& a, std::int64_t offset) {
  if (a.is_number()) return number_from(a.number());
  if (const auto known = ops::element_number(a, offset)) return number_from(known->number);
  Scalar s;
  s.type = a.type();
  copy_to_host(a.view(Dims(), Dims(), offset), s.bytes);
  return number_from(s);
}

nb::object to_numpy(const Array& a, char order, const Fetch& fetch) {
  if (!numpy_has(a.type())) return to_numpy(record_cast(a, dtype::float32), order, fetch);
  const bool fortran = order == 'F' || (order != 'C' && a.f_contiguous() && !a.c_contiguous());
  std::byte* data = nullptr;
  nb::object result = empty_numpy(a.shape(), a.type(), fortran ? 'F' : 'C', &data);
  if (a.size() == 0) return result;
  if (fortran) {
    Dims shape = a.shape(), strides = a.strides();
    std::reverse(shape.begin(), shape.end());
    std::reverse(strides.begin(), strides.end());
    copy_to_host(a.view(std::move(shape), std::move(strides)), data, fetch);
  } else {
    copy_to_host(a, data, fetch);
  }
  return result;
}

std::byte* memory_for(const Array& a, PyObject* out) {
  if (!is_numpy_array(out) || !numpy_has(a.type())) return nullptr;
  if (!nb::handle(out).attr("dtype").equal(nb::handle(from_dtype(a.type())))) return nullptr;
  const HostArray h = host_array(out, "asnumpy");
  const Dims dense = contiguous_strides(h.shape, static_cast<std::int64_t>(itemsize(h.type)));
  const bool fits = h.plain && h.writeable && h.shape == a.shape();
  return fits && equal_layout(h.shape, h.strides, dense) ? h.data : nullptr;
}

Array from_numpy(PyObject* o, std::optional<dtype> t, char order, const char* function, std::size_t keep) {
  nb::object source = nb::borrow(o);
  HostArray h = host_array(o, function);
  const dtype to = t.value_or(h.type);
  Backend& backend = place_of_new(default_backend(), bytes_of(h.shape, to));
  if (!h.plain) {
    source = numpy_native_copy(o, h.type);
    h = host_array(source.ptr(), function);
  }
  order = resolve_order(order, h);
  const Dims dense = dense_strides(h.shape, h.strides, static_cast<std::int64_t>(itemsize(h.type)), order);
  const bool is_dense = equal_layout(h.shape, h.strides, dense);
  const bool cast_here = casts_here(backend, h, to, keep);
  if (is_dense && (to == h.type || !cast_here)) {
    Array result = ops::uploaded(backend, h.type, h.shape, dense, h.data, keep);
    return to == h.type ? result : record_cast(result, to);
  }
  Backend& host = backend.known_as().host_accessible() ? backend : cpu_backend();
  Array result = record_copy(foreign_view(host, h, source.ptr()), cast_here ? to : h.type, order);
  evaluate({&result, 1}, Reason::host_access);  // the source may change as soon as this call returns
  return record_cast(on_backend(result, backend, keep), to);
}

Array share_numpy(PyObject* o, const char* function) {
  const HostArray h = host_array(o, function);
  if (!h.plain || !current_device().host_accessible()) {
    throw ValueError(std::string("cuprum.") + function +
                     ": Unable to avoid copy while creating an array as requested: the memory is " +
                     (h.plain ? "not reachable from the device" : "unaligned or not in native byte order") +
                     "; write copy=None to allow a copy");
  }
  return foreign_view(current_device(), h, o);
}

}  // namespace cuprum::python
