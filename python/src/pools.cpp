// Pools, allocators and those who watch them. The classes that users see are in cuprum/_pools.py.
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bindings.h"
#include "casters.h"
#include "errors.h"
#include "expr/engine.h"
#include "gil.h"
#include "host.h"
#include "ops/pools.h"
#include "runtime/allocator.h"
#include "runtime/lock.h"
#include "runtime/pool.h"
#include "runtime/spill.h"
#include "streams.h"

namespace cuprum::python {

namespace {

// -- Allocators that are written in Python. They run amid an evaluation, under the graph's lock.

/// What `function(size)` gives, a MemoryPointer: it is asked for its address, and kept as long as the memory is used.
nb::object call_allocator(const nb::object& function, std::size_t nbytes, Backend& device, std::byte*& data) {
  const ThreadAllocator ours(nullptr);  // for what it makes itself
  nb::object pointer = function(nbytes);
  const std::uintptr_t address =
      to_address(nb::object(pointer.attr("ptr")).ptr(), "cuda.set_allocator", "ptr");
  data = reinterpret_cast<std::byte*>(address);
  if (nbytes != 0 && !device.can_use(data, nbytes)) {
    throw ValueError("cuprum.cuda.set_allocator: the allocator has given memory at " +
                     std::to_string(address) + ", which " + device.name() + " cannot use");
  }
  return pointer;
}

/// Something of Python that C++ holds while there are allocators of the program's own.
class Callable {
 public:
  explicit Callable(nb::object function) : function_(std::move(function)) {}
  ~Callable() { release_python_object(function_.release().ptr()); }
  Callable(const Callable&) = delete;
  Callable& operator=(const Callable&) = delete;
  const nb::object& operator*() const { return function_; }

 private:
  nb::object function_;
};

/// set_allocator(function): an array's memory is what the function gives.
class UserAllocator final : public Allocator {
 public:
  explicit UserAllocator(nb::object function) : function_(std::move(function)) {}

  Ref<Buffer> allocate(Stream& stream, std::size_t nbytes) override {
    Ref<Buffer> buffer;
    with_gil([&] {
      std::byte* data = nullptr;
      nb::object pointer = call_allocator(*function_, nbytes, stream.device, data);
      buffer = make_ref<Buffer>(&stream.device, data, nbytes);
      buffer->release = &release_python_object;
      buffer->owner = pointer.release().ptr();
      buffer->exposed = stream.device.asynchronous;  // others know the address: all such memory counts as one
    });
    if (!buffer) throw OutOfMemoryError("cuprum: an allocator of Python cannot be called any more");
    return buffer;
  }

 private:
  Callable function_;
};

/// MemoryPool(function): the pool's segments are what the function gives.
class UserMemory final : public MemorySource {
 public:
  UserMemory(Backend& device, const std::shared_ptr<Callable>& function)
      : device_(device), function_(function) {}

  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    std::byte* data = nullptr;
    with_gil([&] {
      try {
        nb::object pointer = call_allocator(**function_, bytes, device_, data);
        const std::lock_guard guard(mutex_);
        std::swap(given_[data], pointer);
      } catch (...) {  // a request that fails
        data = nullptr;
        PyErr_Clear();
      }
    });
    return data;
  }
  void free(std::byte* block, std::size_t, const Uses& uses) noexcept override {
    uses.wait();
    with_gil([&] {
      nb::object pointer;  // outlives the mutex: its end may run any program
      const std::lock_guard guard(mutex_);
      if (const auto found = given_.extract(block)) pointer = std::move(found.mapped());
    });
  }
  std::string describe() const override { return "an allocator's memory"; }

