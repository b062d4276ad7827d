#include "backend/cuda/primitives/common/faults.h"

#include <new>

#include "runtime/late_errors.h"

namespace cuprum::cuda {

namespace {

/// For the kernels of all streams: the host waits.
void clear(Context& context, unsigned* claimed) {
  check(cudaMemsetAsync(claimed, 0, sizeof(unsigned), context.stream), "fault_record");
  check(cudaStreamSynchronize(context.stream), "fault_record");
}

/// As long as the backend, which is never destroyed.
FaultRecord* new_record(Context& context) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(FaultRecord), cudaHostAllocMapped | cudaHostAllocPortable),
        "fault_record");
  auto* record = new (memory) FaultRecord;
  check(cudaMalloc(reinterpret_cast<void**>(&record->claimed), sizeof(unsigned)), "fault_record");
  clear(context, record->claimed);
  return record;
}

bool has_fault(FaultRecord* record) { return *static_cast<volatile std::int32_t*>(&record->found) != 0; }

}  // namespace

FaultRecord* fault_record(Context& context, const Ref<Caller>& told) {
  const std::lock_guard guard(context.faults->mutex);
  return context.faults->records.of(told, [&](FaultRecord*& record) { record = new_record(context); });
}

void raise_late_fault(Context& context) {
  const std::lock_guard guard(context.faults->mutex);
  FaultRecord** told = context.faults->records.told_here(has_fault);
  if (!told) return;
  const FaultRecord fault = **told;
  (*told)->found = 0;
  clear(context, fault.claimed);
  if (fault.message) throw_late_matrix_error(fault.function, fault.message, fault.axis != 0, fault.value);
  throw_late_index_error(fault.function, fault.value, fault.axis, fault.extent);
}

}  // namespace cuprum::cuda
