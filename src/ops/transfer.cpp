#include "ops/transfer.h"

#include "expr/place.h"

namespace cuprum::ops {

Array uploaded(Backend& backend, dtype type, const Dims& shape, const Dims& strides, const std::byte* data,
               std::size_t keep) {
  Array result = make_array(place_of_new(backend, bytes_of(shape, type)), type, shape, strides);
  upload(result, data, keep);
  return result;
}

Array on_backend(const Array& a, Backend& to, std::size_t keep) {
  if (same_device(a.backend(), to)) return a;
  const bool dense = a.c_contiguous() || a.f_contiguous();
  const Array packed = dense ? a : record_copy(a, a.type(), 'C');
  if (a.backend().host_accessible()) {
    const View from = readable(packed);
    if (from.keep->backend->host_accessible())  // else it has moved meanwhile
      return uploaded(to, a.type(), a.shape(), packed.strides(), from.data, keep);
  }
  Backend& there = place_of_new(to, a.nbytes());
  Array result = make_array(there.reaches(a.backend()) || there.host_accessible() ? there : cpu_backend(),
                            a.type(), a.shape(), packed.strides());
  if (copy_from_peer(result, packed)) return result;
  copy_dense_to_host(packed, writable(result).data);
  return on_backend(result, to, keep);
}

}  // namespace cuprum::ops
