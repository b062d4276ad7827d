# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import Device, _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc

__all__: list[str]

class CUDARuntimeError(RuntimeError):
    ...
def deviceCanAccessPeer(device: str | Device | int | None, peerDevice: Any) -> int: ...
def deviceEnablePeerAccess(peerDevice: Any) -> None: ...
def deviceGetByPCIBusId(pci_bus_id: Any) -> int: ...
def deviceGetPCIBusId(device: str | Device | int | None) -> str: ...
def deviceSynchronize() -> None: ...
def driverGetVersion() -> int: ...
eventBlockingSync: int
def eventCreate() -> int: ...
def eventCreateWithFlags(flag: Any) -> int: ...
eventDefault: int
def eventDestroy(event: Any) -> None: ...
eventDisableTiming: int
def eventElapsedTime(start: _ArrayLike, end: Any) -> float: ...
eventInterprocess: int
def eventQuery(event: Any) -> int: ...
def eventRecord(event: Any, stream: Any) -> None: ...
def eventSynchronize(event: Any) -> None: ...
def getDevice() -> int: ...
def getDeviceCount() -> int: ...
def getDeviceProperties(device: str | Device | int | None) -> dict[str, Any]: ...
is_hip: bool
def launchHostFunc(stream: Any, callback: Any, arg: Any) -> None: ...
def memGetInfo() -> tuple[int, int]: ...
def runtimeGetVersion() -> int: ...
def setDevice(device: str | Device | int | None) -> None: ...
streamCaptureModeGlobal: int
streamCaptureModeRelaxed: int
streamCaptureModeThreadLocal: int
def streamCreate() -> int: ...
def streamCreateWithFlags(flags: Any) -> int: ...
def streamCreateWithPriority(flags: Any, priority: Any) -> int: ...
streamDefault: int
def streamDestroy(stream: Any) -> None: ...
def streamIsCapturing(stream: Any) -> _bool: ...
streamNonBlocking: int
def streamGetFlags(stream: Any) -> ndarray: ...
def streamGetPriority(stream: Any) -> ndarray: ...
def streamQuery(stream: Any) -> int: ...
def streamSynchronize(stream: Any) -> None: ...
def streamWaitEvent(stream: Any, event: Any, flags: SupportsIndex | Any = ...) -> None: ...
class PointerAttributes:
    def __init__(self, device: str | Device | int | None, devicePointer: Any, hostPointer: Any, type: Any) -> None: ...
