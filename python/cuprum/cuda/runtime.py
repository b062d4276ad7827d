"""Functions of the CUDA runtime under their own names, by numbers of devices and handles of streams and events.

Devices without CUDA have them as well. A handle is what `ptr` of a stream or an event says; 0 is the null stream.
"""

from .. import _core
from .._core import CUDARuntimeError
from .._device import Device as _Device
from .._memory import numbered
from . import _runtime_memory
from ._runtime_memory import *
from ._runtime_memory import _integer, _stream
from .event import Event, get_elapsed_time
from .stream import Stream

__all__ = [
    "CUDARuntimeError", "deviceCanAccessPeer", "deviceEnablePeerAccess", "deviceGetByPCIBusId", "deviceGetPCIBusId",
    "deviceSynchronize", "driverGetVersion", "eventBlockingSync", "eventCreate", "eventCreateWithFlags",
    "eventDefault", "eventDestroy", "eventDisableTiming", "eventElapsedTime", "eventInterprocess", "eventQuery",
    "eventRecord", "eventSynchronize", "getDevice", "getDeviceCount", "getDeviceProperties", "is_hip",
    "launchHostFunc", "memGetInfo", "runtimeGetVersion", "setDevice", "streamCaptureModeGlobal",
    "streamCaptureModeRelaxed", "streamCaptureModeThreadLocal", "streamCreate", "streamCreateWithFlags",
    "streamCreateWithPriority", "streamDefault", "streamDestroy", "streamIsCapturing", "streamNonBlocking",
    "streamGetFlags", "streamGetPriority", "streamQuery", "streamSynchronize", "streamWaitEvent",
    *_runtime_memory.__all__,
]  # fmt: skip

is_hip = False
streamDefault, streamNonBlocking = 0, 1
streamCaptureModeGlobal, streamCaptureModeThreadLocal, streamCaptureModeRelaxed = 0, 1, 2
eventDefault, eventBlockingSync, eventDisableTiming, eventInterprocess = 0, 1, 2, 4

_NOT_READY = 600  # cudaErrorNotReady


def _device(number, function):
    return numbered(_integer(number, function, "device"))


# -- Versions and devices -------------------------------------------------------------------------------


def driverGetVersion():
    """The newest CUDA that the driver supports: 13000 for 13.0; 0 where CUDA cannot be used."""
    return _core.cuda_versions()[0]


def runtimeGetVersion():
    """The CUDA that the plug-in was built with: 13000 for 13.0; 0 where CUDA cannot be used."""
    return _core.cuda_versions()[1]


def getDeviceCount():
    """Number of CUDA devices; 0 where CUDA cannot be used."""
    return _core.cuda_device_count()


def getDevice():
    """The number of the current device."""
    return _Device().id


def setDevice(device):
    """New arrays of this thread live on CUDA device number `device` from now on."""
    _device(device, "setDevice").use()


def getDeviceProperties(device):
    """What is known of a device, under CUDA's names.

    >>> type(cp.cuda.runtime.getDeviceProperties(0)["name"])
    <class 'bytes'>
    """
    info = _core.device_info(_device(device, "getDeviceProperties").name)
    major, minor = divmod(info["compute_capability"], 10)
    return {
        "name": info["description"].encode(),
        "major": major,
        "minor": minor,
        "multiProcessorCount": info["multiprocessors"],
        "totalGlobalMem": info["memory"][1],
    }


def deviceSynchronize():
    """Waits for the current device."""
    _core.synchronize(_core.device_name())


def memGetInfo():
    """Free and total bytes of the current device."""
    return _Device().mem_info


def deviceGetPCIBusId(device):
    """Where CUDA device number `device` sits, as in '0000:3b:00.0'."""
    return _device(device, "deviceGetPCIBusId").pci_bus_id


def deviceGetByPCIBusId(pci_bus_id):
    """The number of the CUDA device that sits there."""
    return _Device.from_pci_bus_id(pci_bus_id).id


def deviceCanAccessPeer(device, peerDevice):
    """Has the hardware a way from one device to the other? 1 or 0."""
    devices = (_device(number, "deviceCanAccessPeer").name for number in (device, peerDevice))
    return int(_core.device_accesses(*devices))


