#include "backend/cpu/backend.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>

#include "backend/cpu/arange.h"
#include "backend/cpu/direct.h"
#include "backend/cpu/evaluator.h"
#include "backend/cpu/gather.h"
#include "backend/cpu/interpolate.h"
#include "backend/cpu/matmul.h"
#include "backend/cpu/partition.h"
#include "backend/cpu/reduce.h"
#include "backend/cpu/repeat.h"
#include "backend/cpu/scan.h"
#include "backend/cpu/searchsorted.h"
#include "backend/cpu/select.h"
#include "backend/cpu/sliding_dot.h"
#include "backend/cpu/sort.h"
#include "backend/cpu/system_memory.h"
#include "backend/cpu/threads.h"

namespace cuprum {

namespace cpu {

namespace {

/// memcpy by several threads: one core cannot fill the memory bus of a larger machine.
void copy_bytes(void* to, const void* from, std::size_t nbytes) {
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  if (nbytes <= 2 * kPiece) {
    if (nbytes != 0) std::memcpy(to, from, nbytes);
    return;
  }
  parallel_for(static_cast<std::int64_t>((nbytes + kPiece - 1) / kPiece), [&](std::int64_t i) {
    const std::size_t begin = static_cast<std::size_t>(i) * kPiece;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                std::min(kPiece, nbytes - begin));
  });
}

CpuBackend& the_backend() {
  static CpuBackend* const backend =
      new CpuBackend;  // never destroyed: buffers may outlive static destructors
  return *backend;
}

}  // namespace

CpuBackend::CpuBackend() {
  pthread_atfork([] { the_backend().pool_.lock_for_fork(); }, [] { the_backend().pool_.unlock_after_fork(); },
                 [] { the_backend().pool_.unlock_after_fork(); });
}

DeviceInfo CpuBackend::info() const {
  return {.description = processor_name() + ", " + std::to_string(num_threads()) + " threads",
          .memory_bytes = total_memory(),
          .free_bytes = std::min(total_memory(), available_memory())};
}

Ref<Buffer> CpuBackend::allocate(std::size_t nbytes) {
  std::byte* data = pool_.allocate(nbytes);
  return make_ref<Buffer>(this, data, nbytes);
}
void CpuBackend::free(std::byte* data, std::size_t nbytes) noexcept { pool_.free(data, nbytes); }
MemoryStats CpuBackend::memory_stats() const { return pool_.stats(); }
void CpuBackend::reset_peak() { pool_.reset_peak(); }
void CpuBackend::free_all_blocks() { pool_.free_all_blocks(); }
void CpuBackend::set_memory_limit(std::size_t nbytes) { pool_.set_limit(nbytes); }

void CpuBackend::copy_to_host(void* to, const std::byte* from, std::size_t nbytes) {
  copy_bytes(to, from, nbytes);
}
void CpuBackend::copy_from_host(std::byte* to, const void* from, std::size_t nbytes) {
  copy_bytes(to, from, nbytes);
}

void CpuBackend::run(const Kernel& kernel) {
  if (kernel.reductions.empty()) {
    if (!run_direct(kernel)) run_elementwise(kernel);
  } else {
    run_reductions(kernel);
  }
  for (const Kernel& epilogue : kernel.epilogue) run_elementwise(epilogue);
}

void CpuBackend::scan(ScanOp op, Op fold, const View& in, const View& out) { cpu::scan(op, fold, in, out); }
void CpuBackend::sort(const View& in, const View& out) { cpu::sort(in, out); }
void CpuBackend::argsort(const View& in, const View& out) { cpu::argsort(in, out); }
void CpuBackend::partition(const View& in, const Dims& kth, const View& out) { cpu::partition(in, kth, out); }
void CpuBackend::searchsorted(const View& row, const View& values, bool right, const View& out) {
  cpu::searchsorted(row, values, right, out);
}
void CpuBackend::is_among(const View& row, const View& values, const View& out) {
  cpu::is_among(row, values, out);
}
void CpuBackend::count_between(const View& edges, const View& values, const View& out) {
  cpu::count_between(edges, values, out);
}
std::unique_ptr<const CountedMask> CpuBackend::count_true(const View& mask) { return cpu::count_true(mask); }
void CpuBackend::select(const View& in, const CountedMask& mask, const View& out) {
  cpu::select(in, mask, out);
}
void CpuBackend::nonzero(const CountedMask& mask, const View& out) { cpu::nonzero(mask, out); }
void CpuBackend::masked_assign(const View& to, const CountedMask& mask, const View& from) {
  cpu::masked_assign(to, mask, from);
}
void CpuBackend::masked_fill(const View& to, const View& mask, const View& value) {
  cpu::masked_fill(to, mask, value);
}
IndexFault CpuBackend::gather(const View& from, const std::vector<View>& index, const View& out,
                              const IndexSite&) {
  return cpu::gather(from, index, out);
}
IndexFault CpuBackend::scatter(const View& to, const std::vector<View>& index, const View& from,
                               const IndexSite&) {
  return cpu::scatter(to, index, from);
}
IndexFault CpuBackend::scatter_fold(Op op, dtype key, const View& to, const std::vector<View>& index,
                                    const View& from, const IndexSite&) {
  return cpu::scatter_fold(op, key, to, index, from);
}
void CpuBackend::repeat(const View& in, const View& ends, const View& out) { cpu::repeat(in, ends, out); }
void CpuBackend::matmul(const View& a, const View& b, const View& out) { cpu::matmul(a, b, out); }
void CpuBackend::sliding_dot(const View& a, const View& v, std::int64_t left, const View& out) {
  cpu::sliding_dot(a, v, left, out);
}
void CpuBackend::interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                             const View& out) {
  cpu::interpolate(x, xp, fp, ends, reciprocal, out);
}
void CpuBackend::arange(const View& out, const Scalar& start, const Scalar& step) {
  cpu::arange(out, start, step);
}

}  // namespace cpu

Backend& cpu_backend() { return cpu::the_backend(); }

}  // namespace cuprum
