#include "backend/cuda/backend.h"
#include "backend/cuda/current.h"

namespace cuprum::cuda {

namespace {

// Those of CUDA 12.0, the oldest that the plug-in is built with.
// clang-format off
#define CUPRUM_DEVICE_ATTRIBUTES(X) \
  X(MaxThreadsPerBlock) X(MaxBlockDimX) X(MaxBlockDimY) X(MaxBlockDimZ) X(MaxGridDimX) X(MaxGridDimY)      \
  X(MaxGridDimZ) X(MaxSharedMemoryPerBlock) X(TotalConstantMemory) X(WarpSize) X(MaxPitch)                 \
  X(MaxRegistersPerBlock) X(ClockRate) X(TextureAlignment) X(GpuOverlap) X(MultiProcessorCount)            \
  X(KernelExecTimeout) X(Integrated) X(CanMapHostMemory) X(ComputeMode) X(MaxTexture1DWidth)               \
  X(MaxTexture2DWidth) X(MaxTexture2DHeight) X(MaxTexture3DWidth) X(MaxTexture3DHeight)                    \
  X(MaxTexture3DDepth) X(MaxTexture2DLayeredWidth) X(MaxTexture2DLayeredHeight)                            \
  X(MaxTexture2DLayeredLayers) X(SurfaceAlignment) X(ConcurrentKernels) X(EccEnabled) X(PciBusId)          \
  X(PciDeviceId) X(TccDriver) X(MemoryClockRate) X(GlobalMemoryBusWidth) X(L2CacheSize)                    \
  X(MaxThreadsPerMultiProcessor) X(AsyncEngineCount) X(UnifiedAddressing) X(MaxTexture1DLayeredWidth)      \
  X(MaxTexture1DLayeredLayers) X(MaxTexture2DGatherWidth) X(MaxTexture2DGatherHeight)                      \
  X(MaxTexture3DWidthAlt) X(MaxTexture3DHeightAlt) X(MaxTexture3DDepthAlt) X(PciDomainId)                  \
  X(TexturePitchAlignment) X(MaxTextureCubemapWidth) X(MaxTextureCubemapLayeredWidth)                      \
  X(MaxTextureCubemapLayeredLayers) X(MaxSurface1DWidth) X(MaxSurface2DWidth) X(MaxSurface2DHeight)        \
  X(MaxSurface3DWidth) X(MaxSurface3DHeight) X(MaxSurface3DDepth) X(MaxSurface1DLayeredWidth)              \
  X(MaxSurface1DLayeredLayers) X(MaxSurface2DLayeredWidth) X(MaxSurface2DLayeredHeight)                    \
  X(MaxSurface2DLayeredLayers) X(MaxSurfaceCubemapWidth) X(MaxSurfaceCubemapLayeredWidth)                  \
  X(MaxSurfaceCubemapLayeredLayers) X(MaxTexture1DLinearWidth) X(MaxTexture2DLinearWidth)                  \
  X(MaxTexture2DLinearHeight) X(MaxTexture2DLinearPitch) X(MaxTexture2DMipmappedWidth)                     \
  X(MaxTexture2DMipmappedHeight) X(ComputeCapabilityMajor) X(ComputeCapabilityMinor)                       \
  X(MaxTexture1DMipmappedWidth) X(StreamPrioritiesSupported) X(GlobalL1CacheSupported)                     \
  X(LocalL1CacheSupported) X(MaxSharedMemoryPerMultiprocessor) X(MaxRegistersPerMultiprocessor)            \
  X(ManagedMemory) X(IsMultiGpuBoard) X(MultiGpuBoardGroupID) X(HostNativeAtomicSupported)                 \
  X(SingleToDoublePrecisionPerfRatio) X(PageableMemoryAccess) X(ConcurrentManagedAccess)                   \
  X(ComputePreemptionSupported) X(CanUseHostPointerForRegisteredMem) X(CooperativeLaunch)                  \
  X(MaxSharedMemoryPerBlockOptin) X(CanFlushRemoteWrites) X(HostRegisterSupported)                         \
  X(PageableMemoryAccessUsesHostPageTables) X(DirectManagedMemAccessFromHost)                              \
  X(MaxBlocksPerMultiprocessor) X(MaxPersistingL2CacheSize) X(MaxAccessPolicyWindowSize)                   \
  X(ReservedSharedMemoryPerBlock) X(SparseCudaArraySupported) X(HostRegisterReadOnlySupported)             \
  X(TimelineSemaphoreInteropSupported) X(MemoryPoolsSupported) X(GPUDirectRDMASupported)                   \
  X(GPUDirectRDMAFlushWritesOptions) X(GPUDirectRDMAWritesOrdering) X(MemoryPoolSupportedHandleTypes)      \
  X(ClusterLaunch) X(DeferredMappingCudaArraySupported) X(IpcEventSupport) X(MemSyncDomainCount)
// clang-format on

struct Attribute {
  const char* name;
  cudaDeviceAttr which;
};

constexpr Attribute kAttributes[] = {
#define CUPRUM_ATTRIBUTE(name) {#name, cudaDevAttr##name},
    CUPRUM_DEVICE_ATTRIBUTES(CUPRUM_ATTRIBUTE)
#undef CUPRUM_ATTRIBUTE
};

}  // namespace

std::vector<std::pair<std::string, int>> CudaBackend::attributes() const {
  std::vector<std::pair<std::string, int>> list;
  refuse_after_fork();
  const Current current(facts_.device);
  for (const Attribute& a : kAttributes) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, a.which, facts_.device) == cudaSuccess)
      list.emplace_back(a.name, value);
    else
      cudaGetLastError();  // the driver does not know it
  }
  return list;
}

}  // namespace cuprum::cuda
