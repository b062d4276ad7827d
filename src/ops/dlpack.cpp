#include "ops/dlpack.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "expr/engine.h"
#include "expr/overlap.h"
#include "runtime/devices.h"

namespace cuprum::ops {

DlDevice dl_device(const Backend& backend) {
  const std::string_view name = backend.name();
  if (name.starts_with("cuda:")) return {kDlCuda, std::atoi(backend.name() + std::strlen("cuda:"))};
  return {backend.known_as().host_accessible() ? kDlHost : 0, 0};
}

Backend& dl_backend(const DlDevice& device, Backend& current, const char* function) {
  if (device.type == kDlHost || device.type == kDlPinnedHost)
    return current.known_as().host_accessible() ? current : cpu_backend();
  if (device.type == kDlCuda) return backend_named("cuda:" + std::to_string(device.id));
  throw BufferError(std::string("cuprum.") + function + ": the tensor is on a device of type " +
                    std::to_string(device.type) +
                    ", and only the host (1) and CUDA devices (2) are known here");
}

namespace {

enum TypeCode : std::uint8_t { kInt = 0, kUint = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };

DlDataType dl_type(dtype t) {
  const std::uint8_t code = is_bool(t)               ? kBool
                            : is_signed_integer(t)   ? kInt
                            : is_unsigned_integer(t) ? kUint
                            : t == dtype::bfloat16   ? kBfloat
                            : is_floating(t)         ? kFloat
                                                     : kComplex;
  return {code, static_cast<std::uint8_t>(itemsize(t) * 8), 1};
}

dtype from_dl_type(DlDataType d, const char* function) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DlDataType mine = dl_type(static_cast<dtype>(i));
    if (mine.code == d.code && mine.bits == d.bits && d.lanes == 1) return static_cast<dtype>(i);
  }
  throw BufferError(std::string("cuprum.") + function + ": the tensor's type (code " +
                    std::to_string(d.code) + ", " + std::to_string(d.bits) + " bits, " +
                    std::to_string(d.lanes) + " lanes) is not a dtype of Cuprum");
}

// -- Export ---------------------------------------------------------------------------------------------

template <class Managed>
struct Exported {
  Managed managed = {};
  Array array;
  Dims strides;                // elements
  std::int64_t consumer = -1;  // the stream that the tensor was given to
};

// CUDA's default streams, the only ones that cannot have been destroyed by now.
constexpr std::int64_t kDefaultStreams[] = {1, 2};

/// The memory may be used again as soon as it is freed: our stream waits for what the consumer has still to do with it.
template <class Managed>
void delete_exported(Managed* managed) {
  auto* e = static_cast<Exported<Managed>*>(managed->context);
  if (std::ranges::find(kDefaultStreams, e->consumer) != std::end(kDefaultStreams)) {
    try {
      e->array.backend().first_stream().wait_for_native(static_cast<std::uintptr_t>(e->consumer));
      used_outside(e->array, e->array.backend().first_stream());
    } catch (const Error&) {  // a device that has failed
    }
  }
  delete e;
}

}  // namespace

template <class Managed>
Managed* export_tensor(const Array& a, std::uint64_t flags, std::int64_t consumer) {
  auto e = std::make_unique<Exported<Managed>>();
  e->array = a;
  e->consumer = consumer;
  for (std::int64_t s : a.strides()) e->strides.push_back(s / static_cast<std::int64_t>(a.itemsize()));
  DlTensor& t = e->managed.tensor;
  t.data = export_pointer(a);
  t.device = dl_device(a.backend());
  t.ndim = a.ndim();
  t.dtype = dl_type(a.type());
  t.shape = const_cast<std::int64_t*>(e->array.shape().data());
  t.strides = e->strides.data();
  t.byte_offset = 0;
  e->managed.context = e.get();
  e->managed.deleter = &delete_exported<Managed>;
  if constexpr (std::is_same_v<Managed, DlVersioned>) {
    e->managed.version = {1, 0};
    e->managed.flags = flags;
  }
  return &e.release()->managed;
}

