// The reference backend: slow and obviously correct. The engine is tested on it, apart from every
// optimisation.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "backend/reference/primitives.h"
#include "cuprum/error.h"

namespace cuprum {

namespace {

class ReferenceBackend final : public Backend {
 public:
  const char* name() const override { return "reference"; }

  Ref<Buffer> allocate(std::size_t nbytes) override {
    const std::size_t rounded = std::max<std::size_t>(64, (nbytes + 63) / 64 * 64);
    const std::lock_guard lock(mutex_);
    const std::size_t room = stats_.limit_bytes - std::min(stats_.limit_bytes, stats_.used_bytes);
    const bool allowed = rounded >= nbytes && (stats_.limit_bytes == 0 || nbytes <= room);
    void* data = allowed ? std::aligned_alloc(64, rounded) : nullptr;
    if (data == nullptr) {
      throw OutOfMemoryError(
          "cuprum: out of memory: " + std::to_string(nbytes) + " bytes were asked for, " +
          std::to_string(stats_.used_bytes) + " are in use, the limit is " +
          (stats_.limit_bytes == 0 ? "the machine's" : std::to_string(stats_.limit_bytes)));
    }
    stats_.used_bytes += nbytes;
    stats_.total_bytes = stats_.used_bytes;
    stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.used_bytes);
    ++stats_.allocations;
    return make_ref<Buffer>(this, static_cast<std::byte*>(data), nbytes);
  }
  void free(std::byte* data, std::size_t nbytes) noexcept override {
    std::free(data);
    const std::lock_guard lock(mutex_);
    stats_.used_bytes -= nbytes;
    stats_.total_bytes = stats_.used_bytes;
  }
  MemoryStats memory_stats() const override {
    const std::lock_guard lock(mutex_);
    return stats_;
  }
  void reset_peak() override {
    const std::lock_guard lock(mutex_);
    stats_.peak_bytes = stats_.used_bytes;
  }
  void free_all_blocks() override {}
  void set_memory_limit(std::size_t nbytes) override {
    const std::lock_guard lock(mutex_);
    stats_.limit_bytes = nbytes;
  }
  bool host_accessible() const override { return true; }
  void copy_to_host(void* to, const std::byte* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }
  void copy_from_host(std::byte* to, const void* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }
  void synchronize() override {}

  void run(const Kernel& kernel) override { reference::run(kernel); }
  void scan(ScanOp op, Op fold, const View& in, const View& out) override {
    reference::scan(op, fold, in, out);
  }
  void sort(const View& in, const View& out) override { reference::sort(in, out); }
  void argsort(const View& in, const View& out) override { reference::argsort(in, out); }
  void searchsorted(const View& row, const View& values, bool right, const View& out) override {
    reference::searchsorted(row, values, right, out);
  }
  void is_among(const View& row, const View& values, const View& out) override {
    reference::is_among(row, values, out);
  }
  void count_between(const View& edges, const View& values, const View& out) override {
    reference::count_between(edges, values, out);
  }
  std::unique_ptr<const CountedMask> count_true(const View& mask) override {
    return std::make_unique<CountedMask>(mask, reference::count_true(mask));
  }
  void select(const View& in, const CountedMask& mask, const View& out) override {
    reference::select(in, mask.mask, out);
  }
  void nonzero(const CountedMask& mask, const View& out) override { reference::nonzero(mask.mask, out); }
  void masked_assign(const View& to, const CountedMask& mask, const View& from) override {
    reference::masked_assign(to, mask.mask, from);
  }
  void masked_fill(const View& to, const View& mask, const View& value) override {
    reference::masked_fill(to, mask, value);
  }
  IndexFault gather(const View& from, const std::vector<View>& index, const View& out,
                    const IndexSite&) override {
    return reference::gather(from, index, out);
  }
  IndexFault scatter(const View& to, const std::vector<View>& index, const View& from,
                     const IndexSite&) override {
    return reference::scatter(to, index, from);
  }
  IndexFault scatter_fold(Op op, dtype key, const View& to, const std::vector<View>& index, const View& from,
                          const IndexSite&) override {
    return reference::scatter_fold(op, key, to, index, from);
  }
  void repeat(const View& in, const View& ends, const View& out) override {
    reference::repeat(in, ends, out);
  }
  void matmul(const View& a, const View& b, const View& out) override { reference::matmul(a, b, out); }
  void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out) override {
    reference::sliding_dot(a, v, left, out);
  }
  void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                   const View& out) override {
    reference::interpolate(x, xp, fp, ends, reciprocal, out);
  }
  void arange(const View& out, const Scalar& start, const Scalar& step) override {
    reference::arange(out, start, step);
  }

 private:
  mutable std::mutex mutex_;  // buffers may be freed by any thread
  MemoryStats stats_;
};

}  // namespace

Backend& reference_backend() {
  static Backend* backend = new ReferenceBackend;  // never destroyed: buffers outlive static destructors
  return *backend;
}

}  // namespace cuprum
