// The buffer protocol: memoryview(a), and through it any reader of buffers, sees the memory of the array
// itself.
#include <memory>

#include "errors.h"
#include "expr/engine.h"
#include "slots.h"

namespace cuprum::python {

namespace {

/// What a Py_buffer points to while it is held.
struct Export {
  Array array;  // keeps the memory, whatever happens to the ndarray object
  std::vector<Py_ssize_t> shape;
  std::vector<Py_ssize_t> strides;
};

const char* format_of(dtype t) {
  static constexpr const char* kFormats[kDTypeCount] = {"?", "b", "h", "i", "l", "B",  "H", "I",
                                                        "L", "e", "",  "f", "d", "Zf", "Zd"};
  return kFormats[static_cast<int>(t)];
}

bool asks(int flags, int what) { return (flags & what) == what; }

void check_request(const Array& a, int flags) {
  if (a.type() == dtype::bfloat16) {
    throw BufferError(
        "cuprum: the buffer protocol has no format for bfloat16; write a.view(cp.uint16) or "
        "a.astype(cp.float32)");
  }
  if (!a.backend().known_as().host_accessible()) {
    throw BufferError(std::string("cuprum: the memory of an array on ") + a.backend().name() +
                      " cannot be read by the host; write a.get()");
  }
  if (asks(flags, PyBUF_WRITABLE) && !a.writeable())
    throw BufferError("cuprum: buffer source array is read-only");
  const bool c = a.c_contiguous(), f = a.f_contiguous();
  if (asks(flags, PyBUF_C_CONTIGUOUS) && !c) throw BufferError("cuprum: ndarray is not C-contiguous");
  if (asks(flags, PyBUF_F_CONTIGUOUS) && !f) throw BufferError("cuprum: ndarray is not Fortran contiguous");
  if (asks(flags, PyBUF_ANY_CONTIGUOUS) && !c && !f) throw BufferError("cuprum: ndarray is not contiguous");
  if (!asks(flags, PyBUF_STRIDES) && !c) throw BufferError("cuprum: ndarray is not C-contiguous");
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  return guarded(-1, [&] {
    const Array& a = contents(self).array();
    check_request(a, flags);
    auto e = std::make_unique<Export>();
    e->array = a;
    e->shape.assign(a.shape().begin(), a.shape().end());
    e->strides.assign(a.strides().begin(), a.strides().end());
    view->buf = export_pointer(a);
    view->len = static_cast<Py_ssize_t>(a.nbytes());
    view->readonly = !a.writeable();
    view->itemsize = static_cast<Py_ssize_t>(a.itemsize());
    view->format = asks(flags, PyBUF_FORMAT) ? const_cast<char*>(format_of(a.type())) : nullptr;
    view->ndim = asks(flags, PyBUF_ND) ? a.ndim() : 1;  // without a shape these are bytes in a row (hashlib)
    view->shape = asks(flags, PyBUF_ND) ? e->shape.data() : nullptr;
    view->strides = asks(flags, PyBUF_STRIDES) ? e->strides.data() : nullptr;
    view->suboffsets = nullptr;
    view->internal = e.release();
    view->obj = Py_NewRef(self);
    return 0;
  });
}

void release_buffer(PyObject*, Py_buffer* view) noexcept { delete static_cast<Export*>(view->internal); }

}  // namespace

void add_buffer_slots(std::vector<PyType_Slot>& s) {
  s.push_back(slot(Py_bf_getbuffer, &get_buffer));
  s.push_back(slot(Py_bf_releasebuffer, &release_buffer));
}

}  // namespace cuprum::python