 private:
  Backend& device_;
  std::shared_ptr<Callable> function_;
  std::mutex mutex_;
  std::unordered_map<std::byte*, nb::object> given_;
};

// -- Pools.

using ops::MemoryPool;

Pool& here(const MemoryPool& pool) { return pool.on(current_device()); }

/// kind: "device" (a further pool), "managed" (of memory shared with the host), either with "direct" behind it (nothing is kept), or
/// "default" (those of the devices).
void make_pool(MemoryPool* pool, const Text& kind) {
  new (pool) MemoryPool;
  const std::string& name = kind.value;
  if (name == "default") return;
  *pool = ops::make_pool(name.starts_with("managed"), !name.ends_with("direct"));
}

void make_user_pool(MemoryPool& pool, nb::object function) {
  auto callable = std::make_shared<Callable>(std::move(function));
  pool.own = std::make_shared<PoolAllocator>([callable](Backend& device) {
    auto* source = new UserMemory(device, callable);  // its pool may outlive whoever made it
    return std::make_unique<Pool>(*source, device.pool().options());
  });
}

void set_limit(const MemoryPool& pool, nb::handle size, nb::handle fraction) {
  if (!size.is_none() && !fraction.is_none()) {
    throw ValueError("cuprum.MemoryPool.set_limit: size and fraction are given; write one of them");
  }
  std::size_t bytes = 0;
  if (!fraction.is_none()) {
    const double f = PyFloat_AsDouble(fraction.ptr());
    if (f == -1.0 && PyErr_Occurred()) throw_named_error("MemoryPool.set_limit", "fraction");
    bytes = ops::limit_of_fraction(current_device(), f);
  } else if (!size.is_none()) {
    const std::int64_t given = to_int(size.ptr(), "MemoryPool.set_limit", "size");
    if (given < 0) throw ValueError("cuprum.MemoryPool.set_limit: size must not be negative");
    bytes = static_cast<std::size_t>(given);
  }
  here(pool).set_limit(bytes);
}

/// A vector of `size` bytes in the pool's memory.
nb::object bytes_in_pool(const MemoryPool& pool, nb::handle size) {
  const std::int64_t nbytes = to_int(size.ptr(), "MemoryPool.malloc", "size");
  if (nbytes < 0) throw ValueError("cuprum.MemoryPool.malloc: size must not be negative");
  const ThreadAllocator from_here(pool.own);
  const Array bytes = make_array(current_device(), dtype::uint8, {nbytes});
  export_pointer(bytes);  // this very memory was asked for: whoever writes it writes in place
  return wrap(bytes);
}

void free_all_blocks(const MemoryPool& pool, nb::handle stream) {
  Stream* given = stream_given(stream, "MemoryPool.free_all_blocks");
  Pool& blocks = here(pool);
  BlockingSection others_run;  // it may wait for streams, and they for functions of Python
  blocks.free_all_blocks(given);
}

template <std::size_t MemoryStats::*field>
std::size_t counted(const MemoryPool& pool) {
  return here(pool).stats().*field;
}

void bind_pool(nb::module_& m) {
  nb::class_<MemoryPool>(m, "MemoryPool")
      .def("__init__", &make_pool, nb::arg("kind") = "device")
      .def("take_from", &make_user_pool)
      .def("allocate", &bytes_in_pool, nb::arg("size").none())
      .def("used_bytes", &counted<&MemoryStats::used_bytes>, "Bytes in live arrays.")
      .def("total_bytes", &counted<&MemoryStats::total_bytes>,
           "Bytes taken from the system: those in use and those kept for reuse.")
      .def(
          "free_bytes",
          [](const MemoryPool& p) {
            const MemoryStats stats = here(p).stats();
            return stats.total_bytes - stats.used_bytes;
          },
          "Bytes kept for reuse.")
      .def("peak_bytes", &counted<&MemoryStats::peak_bytes>, "Highest used_bytes since the last reset_peak.")
      .def("peak_total_bytes", &counted<&MemoryStats::peak_total_bytes>,
           "Highest total_bytes since the last reset_peak.")
      .def(
          "reset_peak", [](const MemoryPool& p) { here(p).reset_peak(); }, "Starts the peaks anew.")
      .def("n_allocations", &counted<&MemoryStats::allocations>, "Requests served.")
      .def("n_hits", &counted<&MemoryStats::hits>, "Requests served from the pool.")
      .def("n_device_allocations", &counted<&MemoryStats::source_allocations>,
           "How often memory was taken from the system.")
      .def("n_free_blocks", &counted<&MemoryStats::free_blocks>, "Blocks kept for reuse.")
      .def("get_limit", &counted<&MemoryStats::limit_bytes>, "Bytes that may be in use; 0: no limit.")
      .def("set_limit", &set_limit, nb::arg("size") = nb::none(), nb::arg("fraction") = nb::none(),
           "Sets the limit, in bytes or as a fraction of the device's memory. 0: no limit.")
      .def("free_all_blocks", &free_all_blocks, nb::arg("stream") = nb::none(),
           "Gives the memory that is kept for reuse back to the system: that of one stream, or all.");
}

// -- Which allocator is chosen.

/// A MemoryPool or a function; None: the pool of the device.
std::shared_ptr<Allocator> allocator_from(nb::handle chosen) {
  if (chosen.is_none()) return nullptr;
  if (nb::isinstance<MemoryPool>(chosen)) return nb::cast<const MemoryPool&>(chosen).own;
  return std::make_shared<UserAllocator>(nb::borrow(chosen));
}

std::vector<std::unique_ptr<ThreadAllocator>>& entered() {
  static thread_local std::vector<std::unique_ptr<ThreadAllocator>> list;
  return list;
}

// -- Those who watch.

PyObject* watcher = nullptr;  // a function of Python; null: none
std::mutex watcher_mutex;
thread_local bool telling = false;
thread_local int hooks_here = 0;  // a device's own threads have none, and must not wait for the GIL

struct Note {
  MemoryEvent event;

