// The CPU as a device: memory from a pool, fused kernels on all cores, and the primitives that do not fuse.
#pragma once

#include "runtime/backend.h"
#include "runtime/over_reads.h"

namespace cuprum::cpu {

// The forms of the primitives, each in the file of its family.
#define CUPRUM_FORM(P) Answer<P> call(const P& p, Operands in, Results<P> out);
CUPRUM_PRIMITIVES(CUPRUM_FORM)
#undef CUPRUM_FORM

class CpuBackend final : public Backend, public WritesOverReads {
 public:
  explicit CpuBackend(Backend* accelerator = nullptr);

  const char* name() const override { return accelerator ? accelerator->name() : "cpu"; }
  DeviceInfo info() const override;

  bool host_accessible() const override { return true; }
  void copy_to_host(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) override;
  void copy_from_host(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) override;

  void run(Stream& stream, const Kernel& kernel) override;
  bool fuses(const Primitive& call, Operands in, dtype type) const override;
  std::string tier(const Kernel&) const override { return "cpu"; }

  Fault call(Stream& stream, const Call& call) override;
  bool call_both(Stream& stream, const Call& first, const Call& second) override;
  bool makes_operand(const Call& call, int i) const override;
  void call_making(Stream& stream, const Call& call, int i, const Kernel& maker) override;
  std::shared_ptr<const CountedMask> count_true(Stream& stream, const View& mask) override;
  FftPlanCache& fft_plans() override;
};

}  // namespace cuprum::cpu
