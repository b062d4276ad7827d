// Memory as CuPy shows it: the block behind an array, arrays over a part of a block, memory at an address, and host memory
// that devices copy from and to without a detour. The classes that users see are in cuprum/_memory.py.
#include "memory.h"

#include <algorithm>
#include <memory>

#include "bindings.h"
#include "errors.h"
#include "expr/engine.h"
#include "expr/overlap.h"
#include "host.h"
#include "runtime/host_threads.h"
#include "runtime/lock.h"
#include "slots.h"

namespace cuprum::python {

namespace {

/// All bytes of the storage behind an array, and where in it the array begins.
nb::object block_of(nb::handle self) {
  const Array& a = unwrap(self.ptr(), "ndarray.data", 0);
  const auto nbytes = static_cast<std::int64_t>(a.storage()->nbytes);
  return nb::make_tuple(wrap_view(a.view(dtype::uint8, {nbytes}, {1}, 0), self.ptr()), a.offset());
}

/// CUDA's array interface asks for 0 where there is no element.
std::uintptr_t address_of(nb::handle self) {
  const Array& a = unwrap(self.ptr(), "ndarray.data", 0);
  return a.size() == 0 ? 0 : reinterpret_cast<std::uintptr_t>(export_pointer(a));
}

/// Does the owner of memory say that nobody may write it? Most owners have no buffer to ask.
bool forbids_writing(PyObject* owner) {
  if (const Array* a = try_unwrap(owner)) return !a->writeable();
  if (!PyObject_CheckBuffer(owner)) return false;
  Py_buffer view;
  if (PyObject_GetBuffer(owner, &view, PyBUF_FULL_RO) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool forbids = view.readonly != 0;
  PyBuffer_Release(&view);
  return forbids;
}

nb::object memory_at(nb::handle ptr, nb::handle size, nb::handle owner) {
  const std::uintptr_t address = to_address(ptr.ptr(), "cuda.UnownedMemory", "ptr");
  const std::int64_t nbytes = to_int(size.ptr(), "cuda.UnownedMemory", "size");
  if (nbytes < 0) throw ValueError("cuprum.cuda.UnownedMemory: size must not be negative");
  auto* data = reinterpret_cast<std::byte*>(address);
  return wrap(borrow_memory(current_device(), data, dtype::uint8, {nbytes}, {1},
                            !forbids_writing(owner.ptr()), owner.ptr(), "cuda.UnownedMemory"));
}

/// Host memory for transfers. Freed with the object.
struct PinnedMemory {
  Backend& backend;
  std::size_t size;
  std::byte* data;

  explicit PinnedMemory(std::int64_t nbytes)
      : backend(current_device()),
        size(nbytes < 0 ? throw ValueError("cuprum.cuda.PinnedMemory: size must not be negative")
                        : static_cast<std::size_t>(nbytes)),
        data(backend.allocate_pinned(size)) {}
  ~PinnedMemory() {
    BlockingSection others_run;  // the driver waits for all streams
    backend.free_pinned(data);
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
};

constexpr const char* kPointer = "cuda.PinnedMemoryPointer";

/// A part of pinned memory, which Python can read and write through the buffer protocol.
struct PinnedMemoryPointer {
  nb::object mem;  // has ptr and size
  std::uintptr_t address;
  std::size_t size;

  PinnedMemoryPointer(nb::object memory, std::int64_t offset)
      : mem(std::move(memory)),
        address(to_address(mem.attr("ptr").ptr(), kPointer, "mem.ptr") + static_cast<std::uintptr_t>(offset)),
        size(to_address(mem.attr("size").ptr(), kPointer, "mem.size")) {
    if (offset < 0 || static_cast<std::size_t>(offset) > size)
      throw ValueError("cuprum.cuda.PinnedMemoryPointer: offset " + std::to_string(offset) +
                       " lies outside of the memory");
    size -= static_cast<std::size_t>(offset);
    if (!cpu_backend().can_use(reinterpret_cast<const std::byte*>(address), size))
      throw ValueError("cuprum.cuda.PinnedMemoryPointer: the host cannot read the " + std::to_string(size) +
                       " bytes that a " + type_name(mem.ptr()) + " names");
  }
};

int pinned_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  if (!nb::inst_ready(nb::handle(self))) {
    view->obj = nullptr;
    PyErr_SetString(PyExc_BufferError, "cuprum.cuda.PinnedMemoryPointer: __init__ has not been called");
    return -1;
  }
  const auto* p = nb::inst_ptr<PinnedMemoryPointer>(nb::handle(self));
  return PyBuffer_FillInfo(view, self, reinterpret_cast<void*>(p->address), static_cast<Py_ssize_t>(p->size),
                           0, flags);
}

void bind_pinned(nb::module_& m) {
  nb::class_<PinnedMemory>(
      m, "PinnedMemory",
      "Host memory that the current device copies from and to without a detour: `ptr`, `size`.\n\n"
      ">>> cp.cuda.PinnedMemory(100).size\n100")
      .def(nb::init<std::int64_t>(), nb::arg("size"))
      .def_prop_ro("ptr", [](const PinnedMemory& p) { return reinterpret_cast<std::uintptr_t>(p.data); })
      .def_ro("size", &PinnedMemory::size);
  static PyType_Slot slots[] = {slot(Py_bf_getbuffer, &pinned_buffer), {0, nullptr}};
  nb::class_<PinnedMemoryPointer>(
      m, "PinnedMemoryPointer", nb::type_slots(slots),
      "A part of pinned memory, `offset` bytes behind its start, as a buffer for NumPy.\n\n"
      ">>> pointer = cp.cuda.alloc_pinned_memory(16)\n"
      ">>> np.frombuffer(pointer, np.uint8, 16).shape\n(16,)")
      .def(nb::init<nb::object, std::int64_t>(), nb::arg("mem"), nb::arg("offset") = 0)
      .def_ro("mem", &PinnedMemoryPointer::mem, "The memory that it points into.")
      .def_ro("ptr", &PinnedMemoryPointer::address, "The address.")
      .def(
          "size", [](const PinnedMemoryPointer& p) { return p.size; },
          "Bytes from here to the end of the memory.");
}

}  // namespace

Array borrow_memory(Backend& backend, std::byte* data, dtype type, const Dims& shape, const Dims& strides,
                    bool writeable, PyObject* owner, const char* function) {
  const Extent e = foreign_extent(type, shape, strides, function);
  const auto nbytes = static_cast<std::size_t>(e.high - e.low);
  if (!backend.can_use(data + e.low, nbytes)) {
    throw ValueError(std::string("cuprum.") + function + ": " + backend.name() +
                     " cannot reach the memory of a " + type_name(owner) +
                     "; write `with cp.Device(...)` with the device that it is on");
  }
  bool aligned = reinterpret_cast<std::uintptr_t>(data) % itemsize(type) == 0;
  for (const std::int64_t step : strides)
    aligned &= step % std::min<std::int64_t>(itemsize(type), sizeof(double)) == 0;
  if (!aligned)
    throw ValueError(std::string("cuprum.") + function + ": the memory is not aligned for " + name(type));
  Py_INCREF(owner);
  return from_foreign(
      backend, data + e.low, nbytes, type, shape, strides, -e.low, writeable,
      [](void* o) { release_python_object(static_cast<PyObject*>(o)); }, owner);
}

Array array_in_block(const Array& block, std::int64_t offset, dtype type, const Dims& shape,
                     const std::optional<Dims>& strides, char order) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  if (block.type() != dtype::uint8 || block.ndim() != 1 || !block.c_contiguous())
    throw TypeError("cuprum.ndarray: memptr must be a cuprum.cuda.MemoryPointer");
  if (strides && strides->size() != shape.size())
    throw ValueError("cuprum.ndarray: strides must have as many entries as shape");
  const Dims steps = strides        ? *strides
                     : order == 'F' ? fortran_strides(shape, item)
                                    : contiguous_strides(shape, item);
  Extent e = foreign_extent(type, shape, steps, "ndarray");
  if (__builtin_add_overflow(e.low, offset, &e.low) || __builtin_add_overflow(e.high, offset, &e.high))
    throw ValueError("cuprum.ndarray: offset " + std::to_string(offset) + " lies outside of any memory");
  const bool fits =
      element_count(shape) == 0 || (e.low >= 0 && e.high <= static_cast<std::int64_t>(block.nbytes()));
  if (!fits && strides) {
    throw ValueError(
        "cuprum: ndarray() with strides: strides is incompatible with shape of requested array and size of "
        "buffer");
  }
  if (!fits) throw TypeError("cuprum.ndarray: buffer is too small for requested array");
  for (const std::int64_t step : steps) {
    if (step % item != 0) throw ValueError("cuprum.ndarray: strides must be multiples of the itemsize");
  }
  if (offset % item != 0)
    throw ValueError("cuprum.ndarray: offset must be a multiple of the itemsize, " + std::to_string(item));
  return block.view(type, shape, steps, block.offset() + offset);
}

void bind_memory(nb::module_& m) {
  m.def("block_of", &block_of);
  m.def("address_of", &address_of);
  m.def("memory_at", &memory_at, nb::arg("address").none(), nb::arg("nbytes").none(),
        nb::arg("owner").none());
  m.def("copy_within_host", [](std::uintptr_t to, std::uintptr_t from, std::size_t nbytes) {
    BlockingSection others_run;
    copy_by_threads(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), nbytes);
  });
  bind_pinned(m);
}

}  // namespace cuprum::python
