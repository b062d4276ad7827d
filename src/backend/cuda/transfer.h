// Bytes between host and device.
//
// Pageable host memory goes through pinned buffers: several threads copy into (or out of) one chunk while the copy engine
// moves the others, which keeps the bus busy where one core's memcpy would not. Pinned memory of the caller
// (cudaHostAlloc, cudaHostRegister) goes directly. When a call returns, the host memory is the caller's again; copies to the
// host wait for the backend's stream, copies to the device for nothing. The caller holds Context::handing, which is free while a
// transfer waits or copies on the host: other threads hand over their work, and small transfers of theirs overtake a large one.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "backend/cuda/context.h"

namespace cuprum::cuda {

/// Can the copy engine read this host memory by itself?
bool is_pinned(const void* host);

class Transfer {
 public:
  explicit Transfer(Context& context) : context_(context) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void to_host(void* to, const std::byte* from, std::size_t nbytes);
  void from_host(std::byte* to, const void* from, std::size_t nbytes);

 private:
  static constexpr std::size_t kSmall = std::size_t{64} << 10;
  static constexpr std::size_t kChunk = std::size_t{4} << 20;
  static constexpr int kSlots = 4;  // 16 MiB of pinned memory, taken by the first large transfer

  struct Slot {
    std::byte* data = nullptr;
    cudaEvent_t done = nullptr;  // the copy engine has finished with it
  };

  void prepare();
  void to_host_staged(void* to, const std::byte* from, std::size_t nbytes);
  void from_host_staged(std::byte* to, const void* from, std::size_t nbytes);
  void to_host_small(void* to, const std::byte* from, std::size_t nbytes);
  void to_host_direct(void* to, const std::byte* from, std::size_t nbytes);
  void start_chunk(const std::byte* from, std::size_t nbytes, std::size_t chunk);

  Context& context_;
  std::vector<std::byte*>
      small_;         // kSmall bytes each, pinned, in use by nobody; one for each thread that waits at a time
  std::mutex large_;  // one large transfer at a time has the slots; taken without Context::handing
  Slot slots_[kSlots];
  bool prepared_ = false;
};

}  // namespace cuprum::cuda
