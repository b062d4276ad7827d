// DLPack: tensors that libraries hand to each other without a copy, in the versioned protocol (1.x) and the one before it.
//
// The structures are those of the DLPack standard. An exported tensor keeps the storage alive and pinned; an imported one is
// released when the last view of it has gone.
#pragma once

#include <cstdint>

#include "expr/array.h"

namespace cuprum::ops {

inline constexpr int kDlHost = 1, kDlCuda = 2, kDlPinnedHost = 3;  // kDLCPU, kDLCUDA, kDLCUDAHost
inline constexpr std::uint64_t kDlReadOnly = 1, kDlCopied = 2;

struct DlDevice {
  std::int32_t type;
  std::int32_t id;
};
struct DlDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t ndim;
  DlDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // elements; null: C order
  std::uint64_t byte_offset;
};
struct DlLegacy {  // DLManagedTensor
  DlTensor tensor;
  void* context;
  void (*deleter)(DlLegacy*);
};
struct DlVersioned {  // DLManagedTensorVersioned
  struct {
    std::uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(DlVersioned*);
  std::uint64_t flags;
  DlTensor tensor;
};

/// Where the memory of a backend is in DLPack's terms; type 0: nowhere that others could reach.
DlDevice dl_device(const Backend& backend);
/// The backend that can use memory of a DLPack device: `current` if it can.
Backend& dl_backend(const DlDevice& device, Backend& current, const char* function);

/// Throws BufferError for strides that are not whole elements, which DLPack counts.
void check_dl_strides(const Array& a);

/// The consumer's stream waits for ours: it may read at once. 0 and 1: CUDA's default stream; -1: it waits itself. Returns
/// the consumer for export_tensor.
std::int64_t hand_to_consumer(const Array& a, std::int64_t consumer);

/// The array as a tensor, which its deleter frees. `consumer`: the stream that it is given to, -1 for none.
template <class Managed>
Managed* export_tensor(const Array& a, std::uint64_t flags, std::int64_t consumer);

/// An array over the tensor's memory, on `current` if that can use it; `release(tensor)` is called when the last view of it has gone. Throws BufferError
/// before anything is taken.
template <class Managed>
Array import_tensor(Managed* managed, Backend& current, const char* function, void (*release)(void*));

extern template DlLegacy* export_tensor(const Array&, std::uint64_t, std::int64_t);
extern template DlVersioned* export_tensor(const Array&, std::uint64_t, std::int64_t);
extern template Array import_tensor(DlLegacy*, Backend&, const char*, void (*)(void*));
extern template Array import_tensor(DlVersioned*, Backend&, const char*, void (*)(void*));

}  // namespace cuprum::ops