void check_dl_strides(const Array& a) {
  for (std::int64_t s : a.strides()) {
    if (s % static_cast<std::int64_t>(a.itemsize()) != 0) {
      throw BufferError("cuprum: DLPack counts strides in elements, and these are not whole; write a.copy()");
    }
  }
}

std::int64_t hand_to_consumer(const Array& a, std::int64_t consumer) {
  if (consumer == 0) consumer = 1;
  export_pointer(a);  // the current stream comes behind all that is done with it
  if (consumer != -1) uncaptured_stream(a.backend()).release_to_native(static_cast<std::uintptr_t>(consumer));
  return consumer;
}

// -- Import ---------------------------------------------------------------------------------------------

namespace {

/// In bytes.
Dims strides_of(const DlTensor& t, const Dims& shape, std::int64_t item, const char* function) {
  element_count(shape);  // throws where the strides would not fit 63 bits either
  Dims strides = contiguous_strides(shape, item);
  for (int d = 0; t.strides && d < t.ndim; ++d) {
    if (__builtin_mul_overflow(t.strides[d], item, &strides[d]))
      throw ValueError(std::string("cuprum.") + function + ": stride " + std::to_string(t.strides[d]) +
                       " of the tensor is beyond any memory");
  }
  return strides;
}

/// Where the first element is. What a producer says of its memory is believed, except what cannot be true.
std::byte* first_byte(const DlTensor& t, const Extent& e, dtype type, const char* function) {
  std::uintptr_t at = 0;
  const bool beyond = __builtin_add_overflow(reinterpret_cast<std::uintptr_t>(t.data), t.byte_offset, &at);
  if (e.low == e.high) return reinterpret_cast<std::byte*>(at);
  if (!t.data || beyond || t.byte_offset >> 63)
    throw BufferError(std::string("cuprum.") + function + ": the tensor has elements and no memory");
  if (at % std::min<std::size_t>(itemsize(type), sizeof(double)) != 0)
    throw BufferError(std::string("cuprum.") + function + ": the tensor's memory is not aligned for " +
                      name(type));
  return reinterpret_cast<std::byte*>(at);
}

}  // namespace

template <class Managed>
Array import_tensor(Managed* managed, Backend& current, const char* function, void (*release)(void*)) {
  const DlTensor& t = managed->tensor;
  bool writeable = true;
  if constexpr (std::is_same_v<Managed, DlVersioned>) {
    if (managed->version.major > 1)
      throw BufferError(std::string("cuprum.") + function + ": unknown version of DLPack");
    writeable = (managed->flags & kDlReadOnly) == 0;
  }
  Backend& backend = dl_backend(t.device, current, function);
  if (t.ndim < 0 || t.ndim > kMaxDims || (t.ndim > 0 && !t.shape)) {
    throw BufferError(std::string("cuprum.") + function + ": the tensor's number of dimensions is " +
                      std::to_string(t.ndim) +
                      (t.ndim > kMaxDims ? "; 64 are supported" : ", and it has no such shape"));
  }
  const dtype type = from_dl_type(t.dtype, function);
  const auto item = static_cast<std::int64_t>(itemsize(type));
  const Dims shape(t.shape, t.shape + t.ndim);
  const Dims strides = strides_of(t, shape, item, function);
  const Extent e = foreign_extent(type, shape, strides, function);
  std::byte* data = first_byte(t, e, type, function);
  const auto nbytes = static_cast<std::size_t>(e.high - e.low);
  if (!backend.host_accessible() && !backend.can_use(data + e.low, nbytes))
    throw BufferError(std::string("cuprum.") + function + ": the tensor does not lie in memory of " +
                      backend.name());
  return from_foreign(backend, data + e.low, nbytes, type, shape, strides, -e.low, writeable, release,
                      managed);
}

template DlLegacy* export_tensor(const Array&, std::uint64_t, std::int64_t);
template DlVersioned* export_tensor(const Array&, std::uint64_t, std::int64_t);
template Array import_tensor(DlLegacy*, Backend&, const char*, void (*)(void*));
template Array import_tensor(DlVersioned*, Backend&, const char*, void (*)(void*));

}  // namespace cuprum::ops
