// Where arrays get their memory, if a program wants it from somewhere else than the pool of their device: from a pool of its own, or
// from a function of the program. Chosen for the process, and for a thread for a while.
//
// An allocator that runs a program of the user's does so under the graph's lock, amid an evaluation: whoever waits for that lock lets the GIL go.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/backend.h"

namespace cuprum {

class Allocator {
 public:
  virtual ~Allocator() = default;
  virtual Ref<Buffer> allocate(Stream& stream, std::size_t nbytes) = 0;
};

/// How many are chosen: 0, and nobody need look.
extern std::atomic<int> allocators_chosen;

/// This thread's, else the process's; null: the pool of the device.
std::shared_ptr<Allocator> chosen_allocator();
/// Null: none.
void choose_allocator(std::shared_ptr<Allocator> allocator);

/// The allocator of this thread while it lives. One that holds null stands for the pool of the device.
class ThreadAllocator {
 public:
  explicit ThreadAllocator(std::shared_ptr<Allocator> allocator);
  ~ThreadAllocator();
  ThreadAllocator(const ThreadAllocator&) = delete;
  ThreadAllocator& operator=(const ThreadAllocator&) = delete;

  const std::shared_ptr<Allocator>& allocator() const { return allocator_; }

 private:
  std::shared_ptr<Allocator> allocator_;
  ThreadAllocator* outer_;
};

/// Pools of its own, one for every device, made when first asked for.
class PoolAllocator final : public Allocator {
 public:
  using Make = std::function<std::unique_ptr<Pool>(Backend& device)>;
  explicit PoolAllocator(Make make) : make_(std::move(make)) {}
  ~PoolAllocator() override;
  Ref<Buffer> allocate(Stream& stream, std::size_t nbytes) override;
  Pool& pool(Backend& device);

 private:
  const Make make_;
  std::mutex mutex_;
  std::unique_ptr<Pool> pools_[kMostDevices];
};

}  // namespace cuprum
