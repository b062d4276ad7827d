#include "ops/transfer.h"

#include "expr/engine.h"

namespace cuprum::ops {

Array uploaded(Backend& backend, dtype type, const Dims& shape, const Dims& strides, const std::byte* data,
               std::size_t keep) {
  Array result = make_array(backend, type, shape, strides);
  upload(result, data, keep);
  return result;
}

Array on_backend(const Array& a, Backend& to, std::size_t keep) {
  if (&a.backend() == &to) return a;
  const bool dense = a.c_contiguous() || a.f_contiguous();
  const Array packed = dense ? a : record_copy(a, a.type(), 'C');
  if (a.backend().host_accessible()) {
    const View from = readable(packed);
    return uploaded(to, a.type(), a.shape(), packed.strides(), from.data, keep);
  }
  Array result = make_array(to.reaches(a.backend()) || to.host_accessible() ? to : cpu_backend(), a.type(),
                            a.shape(), packed.strides());
  if (copy_from_peer(result, packed)) return result;
  copy_dense_to_host(packed, writable(result).data);
  return on_backend(result, to, keep);
}

}  // namespace cuprum::ops
