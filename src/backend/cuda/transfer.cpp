#include "backend/cuda/transfer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "backend/cpu/threads.h"
#include "backend/cuda/current.h"

namespace cuprum::cuda {

namespace {

std::byte* pinned(std::size_t nbytes) {
  void* data = nullptr;
  check(cudaHostAlloc(&data, nbytes, cudaHostAllocPortable), "allocating pinned memory");
  return static_cast<std::byte*>(data);
}

/// How a transfer is cut: pieces that end where large pages of the host's memory end, so that no two lanes share one.
struct Cut {
  Cut(const void* host, std::size_t nbytes) : nbytes(nbytes) {
    const auto threads = static_cast<std::size_t>(cpu::num_threads());
    lanes = std::clamp<std::size_t>(nbytes / Staging::kPiece, 1, std::min(threads, kMostLanes));
    while (piece > kLeastPiece && nbytes < 2 * Staging::kSlots * lanes * piece) piece /= 2;
    shift = reinterpret_cast<std::uintptr_t>(host) % piece;
    pieces = (nbytes + shift + piece - 1) / piece;
  }
  std::size_t begin(std::size_t i) const { return i == 0 ? 0 : i * piece - shift; }
  std::size_t size(std::size_t i) const { return std::min((i + 1) * piece - shift, nbytes) - begin(i); }

  static constexpr std::size_t kLeastPiece = std::size_t{256} << 10;
  // 64 MiB of pinned memory. 1 GiB on 16 cores beside an H200, in ms (pinned memory: 19.5): with 2, 4, 8, 12, 16 lanes to the
  // device 69, 37, 21, 22, 22; to touched memory 76, 42, 24, 21, 22; to fresh pages 149, 84, 51, 39, 41.
  static constexpr std::size_t kMostLanes = 16;

  std::size_t nbytes, piece = Staging::kPiece, shift, pieces, lanes;
};

/// Calls `run(lane, first piece)` for each lane, on threads of the CPU backend.
template <class F>
void in_lanes(const Context& context, const Cut& cut, F&& run) {
  std::unique_ptr<Staging> staging = context.staging->take();
  staging->prepare(cut.lanes);
  cpu::parallel_for(static_cast<std::int64_t>(cut.lanes), [&](std::int64_t i) {
    const Current current(context.device);
    run(staging->lane(static_cast<std::size_t>(i)), static_cast<std::size_t>(i));
  });
  context.staging->give_back(std::move(staging));
}

void wait_for(const Staging::Slot& slot, const char* what) { check(cudaEventSynchronize(slot.done), what); }

}  // namespace

bool is_pinned(const void* host) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type == cudaMemoryTypeHost || attributes.type == cudaMemoryTypeManaged;
}

void Staging::prepare(std::size_t lanes) {
  while (lanes_.size() < lanes) {
    Lane lane;
    for (Slot& slot : lane.slots) {
      slot.data = pinned(kPiece);
      check(cudaEventCreateWithFlags(&slot.done, cudaEventDisableTiming), "cudaEventCreate");
    }
    lanes_.push_back(lane);
  }
}

std::unique_ptr<Staging> StagingSets::take() {
  const std::lock_guard guard(mutex_);
  if (free_.empty()) return std::make_unique<Staging>();
  std::unique_ptr<Staging> set = std::move(free_.back());
  free_.pop_back();
  return set;
}

void StagingSets::give_back(std::unique_ptr<Staging> set) {
  const std::lock_guard guard(mutex_);
  free_.push_back(std::move(set));
}

/// Lets the copy engine work on a slot: an event tells when it has finished.
void Transfer::move(Staging::Slot& slot, void* to, const void* from, std::size_t nbytes,
                    cudaMemcpyKind kind) {
  const std::lock_guard handing(context_.handing);
  check(cudaMemcpyAsync(to, from, nbytes, kind, context_.stream), "copying between host and device");
  check(cudaEventRecord(slot.done, context_.stream), "cudaEventRecord");
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
  const auto* source = static_cast<const std::byte*>(from);
  const Cut cut(from, nbytes);
  in_lanes(context_, cut, [&](Staging::Lane& lane, std::size_t first) {
    int turn = 0;
    for (std::size_t i = first; i < cut.pieces; i += cut.lanes) {
      Staging::Slot& slot = lane.slots[turn++ % Staging::kSlots];
      wait_for(slot, "copying to the device");  // an event never recorded is done
      std::memcpy(slot.data, source + cut.begin(i), cut.size(i));
      move(slot, to + cut.begin(i), slot.data, cut.size(i), cudaMemcpyHostToDevice);
    }
  });
}

void Transfer::to_host(void* to, const std::byte* from, std::size_t nbytes) {
  if (nbytes == 0) return;
  if (nbytes <= kSmall) return to_host_small(to, from, nbytes);
  if (is_pinned(to)) return to_host_direct(to, from, nbytes);
  to_host_staged(to, from, nbytes);
}

void Transfer::to_host_staged(void* to, const std::byte* from, std::size_t nbytes) {
  const Waiting others_hand_over(context_);
  auto* target = static_cast<std::byte*>(to);
  const Cut cut(to, nbytes);
  in_lanes(context_, cut, [&](Staging::Lane& lane, std::size_t first) {
    const auto start = [&](std::size_t i, Staging::Slot& slot) {
      if (i < cut.pieces) move(slot, slot.data, from + cut.begin(i), cut.size(i), cudaMemcpyDeviceToHost);
    };
    for (std::size_t turn = 0; turn < Staging::kSlots; ++turn) {
      wait_for(lane.slots[turn],
               "copying to the host");  // an earlier transfer was on another stream, perhaps
      start(first + turn * cut.lanes, lane.slots[turn]);
    }
    int turn = 0;
    for (std::size_t i = first; i < cut.pieces; i += cut.lanes) {
      Staging::Slot& slot = lane.slots[turn++ % Staging::kSlots];
      wait_for(slot, "copying to the host");
      std::memcpy(target + cut.begin(i), slot.data, cut.size(i));
      start(i + Staging::kSlots * cut.lanes, slot);
    }
  });
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
