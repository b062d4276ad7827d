// Getting at the bytes: evaluation on request, views for backend calls, exchange with the host.
#include <cstring>
#include <utility>

#include "expr/evaluate.h"
#include "expr/host_copy.h"
#include "expr/now.h"
#include "expr/place.h"
#include "expr/record.h"
#include "runtime/capture.h"
#include "runtime/debug.h"
#include "runtime/hand_over.h"
#include "runtime/lock.h"
#include "runtime/settings.h"

namespace cuprum {

namespace {

View view_of(const Array& a, const Ref<Buffer>& buffer) {
  return {{buffer.get(), a.offset()}, a.type(), a.shape(), a.strides(), buffer};
}

EngineOptions options_from_environment() {
  EngineOptions options;
  const Settings& asked = settings();
  // While debugging, the call that fails is the one that made the mistake.
  options.eager = asked.eager || asked.debug;
  options.trace_eval = asked.trace_eval;
  options.max_nodes = static_cast<std::uint32_t>(asked.max_nodes.value_or(options.max_nodes));
  options.max_pinned = asked.max_pinned.value_or(options.max_pinned);
  return options;
}

}  // namespace

EngineOptions& engine_options() {
  static EngineOptions options = options_from_environment();
  return options;
}

const char* name(Reason reason) {
  switch (reason) {
    case Reason::requested: return "requested";
    case Reason::host_access: return "host_access";
    case Reason::not_fusable: return "not_fusable";
    case Reason::write: return "write";
    case Reason::export_pointer: return "export_pointer";
    case Reason::graph_size: return "graph_size";
    case Reason::pinned_bytes: return "pinned_bytes";
    case Reason::eager: return "eager";
  }
  return "";
}

bool is_quick(const Backend& device, const Call& call) {
  if (!device.host_accessible() || debugging()) return false;
  if (std::holds_alternative<Launch>(call.primitive))
    return false;  // what a program's own kernel does nobody knows
  std::size_t touched = 0;
  for (const View& view : call.in) touched += bytes_of(view.shape, view.type);
  for (const View& view : call.out) touched += bytes_of(view.shape, view.type);
  return touched < engine_options().small_bytes / 16;
}

void evaluate(std::span<const Array> arrays, Reason reason) {
  if (arrays.size() == 1) {
    if (arrays[0].is_number()) return;
    Storage& storage = *arrays[0].storage();
    if (!storage.named.load(std::memory_order_acquire)) return;
    const EngineLock lock;
    evaluate_storage(storage, reason);
    return;
  }
  const EngineLock lock;
  std::vector<Ref<Node>> roots;
  for (const Array& a : arrays) {
    if (!a.is_number() && a.storage()->pending) roots.push_back(a.storage()->pending);
  }
  evaluate_nodes(roots, reason);
}

namespace {

template <class F>
void evaluate_where(F&& chosen, Reason reason) {
  EngineLock lock;
  std::vector<Ref<Node>> roots;
  each_pending([&](const Storage& s) {
    if (chosen(*s.pending)) roots.push_back(s.pending);
  });
  if (!roots.empty()) evaluate_nodes(roots, reason);
}

}  // namespace

void evaluate_all(const Backend& backend, Reason reason) {
  evaluate_where([&](const Node& node) { return same_device(node.backend(), backend); }, reason);
}

void evaluate_all(const Stream& stream, Reason reason) {
  evaluate_where([&](const Node& node) { return node.stream == &stream; }, reason);
}

namespace {
thread_local OneDevice* innermost __attribute__((tls_model("initial-exec"))) = nullptr;
}

OneDevice::OneDevice() : outer_(std::exchange(innermost, this)) {}
OneDevice::~OneDevice() { innermost = outer_; }

View checked_view(const Array& a, const Ref<Buffer>& buffer) {
  if (innermost) {
    Backend*& seen = innermost->seen_;
    if (seen && seen != &a.backend()) throw_two_devices(*seen, a.backend());
    seen = &a.backend();
  }
  return view_of(a, buffer);
}

bool is_pending(const Array& a) {
  if (a.is_number()) return false;
  const RecordingLock lock;
  return static_cast<bool>(a.storage()->pending);
}

bool computes_now(Backend& device) {
  return device.is_cpu && !watched() && !(streams_capture() && current_stream(device.known_as()).capture);
}

std::byte* address_now(const Array& a) {
  const Storage& storage = *a.storage();
  if (!storage.buffer || !computes_now(*storage.backend)) return nullptr;
  return storage.buffer->data + a.offset();
}

std::optional<View> view_now(const Array& a) {
  if (!address_now(a)) return std::nullopt;
  return view_of(a, a.storage()->buffer);
}

View readable(const Array& a, Reason reason) {
  EngineLock lock;
  evaluate_storage(*a.storage(), reason);
  return checked_view(a, a.storage()->buffer);
}

View writable(const Array& a) {
  if (!a.writeable()) throw ValueError("assignment destination is read-only");
  EngineLock lock;
  evaluate_storage(*a.storage(), Reason::write);
  const Ref<Buffer> buffer = a.storage()->buffer;
  evaluate_readers(*buffer, Reason::write);
  forget_host_copy(*a.storage());
  return checked_view(a, buffer);
}

namespace {

// Somebody outside uses the memory on a stream, for all we know.
void expose(Buffer& buffer, Stream& stream) {
  if (!buffer.backend->asynchronous) return;
  buffer.uses().before_write(stream);
  buffer.exposed = true;
  buffer.uses().before_write(stream);
  buffer.uses().written_at(stream.mark());
}

}  // namespace

void used_outside(const Array& a, Stream& stream) {
  EngineLock lock;
  if (!a.storage()->buffer) return;
  bring_home(*a.storage()->buffer, stream);
  expose(*a.storage()->buffer, stream);
}

std::byte* export_pointer(const Array& a) {
  EngineLock lock;
  const OnePlace there({&a}, kAccelerators);
  Storage& storage = *a.storage();
  // Who holds the address must find every later write there: nobody may give the storage another name from here on.
  for (;;) {
    evaluate_storage(storage, Reason::export_pointer);
    const Ref<Buffer> buffer = storage.buffer;
    if (a.writeable()) evaluate_readers(*buffer, Reason::export_pointer);
    if (storage.buffer == buffer) break;
  }
  bring_home(*storage.buffer, uncaptured_stream(*storage.backend));
  storage.buffer->pinned = true;
  forget_host_copy(storage);
  expose(*storage.buffer, uncaptured_stream(*storage.backend));
  return storage.buffer->data + a.offset();
}

namespace {

// Where a copy to the host waits for nothing but what it needs: the stream that wrote the memory last.
Stream& last_stream(Buffer& buffer) {
  const Stamp wrote = buffer.uses().write();
  return wrote ? wrote.stream() : current_stream(*buffer.backend);
}

}  // namespace

void copy_to_host(const Array& a, void* to, const Fetch& fetch) {
  if (a.c_contiguous() || a.size() == 0) return copy_dense_to_host(a, to, fetch);
  copy_dense_to_host(record_copy(a, a.type(), 'C'), to, fetch);
}

void copy_dense_to_host(const Array& a, void* to, const Fetch& fetch) {
  if (const std::optional<Scalar> number = a.ndim() == 0 ? element_now(a) : std::nullopt) {
    std::memcpy(to, number->bytes, a.itemsize());
    return;
  }
  EngineLock lock;
  if (a.size() == 0) return;
  refuse_capture(current_stream(a.backend().known_as()), "a copy to the host");
  const View view = readable(a, Reason::host_access);
  Stream& stream = fetch.on_current ? current_stream(a.backend()) : last_stream(*view.keep);
  const Touched touched{{&view, 1}};
  const HandOver<Touched> hand_over(stream, touched);
  const tracing::CopySpan copy(tracing::Kind::download, stream, to, a.nbytes());
  if (a.nbytes() < (1u << 16) && a.backend().host_accessible()) {  // sooner done than the GIL is handed over
    stream.device.copy_to_host(stream, to, view.data, a.nbytes());
  } else {
    BlockingSection let_others_run;
    if (fetch.waits)
      stream.device.copy_to_host(stream, to, view.data, a.nbytes());
    else
      stream.device.copy_to_host_later(stream, to, view.data, a.nbytes());
  }
}

bool copy_from_peer(const Array& to, const Array& from) {
  if (!to.backend().reaches(from.backend())) return false;
  if (from.size() == 0) return true;
  EngineLock lock;
  const View source = readable(from), target = writable(to);
  Stream& stream = uncaptured_stream(to.backend());
  const Touched touched{{&source, 1}, {&target, 1}};
  const HandOver hand_over(stream, touched);
  tracing::spanned(
      stream, [&] { return tracing::note_of_copy(from.backend(), from.nbytes()); },
      [&] {
        BlockingSection others_run;
        stream.device.copy_from_peer(stream, target.data, from.backend(), source.data, from.nbytes());
      });
  return true;
}

Array from_foreign(Backend& asked, std::byte* data, std::size_t nbytes, dtype type, Dims shape, Dims strides,
                   std::int64_t offset, bool writeable, void (*release)(void*), void* owner) {
  EngineLock lock;
  Backend& backend = asked.known_as();
  Ref<Storage> storage = make_ref<Storage>(&backend, nbytes);
  storage->buffer = make_ref<Buffer>(&backend, data, nbytes);
  storage->buffer->release = release;
  storage->buffer->owner = owner;
  storage->buffer->pinned = true;
  storage->lent = true;
  storage->read_only = !writeable;
  expose(*storage->buffer, uncaptured_stream(backend));
  Array a(std::move(storage), type, std::move(shape), std::move(strides), offset);
  a.set_writeable(writeable);
  return a;
}

}  // namespace cuprum