def deviceEnablePeerAccess(peerDevice):
    """Copies between devices take the direct way by themselves; here one learns that there is none."""
    here, there = _core.device_name(), _device(peerDevice, "deviceEnablePeerAccess").name
    if not _core.device_accesses(here, there):
        raise CUDARuntimeError(
            f"cuprum.cuda.runtime.deviceEnablePeerAccess: {here} has no direct way to {there}; copies go through "
            "host memory (cudaErrorPeerAccessUnsupported)"
        )


# -- Streams --------------------------------------------------------------------------------------------

_made = {}  # by their handles: the streams and events that were made here


def _keep(made):
    _made[made.ptr] = made
    return made.ptr


def _found(handle, kind, function):
    """What was made here under that handle."""
    found = _made.get(_integer(handle, function, kind.__name__.lower()))
    if not isinstance(found, kind):
        raise CUDARuntimeError(
            f"cuprum.cuda.runtime.{function}: {handle} is the handle of no {kind.__name__} that was made here "
            "(cudaErrorInvalidResourceHandle)"
        )
    return found


def streamCreate():
    """A new stream of the current device: its handle.

    >>> stream = cp.cuda.runtime.streamCreate()
    >>> cp.cuda.runtime.streamSynchronize(stream)
    >>> cp.cuda.runtime.streamDestroy(stream)
    """
    return _keep(Stream())


def streamCreateWithFlags(flags):
    """The same; `streamNonBlocking` is a flag."""
    return streamCreateWithPriority(flags, None)


def streamCreateWithPriority(flags, priority):
    """The same with a priority: lower numbers go first."""
    flags = _integer(flags, "streamCreateWithPriority", "flags")
    return _keep(Stream(non_blocking=flags & streamNonBlocking, priority=priority))


def streamDestroy(stream):
    """Gives a stream back that was made here."""
    del _made[_found(stream, Stream, "streamDestroy").ptr]


def streamGetFlags(stream):
    """`streamDefault` or `streamNonBlocking`."""
    return streamNonBlocking if _stream(stream, "streamGetFlags").is_non_blocking else streamDefault


def streamGetPriority(stream):
    """The priority of a stream: lower numbers go first."""
    return _stream(stream, "streamGetPriority").priority


def streamSynchronize(stream):
    """Waits for all that a stream was given."""
    _stream(stream, "streamSynchronize").synchronize()


def streamQuery(stream):
    """0 where the stream has done all that it was given, else 600 (cudaErrorNotReady)."""
    return 0 if _stream(stream, "streamQuery").done else _NOT_READY


def streamWaitEvent(stream, event, flags=0):
    """What the stream is given from now on comes behind the event."""
    _stream(stream, "streamWaitEvent").wait_event(_found(event, Event, "streamWaitEvent"))


def streamIsCapturing(stream):
    """Does the stream keep its work in a graph?"""
    return _stream(stream, "streamIsCapturing").is_capturing()


def launchHostFunc(stream, callback, arg):
    """Calls `callback(arg)` behind all that the stream was given so far."""
    _stream(stream, "launchHostFunc").launch_host_func(callback, arg)


# -- Events ---------------------------------------------------------------------------------------------


def eventCreate():
    """A new event of the current device: its handle.

    >>> event = cp.cuda.runtime.eventCreate()
    >>> cp.cuda.runtime.eventRecord(event, 0)
    >>> cp.cuda.runtime.eventSynchronize(event)
    >>> cp.cuda.runtime.eventDestroy(event)
    """
    return _keep(Event())


def eventCreateWithFlags(flag):
    """The same; the flags are `eventBlockingSync`, `eventDisableTiming` and `eventInterprocess`."""
    flag = _integer(flag, "eventCreateWithFlags", "flag")
    return _keep(Event(flag & eventBlockingSync, flag & eventDisableTiming, flag & eventInterprocess))


def eventDestroy(event):
    """Gives an event back that was made here."""
    del _made[_found(event, Event, "eventDestroy").ptr]


def eventRecord(event, stream):
    """Marks the point behind all that the stream was given so far."""
    _found(event, Event, "eventRecord").record(_stream(stream, "eventRecord"))


def eventSynchronize(event):
    """Waits for the work before the event."""
    _found(event, Event, "eventSynchronize").synchronize()


def eventQuery(event):
    """0 where the work before the event is done, else 600 (cudaErrorNotReady)."""
    return 0 if _found(event, Event, "eventQuery").done else _NOT_READY


def eventElapsedTime(start, end):
    """Milliseconds between two recorded events."""
    return get_elapsed_time(_found(start, Event, "eventElapsedTime"), _found(end, Event, "eventElapsedTime"))
