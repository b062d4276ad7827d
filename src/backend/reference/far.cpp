// The far backend: the CPU's results at addresses that the host cannot read.
//
// Its buffers carry the CPU backend's addresses plus a constant that makes them non-canonical, so that whoever above
// Backend reads or writes device memory directly ends at once. Each call shifts the pointers back and lets the CPU
// backend work. A machine without a GPU so proves what a GPU would show: nothing above Backend touches its memory.
#include "runtime/backend.h"

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
  void copy_to_host(void* to, const std::byte* from, std::size_t nbytes) override {
    cpu_.copy_to_host(to, near(from), nbytes);
  }
  void copy_from_host(std::byte* to, const void* from, std::size_t nbytes) override {
    cpu_.copy_from_host(near(to), from, nbytes);
  }
  void synchronize() override {}

  void run(const Kernel& kernel) override { cpu_.run(near(kernel)); }

  void scan(ScanOp op, Op fold, const View& in, const View& out) override {
    cpu_.scan(op, fold, near(in), near(out));
  }
  void sort(const View& in, const View& out) override { cpu_.sort(near(in), near(out)); }
  void argsort(const View& in, const View& out) override { cpu_.argsort(near(in), near(out)); }
  void partition(const View& in, const Dims& kth, const View& out) override {
    cpu_.partition(near(in), kth, near(out));
  }
  void searchsorted(const View& row, const View& values, bool right, const View& out) override {
    cpu_.searchsorted(near(row), near(values), right, near(out));
  }
  std::int64_t count_true(const View& mask) override { return cpu_.count_true(near(mask)); }
  void select(const View& in, const View& mask, const View& out) override {
    cpu_.select(near(in), near(mask), near(out));
  }
  void nonzero(const View& mask, const View& out) override { cpu_.nonzero(near(mask), near(out)); }
  void masked_assign(const View& to, const View& mask, const View& from) override {
    cpu_.masked_assign(near(to), near(mask), near(from));
  }
  IndexFault gather(const View& from, const std::vector<View>& index, const View& out,
                    const IndexSite& site) override {
    return cpu_.gather(near(from), near(index), near(out), site);
  }
  IndexFault scatter(const View& to, const std::vector<View>& index, const View& from,
                     const IndexSite& site) override {
    return cpu_.scatter(near(to), near(index), near(from), site);
  }
  IndexFault scatter_fold(Op op, dtype key, const View& to, const std::vector<View>& index, const View& from,
                          const IndexSite& site) override {
    return cpu_.scatter_fold(op, key, near(to), near(index), near(from), site);
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
  Backend& cpu_ = cpu_backend();
};

}  // namespace

Backend& far_backend() {
  static Backend* backend = new FarBackend;  // never destroyed: buffers outlive static destructors
  return *backend;
}

}  // namespace cuprum
