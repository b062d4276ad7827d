#include "runtime/allocator.h"

#include <utility>

#include "runtime/pool.h"

namespace cuprum {

std::atomic<int> allocators_chosen{0};

namespace {

thread_local ThreadAllocator* innermost __attribute__((tls_model("initial-exec"))) = nullptr;
std::mutex mutex;

std::shared_ptr<Allocator>& of_process() {
  static auto* const allocator = new std::shared_ptr<Allocator>;  // arrays outlive static destructors
  return *allocator;
}

}  // namespace

std::shared_ptr<Allocator> chosen_allocator() {
  if (innermost) return innermost->allocator();
  const std::lock_guard guard(mutex);
  return of_process();
}

void choose_allocator(std::shared_ptr<Allocator> allocator) {
  const std::lock_guard guard(mutex);
  allocators_chosen += static_cast<int>(allocator != nullptr) - static_cast<int>(of_process() != nullptr);
  of_process().swap(allocator);  // the old one ends behind the lock's
}

ThreadAllocator::ThreadAllocator(std::shared_ptr<Allocator> allocator)
    : allocator_(std::move(allocator)), outer_(std::exchange(innermost, this)) {
  ++allocators_chosen;
}

ThreadAllocator::~ThreadAllocator() {
  --allocators_chosen;
  innermost = outer_;
}

PoolAllocator::~PoolAllocator() {
  for (std::unique_ptr<Pool>& pool : pools_) {
    if (pool) Pool::retire(std::move(pool));
  }
}

Pool& PoolAllocator::pool(Backend& device) {
  const std::lock_guard guard(mutex_);
  std::unique_ptr<Pool>& pool = pools_[device.number];
  if (!pool) pool = make_(device);
  return *pool;
}

Ref<Buffer> PoolAllocator::allocate(Stream& stream, std::size_t nbytes) {
  Backend& device = stream.device;
  return make_ref<Buffer>(&device, pool(device).allocate(nbytes, device.asynchronous ? &stream : nullptr),
                          nbytes);
}

}  // namespace cuprum
