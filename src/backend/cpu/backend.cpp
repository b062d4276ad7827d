#include "backend/cpu/backend.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "backend/cpu/direct.h"
#include "backend/cpu/evaluator.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/matmul.h"
#include "backend/cpu/over_reads.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/reduce.h"
#include "backend/cpu/reduce_line.h"
#include "backend/cpu/row_program.h"
#include "backend/cpu/select.h"
#include "backend/cpu/system_memory.h"
#include "backend/cpu/threads.h"
#include "runtime/host_element.h"
#include "runtime/own_streams.h"

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

CpuBackend::CpuBackend(Backend* accelerator) : Backend(false, accelerator) {
  is_cpu = true;
  set_pool(std::make_unique<Pool>(accelerator ? nullptr : this));  // who observes knows the accelerator alone
}

DeviceInfo CpuBackend::info() const {
  if (accelerator) return accelerator->info();
  return {.description = processor_name() + ", " + std::to_string(num_threads()) + " threads",
          .memory_bytes = total_memory(),
          .free_bytes = std::min(total_memory(), available_memory())};
}

void CpuBackend::copy_to_host(Stream&, void* to, const std::byte* from, std::size_t nbytes) {
  copy_bytes(to, from, nbytes);
}
void CpuBackend::copy_from_host(Stream&, std::byte* to, const void* from, std::size_t nbytes) {
  copy_bytes(to, from, nbytes);
}

void CpuBackend::run(Stream&, const Kernel& kernel) {
  if (!kernel.stages.empty()) {
    run_stages(kernel);
  } else if (kernel.reductions.empty()) {
    const bool plain = has_plain_leaves(kernel);  // else the stores overlap nothing
    if (!plain || (!run_over_reads(kernel) && !run_direct(kernel))) run_elementwise(kernel);
  } else if (!reduce_line(kernel)) {
    run_reductions(kernel);
  }
}

bool CpuBackend::fuses(const Primitive& call, Operands in, dtype type) const {
  if (const auto* gather = std::get_if<Gather>(&call)) return gather->checked && in[1].type == dtype::int64;
  const auto* draw = std::get_if<Draw>(&call);
  return draw && knows_places(*draw, type, false);
}

Fault CpuBackend::call(Stream&, const Call& c) {
  return dispatch(c, [&](const auto& p, const auto& out) { return cpu::call(p, c.in, out); });
}
bool CpuBackend::call_both(Stream&, const Call& first, const Call& second) {
  return matmul_both(first, second);
}
bool CpuBackend::makes_operand(const Call& call, int i) const { return i == 0 && makes_matrix(call); }
void CpuBackend::call_making(Stream&, const Call& call, int, const Kernel& maker) {
  matmul_making(call, maker);
}

std::shared_ptr<const CountedMask> CpuBackend::count_true(Stream&, const View& mask) {
  return cpu::count_true(mask);
}

}  // namespace cpu

Backend& cpu_backend() { return cpu::the_backend(); }
Backend& make_cpu_side(Backend& accelerator) { return *new cpu::CpuBackend(&accelerator); }

ElementLoop element_loop(Op op, dtype key) {
  static const LoopTable& table = loops();
  return table.loop[static_cast<int>(op)][static_cast<int>(key)];
}

}  // namespace cuprum
