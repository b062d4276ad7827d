// Bytes between host and device.
//
// Pageable host memory goes through pinned memory, in lanes: each lane is a thread that copies one piece into (or out of) a
// slot of its own while the copy engine moves its other one. So the bus stays busy where one core's memcpy would not fill it,
// and fresh pages of the target are made by all threads at once, each in pages of its own. Pinned memory of the caller
// (cudaHostAlloc, cudaHostRegister) goes directly. When a call returns, the host memory is the caller's again; copies to the
// host wait for the backend's stream, copies to the device for nothing. The caller holds Context::handing, which is free while a
// transfer waits or copies on the host: other threads hand over their work, and small transfers of theirs overtake a large one.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/cuda/context.h"

namespace cuprum::cuda {

/// Can the copy engine read this host memory by itself?
bool is_pinned(const void* host);

/// Pinned memory for one large transfer.
class Staging {
 public:
  static constexpr std::size_t kPiece = std::size_t{2} << 20;  // a large page of the host
  static constexpr int kSlots = 2;                             // of a lane: one is copied while one is moved

  struct Slot {
    std::byte* data = nullptr;
    cudaEvent_t done = nullptr;  // the copy engine has finished with it
  };
  struct Lane {
    Slot slots[kSlots];
  };

  /// At least `lanes`; throws where pinned memory is refused.
  void prepare(std::size_t lanes);
  Lane& lane(std::size_t i) { return lanes_[i]; }

 private:
  std::vector<Lane> lanes_;
};

/// Those of a device that no transfer uses, so that there are never more than transfers at a time. The copy engine may still
/// read from one: whoever takes it waits for its events.
class StagingSets {
 public:
  std::unique_ptr<Staging> take();
  void give_back(std::unique_ptr<Staging> set);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Staging>> free_;
};

class Transfer {
 public:
  explicit Transfer(Context& context) : context_(context) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void to_host(void* to, const std::byte* from, std::size_t nbytes);
  void from_host(std::byte* to, const void* from, std::size_t nbytes);

 private:
  static constexpr std::size_t kSmall = std::size_t{64} << 10;

  void to_host_staged(void* to, const std::byte* from, std::size_t nbytes);
  void from_host_staged(std::byte* to, const void* from, std::size_t nbytes);
  void to_host_small(void* to, const std::byte* from, std::size_t nbytes);
  void to_host_direct(void* to, const std::byte* from, std::size_t nbytes);
  void move(Staging::Slot& slot, void* to, const void* from, std::size_t nbytes, cudaMemcpyKind kind);

  Context& context_;
  std::vector<std::byte*>
      small_;  // kSmall bytes each, pinned, in use by nobody; one for each thread that waits at a time
};

}  // namespace cuprum::cuda
