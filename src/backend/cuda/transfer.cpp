#include "backend/cuda/transfer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "backend/cpu/threads.h"

namespace cuprum::cuda {

namespace {

std::byte* pinned(std::size_t nbytes) {
  void* data = nullptr;
  check(cudaHostAlloc(&data, nbytes, cudaHostAllocPortable), "allocating pinned memory");
  return static_cast<std::byte*>(data);
}

/// memcpy by several threads: fresh pages of the target are touched by all of them, and one core copies at 10 GB/s where
/// the bus takes 50.
void copy_parallel(void* to, const void* from, std::size_t nbytes) {
  constexpr std::size_t kPiece = std::size_t{512} << 10;
  const std::size_t pieces = (nbytes + kPiece - 1) / kPiece;
  cpu::parallel_for(static_cast<std::int64_t>(pieces), [&](std::int64_t i) {
    const std::size_t begin = static_cast<std::size_t>(i) * kPiece;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                std::min(kPiece, nbytes - begin));
  });
}

}  // namespace

bool is_pinned(const void* host) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost || attributes.type == cudaMemoryTypeManaged;
}

void Transfer::prepare() {
  if (prepared_) return;
  for (Slot& slot : slots_) {
    if (!slot.data) slot.data = pinned(kChunk);
    if (!slot.done) check(cudaEventCreateWithFlags(&slot.done, cudaEventDisableTiming), "cudaEventCreate");
  }
  prepared_ = true;
}

void Transfer::from_host(std::byte* to, const void* from, std::size_t nbytes) {
  if (nbytes == 0) return;
  const bool direct = is_pinned(from);
  if (nbytes > kSmall && !direct) return from_host_staged(to, from, nbytes);
  // From pageable memory the driver takes its own copy before it returns; from pinned memory it does not.
  check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyHostToDevice, context_.stream), "copying to the device");
  if (direct) wait_for_stream(context_, "copying to the device");
}

void Transfer::from_host_staged(std::byte* to, const void* from, std::size_t nbytes) {
  const Waiting others_hand_over(context_);
  const std::lock_guard one_at_a_time(large_);
  prepare();
  const auto* source = static_cast<const std::byte*>(from);
  for (std::size_t begin = 0, chunk = 0; begin < nbytes; begin += kChunk, ++chunk) {
    Slot& slot = slots_[chunk % kSlots];
    const std::size_t size = std::min(kChunk, nbytes - begin);
    check(cudaEventSynchronize(slot.done), "copying to the device");  // an event never recorded is done
    copy_parallel(slot.data, source + begin, size);
    const std::lock_guard handing(context_.handing);
    check(cudaMemcpyAsync(to + begin, slot.data, size, cudaMemcpyHostToDevice, context_.stream),
          "copying to the device");
    check(cudaEventRecord(slot.done, context_.stream), "cudaEventRecord");
  }
}

void Transfer::to_host(void* to, const std::byte* from, std::size_t nbytes) {
  if (nbytes == 0) return;
  if (nbytes <= kSmall) return to_host_small(to, from, nbytes);
  if (is_pinned(to)) return to_host_direct(to, from, nbytes);
  to_host_staged(to, from, nbytes);
}

void Transfer::to_host_staged(void* to, const std::byte* from, std::size_t nbytes) {
  const Waiting others_hand_over(context_);
  const std::lock_guard one_at_a_time(large_);
  prepare();
  auto* target = static_cast<std::byte*>(to);
  const std::size_t chunks = (nbytes + kChunk - 1) / kChunk;
  for (std::size_t chunk = 0; chunk < std::min<std::size_t>(chunks, kSlots); ++chunk)
    start_chunk(from, nbytes, chunk);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const Slot& slot = slots_[chunk % kSlots];
    const std::size_t begin = chunk * kChunk;
    check(cudaEventSynchronize(slot.done), "copying to the host");
    copy_parallel(target + begin, slot.data, std::min(kChunk, nbytes - begin));
    if (chunk + kSlots < chunks) start_chunk(from, nbytes, chunk + kSlots);
  }
}

/// Lets the copy engine fill the slot of a chunk. The stream orders it behind an earlier transfer from the same slot.
void Transfer::start_chunk(const std::byte* from, std::size_t nbytes, std::size_t chunk) {
  Slot& slot = slots_[chunk % kSlots];
  const std::size_t begin = chunk * kChunk;
  const std::lock_guard handing(context_.handing);
  check(cudaMemcpyAsync(slot.data, from + begin, std::min(kChunk, nbytes - begin), cudaMemcpyDeviceToHost,
                        context_.stream),
        "copying to the host");
  check(cudaEventRecord(slot.done, context_.stream), "cudaEventRecord");
}

/// A value or a few: through pinned memory, because a copy into pageable memory makes the driver stage it.
void Transfer::to_host_small(void* to, const std::byte* from, std::size_t nbytes) {
  if (small_.empty()) small_.push_back(pinned(kSmall));
  std::byte* const staged = small_.back();
  small_.pop_back();
  check(cudaMemcpyAsync(staged, from, nbytes, cudaMemcpyDeviceToHost, context_.stream),
        "copying to the host");
  wait_for_stream(context_, "copying to the host");
  std::memcpy(to, staged, nbytes);
  small_.push_back(staged);  // lost where an error has come before: then the device is
}

void Transfer::to_host_direct(void* to, const std::byte* from, std::size_t nbytes) {
  check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyDeviceToHost, context_.stream), "copying to the host");
  wait_for_stream(context_, "copying to the host");
}

}  // namespace cuprum::cuda
