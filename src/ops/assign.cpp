#include "ops/assign.h"

#include <string>

#include "core/texts.h"
#include "expr/place.h"
#include "ops/transfer.h"

namespace cuprum::ops {

void throw_read_only() { throw ValueError("assignment destination is read-only"); }

Array without_surplus(const Array& a, int ndim) {
  int extra = 0;
  while (a.ndim() - extra > ndim && a.shape()[extra] == 1) ++extra;
  if (extra == 0) return a;
  return a.view(Dims(a.shape().begin() + extra, a.shape().end()),
                Dims(a.strides().begin() + extra, a.strides().end()));
}

void assign_value(const char* function, const Array& target, const Value& value) {
  if (!value.is_array()) return assign(target, value.to_scalar(target.type()));
  const bool surplus = value.array().ndim() > target.ndim();
  const Array fewer = surplus ? without_surplus(value.array(), target.ndim()) : Array();
  const Array& a = surplus ? fewer : value.array();
  if (&a.backend() != &target.backend() && !same_device(a.backend(), target.backend())) [[unlikely]]
    return assign_value(function, target, on_backend(a, target.backend()));
  if (!broadcasts_to(a.shape(), target.shape())) {
    throw ValueError((function ? prefix(function) : std::string()) +
                     "could not broadcast input array from shape " + shape_text(value.shape()) +
                     " into shape " + shape_text(target.shape()));
  }
  Input input(a);
  input.temporary = !surplus && value.is_temporary();
  assign(target, input);
}

}  // namespace cuprum::ops
