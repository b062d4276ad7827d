// The far backend: the CPU's results at addresses that the host cannot read.
//
// Its buffers carry the CPU backend's addresses plus a constant that makes them non-canonical, so that whoever above
// Backend reads or writes device memory directly ends at once. Each call shifts the pointers back and lets the CPU
// backend work. A machine without a GPU so proves what a GPU would show: nothing above Backend touches its memory.
//
// Bad indices are found late, as on a GPU: the call returns, and the next wait of its thread raises.
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/backend.h"
#include "runtime/caller.h"
#include "runtime/debug.h"

namespace cuprum {

namespace {

constexpr std::uintptr_t kShift = std::uintptr_t{0x5A}
                                  << 56;  // bits 56 to 62: no such address is ever mapped

std::byte* near(const std::byte* far) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(far) - kShift);
}
std::byte* far(const std::byte* near) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(near) + kShift);
}
View near(View view) {
  view.data = near(view.data);
  return view;
}
/// A call with the views that the CPU sees.
struct NearCall {
  std::vector<View> in;
  View out;

  explicit NearCall(const Call& c) : in(c.in.begin(), c.in.end()), out(near(c.out)) {
    for (View& view : in) view.data = near(view.data);
  }
};
Kernel near(Kernel kernel) {
  for (Leaf& leaf : kernel.leaves) leaf.data = near(leaf.data);
  for (Store& store : kernel.stores) store.data = near(store.data);
  for (Reduction& reduction : kernel.reductions) reduction.data = near(reduction.data);
  for (Kernel& epilogue : kernel.epilogue) epilogue = near(std::move(epilogue));
  return kernel;
}

struct LateFault {
  const char* function = nullptr;  // null: none
  std::int64_t value = 0, axis = 0, extent = 0;
};

class FarBackend final : public Backend {
 public:
  const char* name() const override { return "far"; }

  // The near buffer lends its memory: it is forgotten without being freed, and free() gives the memory back.
  Ref<Buffer> allocate(std::size_t nbytes) override {
    const Ref<Buffer> buffer = cpu_.allocate(nbytes);
    std::byte* data = buffer->data;
    buffer->release = [](void*) {};
    return make_ref<Buffer>(this, far(data), nbytes);
  }
  void free(std::byte* data, std::size_t nbytes) noexcept override { cpu_.free(near(data), nbytes); }
  MemoryStats memory_stats() const override { return cpu_.memory_stats(); }
  void reset_peak() override { cpu_.reset_peak(); }
  void free_all_blocks() override { cpu_.free_all_blocks(); }
  void set_memory_limit(std::size_t nbytes) override { cpu_.set_memory_limit(nbytes); }
  bool host_accessible() const override { return false; }
  bool can_use(const std::byte* data, std::size_t nbytes) override {
    return cpu_.can_use(near(data), nbytes);
  }
  void copy_to_host(void* to, const std::byte* from, std::size_t nbytes) override {
    cpu_.copy_to_host(to, near(from), nbytes);
    raise_fault();
  }
  void copy_from_host(std::byte* to, const void* from, std::size_t nbytes) override {
    cpu_.copy_from_host(near(to), from, nbytes);
  }
  void synchronize() override { raise_fault(); }

  void run(const Kernel& kernel) override { cpu_.run(near(kernel)); }
  std::string tier(const Kernel& kernel) const override { return cpu_.tier(kernel); }

  IndexFault call(const Call& c) override {
    const NearCall views(c);
    const Call here{c.primitive, views.in, views.out};
    return dispatch(here, [&]<class P>(const P& p) -> Answer<P> {
      if constexpr (kIndexes<P>) {
        const IndexFault fault = cpu_.call(here);
        if (fault.axis < 0 || debugging()) return fault;
        if constexpr (std::is_same_v<P, Gather>) clear(here.out);
        return later(fault, std::is_same_v<P, Gather> ? c.in[0] : c.out, p.site);
      } else {
        cpu_.call(here);
      }
    });
  }
  std::unique_ptr<const CountedMask> count_true(const View& mask) override {
    return cpu_.count_true(near(mask));
  }
  /// A way of its own, so that programs that take it are tried without a GPU.
  bool order_statistics(const View& in, const Dims& kth, const View& out) override {
    const std::int64_t n = in.shape.back();
    if (element_count(in.shape) != n) return false;
    const auto size = static_cast<std::int64_t>(itemsize(in.type));
    const Ref<Buffer> memory = cpu_.allocate(static_cast<std::size_t>(n * size));
    View ordered{memory->data, in.type, in.shape, Dims(in.shape.size(), 0)};
    ordered.strides.back() = size;
    const View row = near(in);
    cpu_.call({Primitive(Partition{kth}), {&row, 1}, ordered});
    const View to = near(out);
    for (std::size_t j = 0; j < kth.size(); ++j) {
      std::memcpy(to.data + static_cast<std::int64_t>(j) * to.strides.back(), memory->data + kth[j] * size,
                  static_cast<std::size_t>(size));
    }
    return true;
  }

 private:
  /// Keeps the thread's first fault for its next wait, and lets the call return.
  IndexFault later(const IndexFault& fault, const View& indexed, const IndexSite& site) {
    const std::lock_guard guard(late_mutex_);
    LateFault& late = late_.mine([](LateFault&) {});
    if (!late.function) {
      const auto k = static_cast<std::size_t>(fault.axis);
      const std::int64_t axis = k < site.axes.size() ? site.axes[k] : fault.axis;
      late = {site.function, fault.value, axis, indexed.shape[k]};
    }
    return {};
  }
  void raise_fault() {
    LateFault told;
    {
      const std::lock_guard guard(late_mutex_);
      LateFault* late = late_.told_here([](const LateFault& l) { return l.function != nullptr; });
      if (!late) return;
      told = std::exchange(*late, {});
    }
    throw_late_index_error(told.function, told.value, told.axis, told.extent);
  }
  /// What bad indices read is zero.
  void clear(const View& out) {
    Kernel fill;
    fill.shape = out.shape;
    fill.scalars.push_back(Scalar::of(dtype::bool_, false));
    fill.code.push_back({Op::cast, dtype::bool_, out.type, 1, {0}});
    fill.stores.push_back({out.data, out.type, out.strides, 1});
    cpu_.run(fill);
  }

  Backend& cpu_ = cpu_backend();
  std::mutex late_mutex_;
  PerCaller<LateFault> late_;
};

}  // namespace

Backend& far_backend() {
  static Backend* backend = new FarBackend;  // never destroyed: buffers outlive static destructors
  return *backend;
}

}  // namespace cuprum
