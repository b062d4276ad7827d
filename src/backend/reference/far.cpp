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
std::vector<View> near(std::vector<View> views) {
  for (View& view : views) view.data = near(view.data);
  return views;
}
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

  void scan(ScanOp op, Op fold, const View& in, const View& out) override {
    cpu_.scan(op, fold, near(in), near(out));
  }
  void sort(const View& in, const View& out) override { cpu_.sort(near(in), near(out)); }
  void argsort(const View& in, const View& out) override { cpu_.argsort(near(in), near(out)); }
  void partition(const View& in, const Dims& kth, const View& out) override {
    cpu_.partition(near(in), kth, near(out));
  }
  /// A way of its own, so that programs that take it are tried without a GPU.
  bool order_statistics(const View& in, const Dims& kth, const View& out) override {
    const std::int64_t n = in.shape.back();
    if (element_count(in.shape) != n) return false;
    const auto size = static_cast<std::int64_t>(itemsize(in.type));
    const Ref<Buffer> memory = cpu_.allocate(static_cast<std::size_t>(n * size));
    View ordered{memory->data, in.type, in.shape, Dims(in.shape.size(), 0)};
    ordered.strides.back() = size;
    cpu_.partition(near(in), kth, ordered);
    const View to = near(out);
    for (std::size_t j = 0; j < kth.size(); ++j) {
      std::memcpy(to.data + static_cast<std::int64_t>(j) * to.strides.back(), memory->data + kth[j] * size,
                  static_cast<std::size_t>(size));
    }
    return true;
  }
  void searchsorted(const View& row, const View& values, bool right, const View& out) override {
    cpu_.searchsorted(near(row), near(values), right, near(out));
  }
  void is_among(const View& row, const View& values, const View& out) override {
    cpu_.is_among(near(row), near(values), near(out));
  }
  void count_between(const View& edges, const View& values, const View& out) override {
    cpu_.count_between(near(edges), near(values), near(out));
  }
  std::unique_ptr<const CountedMask> count_true(const View& mask) override {
    return cpu_.count_true(near(mask));
  }
  void select(const View& in, const CountedMask& mask, const View& out) override {
    cpu_.select(near(in), mask, near(out));
  }
  void nonzero(const CountedMask& mask, const View& out) override { cpu_.nonzero(mask, near(out)); }
  void masked_assign(const View& to, const CountedMask& mask, const View& from) override {
    cpu_.masked_assign(near(to), mask, near(from));
  }
  void masked_fill(const View& to, const View& mask, const View& value) override {
    cpu_.masked_fill(near(to), near(mask), near(value));
  }
  IndexFault gather(const View& from, const std::vector<View>& index, const View& out,
                    const IndexSite& site) override {
    const IndexFault fault = cpu_.gather(near(from), near(index), near(out), site);
    if (fault.axis < 0 || debugging()) return fault;
    clear(out);
    return later(fault, from, site);
  }
  IndexFault scatter(const View& to, const std::vector<View>& index, const View& from,
                     const IndexSite& site) override {
    return later(cpu_.scatter(near(to), near(index), near(from), site), to, site);
  }
  IndexFault scatter_fold(Op op, dtype key, const View& to, const std::vector<View>& index, const View& from,
                          const IndexSite& site) override {
    return later(cpu_.scatter_fold(op, key, near(to), near(index), near(from), site), to, site);
  }
  void repeat(const View& in, const View& ends, const View& out) override {
    cpu_.repeat(near(in), near(ends), near(out));
  }
  void matmul(const View& a, const View& b, const View& out) override {
    cpu_.matmul(near(a), near(b), near(out));
  }
  void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out) override {
    cpu_.sliding_dot(near(a), near(v), left, near(out));
  }
  void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                   const View& out) override {
    cpu_.interpolate(near(x), near(xp), near(fp), near(ends), reciprocal, near(out));
  }
  void arange(const View& out, const Scalar& start, const Scalar& step) override {
    cpu_.arange(near(out), start, step);
  }

 private:
  /// Keeps the thread's first fault for its next wait, and lets the call return. While debugging it is the call's own.
  IndexFault later(const IndexFault& fault, const View& indexed, const IndexSite& site) {
    if (fault.axis < 0 || debugging()) return fault;
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
    fill.stores.push_back({near(out.data), out.type, out.strides, 1});
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
