#include "backend/cuda/primitives/faults.h"

#include <new>
#include <string>

#include "cuprum/error.h"

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
  throw IndexError("index " + std::to_string(fault.value) + " is out of bounds for axis " +
                   std::to_string(fault.axis) + " with size " + std::to_string(fault.extent) + " (in " +
                   fault.function + ", found by the device; CUPRUM_DEBUG=1 raises this at the call)");
}

}  // namespace cuprum::cuda
