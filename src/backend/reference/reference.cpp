// The reference backend: slow and obviously correct. The engine is tested on it, apart from every
// optimisation.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "backend/reference/primitives.h"
#include "runtime/pool.h"

namespace cuprum {

namespace {

class PlainMemory final : public MemorySource {
 public:
  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    return static_cast<std::byte*>(std::aligned_alloc(64, bytes));
  }
  void free(std::byte* block, std::size_t, const Uses&) noexcept override { std::free(block); }
  std::string describe() const override { return "host memory"; }
};

class ReferenceBackend final : public Backend {
 public:
  ReferenceBackend() { set_pool(std::make_unique<Pool>(memory_, Pool::Options{.device = this})); }
  const char* name() const override { return "reference"; }

  bool host_accessible() const override { return true; }
  void copy_to_host(Stream&, void* to, const std::byte* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }
  void copy_from_host(Stream&, std::byte* to, const void* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }

  void run(Stream&, const Kernel& kernel) override { reference::run(kernel); }
  bool fuses(const Primitive& call, Operands in, dtype type) const override {
    return cpu_backend().fuses(call, in, type);
  }
  Fault call(Stream&, const Call& c) override {
    return dispatch(c, [&](const auto& p, const auto& out) { return reference::call(p, c.in, out); });
  }
  std::shared_ptr<const CountedMask> count_true(Stream&, const View& mask) override {
    return std::make_shared<CountedMask>(reference::count_true(mask));
  }

 private:
  PlainMemory memory_;
};

}  // namespace

Backend& reference_backend() {
  static Backend* backend = new ReferenceBackend;  // never destroyed: buffers outlive static destructors
  return *backend;
}

}  // namespace cuprum
