#include "backend/cuda/primitives/faults.h"

#include <new>

namespace cuprum::cuda {

FaultRecord* fault_record(Context& context) {
  if (!context.fault) {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, sizeof(FaultRecord), cudaHostAllocMapped | cudaHostAllocPortable),
          "fault_record");
    auto* record = new (memory) FaultRecord;  // as long as the backend, which is never destroyed
    check(cudaMalloc(reinterpret_cast<void**>(&record->claimed), sizeof(unsigned)), "fault_record");
    check(cudaMemsetAsync(record->claimed, 0, sizeof(unsigned), context.stream), "fault_record");
    context.fault = record;
  }
  return context.fault;
}

void raise_index_fault(Context& context) {
  if (!context.fault || *static_cast<volatile std::int32_t*>(&context.fault->found) == 0) return;
  const FaultRecord fault = *context.fault;
  context.fault->found = 0;
  check(cudaMemsetAsync(fault.claimed, 0, sizeof(unsigned), context.stream), "fault_record");
  throw_late_index_error(fault.function, fault.value, fault.axis, fault.extent);
}

}  // namespace cuprum::cuda
