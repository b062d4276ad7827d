// The attributes of ndarray: what it is, without computing anything.
#include "bindings.h"
#include "errors.h"
#include "flags.h"
#include "ops/assign.h"
#include "ops/manipulate.h"

namespace cuprum::python {

namespace {

const Array& array_of(nb::handle self) { return contents(self.ptr()).array(); }

void set_shape(nb::handle self, nb::handle shape) {
  const Dims dims = to_shape(shape.ptr(), "ndarray.shape", true);
  const PyNdarray::State& s = contents(self.ptr()).now();
  const auto to = ops::resolve_shape(s.array.size(), dims);
  const auto strides = ops::reshaped_strides(s.array.shape(), s.array.strides(), to,
                                             static_cast<std::int64_t>(s.array.itemsize()), false);
  if (!strides) {
    throw nb::attribute_error(
        "cuprum.ndarray.shape: Incompatible shape for in-place modification. Use `.reshape()` to make a "
        "copy with the desired shape.");
  }
  Array reshaped = s.array.view(to, *strides);
  reshaped.set_value(s.array.is_value() && to.empty());
  contents(self.ptr()).become(std::move(reshaped), s.base);
}

/// The same bytes as elements of another dtype, as `view` has them.
void set_dtype(nb::handle self, nb::handle t) {
  const dtype to = to_dtype(t.ptr(), "ndarray.dtype");
  const PyNdarray::State& s = contents(self.ptr()).now();
  Array seen = ops::view_as(s.array, to);
  seen.set_value(s.array.is_value());
  contents(self.ptr()).become(std::move(seen), s.base);
}

void set_part(nb::handle self, nb::handle value, const char* name, Array part) {
  nb::object keep;
  ops::assign_value(name, part, to_value_or_convert(value.ptr(), name, &keep));
}

void set_imag(nb::handle self, nb::handle value) {
  const Array& a = array_of(self);
  if (!is_complex(a.type()))
    throw TypeError("cuprum.ndarray.imag: a real array has no imaginary part to set");
  set_part(self, value, "ndarray.imag", ops::imag(a));
}

nb::object base_of(nb::handle self) {
  PyObject* base = contents(self.ptr()).base();
  return base ? nb::borrow(base) : nb::none();
}

}  // namespace

void bind_attributes(NdarrayClass& c) {
  c.def_prop_rw(
      "shape", [](nb::handle self) { return from_dims(array_of(self).shape()); }, &set_shape,
      "Length of each dimension.");
  c.def_prop_ro(
      "strides", [](nb::handle self) { return from_dims(array_of(self).strides()); },
      "Bytes to step in each dimension.");
  c.def_prop_rw(
      "dtype", [](nb::handle self) { return nb::borrow(from_dtype(array_of(self).type())); }, &set_dtype,
      "Type of the elements.");
  c.def_prop_ro(
      "ndim", [](nb::handle self) { return array_of(self).ndim(); }, "Number of dimensions.");
  c.def_prop_ro(
      "size", [](nb::handle self) { return array_of(self).size(); }, "Number of elements.");
  c.def_prop_ro(
      "itemsize", [](nb::handle self) { return array_of(self).itemsize(); }, "Bytes of one element.");
  c.def_prop_ro(
      "nbytes", [](nb::handle self) { return array_of(self).nbytes(); }, "Bytes of all elements.");
  c.def_prop_ro("base", &base_of, "The array that this one is a view of, or None.");
  c.def_prop_ro(
      "T", [](nb::handle self) { return wrap_view(ops::transpose(array_of(self)), self.ptr()); },
      "View with the dimensions reversed.");
  c.def_prop_ro(
      "mT",
      [](nb::handle self) {
        const Array& a = array_of(self);
        if (a.ndim() < 2) {
          throw ValueError("cuprum.ndarray.mT: matrix transpose with ndim < 2 is undefined, the array has " +
                           std::to_string(a.ndim()));
        }
        return wrap_view(ops::matrix_transpose(a), self.ptr());
      },
      "View with the last two dimensions exchanged.");
  c.def_prop_rw(
      "real",
      [](nb::handle self) {  // a real array is its own real part
        const Array& a = array_of(self);
        return is_complex(a.type()) ? wrap_view(ops::real(a), self.ptr()) : nb::borrow(self);
      },
      [](nb::handle self, nb::handle v) { set_part(self, v, "ndarray.real", ops::real(array_of(self))); },
      "View of the real part.");
  c.def_prop_rw(
      "imag", [](nb::handle self) { return wrap_view(ops::imag(array_of(self)), self.ptr()); }, &set_imag,
      "View of the imaginary part.");
  bind_flags(c);
}

}  // namespace cuprum::python