  static void tell(void* self) {
    const std::unique_ptr<Note> note(static_cast<Note*>(self));
    with_gil([&] { note->call(); });
  }
  void call() const {
    const nb::object tell_python = [] {
      const std::lock_guard guard(watcher_mutex);
      return nb::borrow(watcher);
    }();
    if (!tell_python.is_valid() || telling) return;
    telling = true;
    PyObject *type, *value, *traceback;  // an error that is being raised stays as it is
    PyErr_Fetch(&type, &value, &traceback);
    try {
      tell_python(static_cast<int>(event.kind), event.device ? event.device->name() : "", event.asked,
                  event.bytes, reinterpret_cast<std::uintptr_t>(event.address),
                  reinterpret_cast<std::uintptr_t>(event.block));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("cuprum.cuda.MemoryHook");
    }
    PyErr_Restore(type, value, traceback);
    telling = false;
  }
};

/// Hooks are programs of the user's: they run as soon as the graph's lock is free.
void note_event(const MemoryEvent& event) {
  if (hooks_here != 0) release_unlocked(&Note::tell, new Note{event});
}

/// `function` is told while any thread has hooks; this one has so many more of them than before.
void set_watcher(nb::handle function, int more) {
  hooks_here += more;
  nb::object before;  // outlives the mutex
  const std::lock_guard guard(watcher_mutex);
  before = nb::steal(std::exchange(watcher, function.is_none() ? nullptr : Py_NewRef(function.ptr())));
  set_memory_observer(watcher ? &note_event : nullptr);
}

// -- Spill.

/// The text of a warning, which is raised behind the graph's lock.
void warn_of_spill(const std::string& text) {
  release_unlocked(
      [](void* owned) {
        const std::unique_ptr<std::string> words(static_cast<std::string*>(owned));
        with_gil([&] {
          if (PyErr_WarnEx(PyExc_RuntimeWarning, words->c_str(), 1) != 0) PyErr_WriteUnraisable(nullptr);
        });
      },
      new std::string(text));
}

nb::dict spilled() {
  const SpillStats stats = spill_stats();
  nb::dict d;
  d["to_host"] = stats.to_host;
  d["from_host"] = stats.from_host;
  d["on_host"] = stats.on_host;
  d["again"] = stats.again;
  return d;
}

// -- Memory that host and device share.

void prefetch(nb::handle block, nb::handle stream, int device) {
  const Array& a = unwrap(block.ptr(), "cuda.ManagedMemory.prefetch", 0);
  Stream* given = stream_given(stream, "cuda.ManagedMemory.prefetch");
  std::byte* data = export_pointer(a);
  a.backend().prefetch(given ? *given : current_stream(a.backend()), data, a.nbytes(), device);
}

void advise(nb::handle block, int advice, int device) {
  const Array& a = unwrap(block.ptr(), "cuda.ManagedMemory.advise", 0);
  a.backend().known_as().advise(export_pointer(a), a.nbytes(), advice, device);
}

}  // namespace

void bind_pools(nb::module_& m) {
  bind_pool(m);
  m.def("chunk_bytes", [](std::size_t total) { return ops::chunk_bytes(current_device(), total); });
  m.def(
      "choose_allocator", [](nb::handle chosen) { choose_allocator(allocator_from(chosen)); },
      nb::arg("chosen").none());
  m.def(
      "enter_allocator",
      [](nb::handle chosen) {
        entered().push_back(std::make_unique<ThreadAllocator>(allocator_from(chosen)));
      },
      nb::arg("chosen").none());
  m.def("leave_allocator", [] { entered().pop_back(); });
  m.def("prefetch", &prefetch, nb::arg("block"), nb::arg("stream").none(), nb::arg("device"));
  m.def("advise", &advise);
  set_spill_warning(&warn_of_spill);
  m.def("set_spill", [](Truth on) { set_spill(on); });
  m.def("get_spill", &spill_is_on);
  m.def("set_spill_warned", &set_spill_warned);  // for tests
  m.def("set_spill_least", &set_spill_least);    // for tests; returns what was set before
  m.def("spill_stats", &spilled);
  m.def("evaluate_pending", [] { evaluate_all(current_device()); });
  m.def("watch_memory", &set_watcher, nb::arg("function").none(), nb::arg("more"));
}

}  // namespace cuprum::python