def deviceGetAttribute(attrib: Any, device: str | Device | int | None) -> ndarray: ...
def free(ptr: Any) -> ndarray: ...
def freeAsync(ptr: Any, stream: Any) -> ndarray: ...
def freeHost(ptr: Any) -> ndarray: ...
def hostAlloc(size: Any, flags: Any) -> ndarray: ...
hostAllocDefault: int
hostAllocMapped: int
hostAllocPortable: int
hostAllocWriteCombined: int
def malloc(size: Any) -> ndarray: ...
def mallocAsync(size: Any, stream: Any) -> ndarray: ...
def mallocManaged(size: Any, flags: SupportsIndex | Any = ...) -> ndarray: ...
def memAdvise(devPtr: Any, count: Any, advice: Any, device: str | Device | int | None) -> ndarray: ...
memAttachGlobal: int
memAttachHost: int
def memPrefetchAsync(devPtr: Any, count: Any, dstDevice: Any, stream: Any) -> ndarray: ...
def memcpy(dst: ndarray, src: _ArrayLike, size: Any, kind: Any) -> ndarray: ...
def memcpyAsync(dst: ndarray, src: _ArrayLike, size: Any, kind: Any, stream: Any) -> ndarray: ...
memcpyDefault: int
memcpyDeviceToDevice: int
memcpyDeviceToHost: int
memcpyHostToDevice: int
memcpyHostToHost: int
def memcpyPeer(dst: ndarray, dstDevice: Any, src: _ArrayLike, srcDevice: Any, size: Any) -> ndarray: ...
def memcpyPeerAsync(dst: ndarray, dstDevice: Any, src: _ArrayLike, srcDevice: Any, size: Any, stream: Any) -> ndarray: ...
memoryTypeDevice: int
memoryTypeHost: int
memoryTypeManaged: int
memoryTypeUnregistered: int
def memset(ptr: Any, value: _ArrayLike, size: Any) -> ndarray: ...
def memsetAsync(ptr: Any, value: _ArrayLike, size: Any, stream: Any) -> ndarray: ...
def pointerGetAttributes(ptr: Any) -> ndarray: ...
def pointerGetMemoryType(ptr: Any) -> ndarray: ...
cudaDevAttrMaxThreadsPerBlock: int
cudaDevAttrMaxBlockDimX: int
cudaDevAttrMaxBlockDimY: int
cudaDevAttrMaxBlockDimZ: int
cudaDevAttrMaxGridDimX: int
cudaDevAttrMaxGridDimY: int
cudaDevAttrMaxGridDimZ: int
cudaDevAttrMaxSharedMemoryPerBlock: int
cudaDevAttrTotalConstantMemory: int
cudaDevAttrWarpSize: int
cudaDevAttrMaxPitch: int
cudaDevAttrMaxRegistersPerBlock: int
cudaDevAttrClockRate: int
cudaDevAttrTextureAlignment: int
cudaDevAttrGpuOverlap: int
cudaDevAttrMultiProcessorCount: int
cudaDevAttrKernelExecTimeout: int
cudaDevAttrIntegrated: int
cudaDevAttrCanMapHostMemory: int
cudaDevAttrComputeMode: int
cudaDevAttrMaxTexture1DWidth: int
cudaDevAttrMaxTexture2DWidth: int
cudaDevAttrMaxTexture2DHeight: int
cudaDevAttrMaxTexture3DWidth: int
cudaDevAttrMaxTexture3DHeight: int
cudaDevAttrMaxTexture3DDepth: int
cudaDevAttrMaxTexture2DLayeredWidth: int
cudaDevAttrMaxTexture2DLayeredHeight: int
cudaDevAttrMaxTexture2DLayeredLayers: int
cudaDevAttrSurfaceAlignment: int
cudaDevAttrConcurrentKernels: int
cudaDevAttrEccEnabled: int
cudaDevAttrPciBusId: int
cudaDevAttrPciDeviceId: int
cudaDevAttrTccDriver: int
cudaDevAttrMemoryClockRate: int
cudaDevAttrGlobalMemoryBusWidth: int
cudaDevAttrL2CacheSize: int
cudaDevAttrMaxThreadsPerMultiProcessor: int
cudaDevAttrAsyncEngineCount: int
cudaDevAttrUnifiedAddressing: int
cudaDevAttrMaxTexture1DLayeredWidth: int
cudaDevAttrMaxTexture1DLayeredLayers: int
cudaDevAttrMaxTexture2DGatherWidth: int
cudaDevAttrMaxTexture2DGatherHeight: int
cudaDevAttrMaxTexture3DWidthAlt: int
cudaDevAttrMaxTexture3DHeightAlt: int
cudaDevAttrMaxTexture3DDepthAlt: int
cudaDevAttrPciDomainId: int
cudaDevAttrTexturePitchAlignment: int
cudaDevAttrMaxTextureCubemapWidth: int
cudaDevAttrMaxTextureCubemapLayeredWidth: int
cudaDevAttrMaxTextureCubemapLayeredLayers: int
cudaDevAttrMaxSurface1DWidth: int
cudaDevAttrMaxSurface2DWidth: int
cudaDevAttrMaxSurface2DHeight: int
cudaDevAttrMaxSurface3DWidth: int
cudaDevAttrMaxSurface3DHeight: int
cudaDevAttrMaxSurface3DDepth: int
cudaDevAttrMaxSurface1DLayeredWidth: int
cudaDevAttrMaxSurface1DLayeredLayers: int
cudaDevAttrMaxSurface2DLayeredWidth: int
cudaDevAttrMaxSurface2DLayeredHeight: int
cudaDevAttrMaxSurface2DLayeredLayers: int
cudaDevAttrMaxSurfaceCubemapWidth: int
cudaDevAttrMaxSurfaceCubemapLayeredWidth: int
cudaDevAttrMaxSurfaceCubemapLayeredLayers: int
cudaDevAttrMaxTexture1DLinearWidth: int
cudaDevAttrMaxTexture2DLinearWidth: int
cudaDevAttrMaxTexture2DLinearHeight: int
cudaDevAttrMaxTexture2DLinearPitch: int
cudaDevAttrMaxTexture2DMipmappedWidth: int
cudaDevAttrMaxTexture2DMipmappedHeight: int
cudaDevAttrComputeCapabilityMajor: int
cudaDevAttrComputeCapabilityMinor: int
cudaDevAttrMaxTexture1DMipmappedWidth: int
cudaDevAttrStreamPrioritiesSupported: int
cudaDevAttrGlobalL1CacheSupported: int
cudaDevAttrLocalL1CacheSupported: int
cudaDevAttrMaxSharedMemoryPerMultiprocessor: int
cudaDevAttrMaxRegistersPerMultiprocessor: int
cudaDevAttrManagedMemory: int
cudaDevAttrIsMultiGpuBoard: int
cudaDevAttrMultiGpuBoardGroupID: int
cudaDevAttrHostNativeAtomicSupported: int
cudaDevAttrSingleToDoublePrecisionPerfRatio: int
cudaDevAttrPageableMemoryAccess: int
cudaDevAttrConcurrentManagedAccess: int
cudaDevAttrComputePreemptionSupported: int
cudaDevAttrCanUseHostPointerForRegisteredMem: int
cudaDevAttrCooperativeLaunch: int
cudaDevAttrMaxSharedMemoryPerBlockOptin: int
cudaDevAttrCanFlushRemoteWrites: int
cudaDevAttrHostRegisterSupported: int
cudaDevAttrPageableMemoryAccessUsesHostPageTables: int
cudaDevAttrDirectManagedMemAccessFromHost: int
cudaDevAttrMaxBlocksPerMultiprocessor: int
cudaDevAttrMaxPersistingL2CacheSize: int
cudaDevAttrMaxAccessPolicyWindowSize: int
cudaDevAttrReservedSharedMemoryPerBlock: int
cudaDevAttrSparseCudaArraySupported: int
cudaDevAttrHostRegisterReadOnlySupported: int
cudaDevAttrTimelineSemaphoreInteropSupported: int
cudaDevAttrMemoryPoolsSupported: int
cudaDevAttrGPUDirectRDMASupported: int
cudaDevAttrGPUDirectRDMAFlushWritesOptions: int
cudaDevAttrGPUDirectRDMAWritesOrdering: int
cudaDevAttrMemoryPoolSupportedHandleTypes: int
cudaDevAttrClusterLaunch: int
cudaDevAttrDeferredMappingCudaArraySupported: int
cudaDevAttrIpcEventSupport: int
cudaDevAttrMemSyncDomainCount: int
