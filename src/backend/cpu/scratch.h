// Working memory of a primitive, from the backend's pool: recycled pages cost nothing, fresh ones more than
// the work.
#pragma once

#include "runtime/backend.h"

namespace cuprum::cpu {

template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t n)
      : buffer_(cpu_backend().allocate_scratch(cpu_backend().first_stream(),
                                               static_cast<std::size_t>(n) * sizeof(T))) {}
  T* data() const { return reinterpret_cast<T*>(buffer_->data); }

 private:
  Ref<Buffer> buffer_;
};

}  // namespace cuprum::cpu
