# Made by tools/make_stubs.py from the signatures of the package.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from cuprum import _ArrayLike, _Axis, _DType, _Shape, ndarray, ufunc
from cuprum import MemoryPool as MemoryPool
from cuprum import OutOfMemoryError as OutOfMemoryError
from cuprum.cuda import compiler as compiler
from cuprum.cuda import driver as driver
from cuprum.cuda import memory_hooks as memory_hooks
from cuprum.cuda import runtime as runtime
from cuprum.cuda.device import Device as Device
from cuprum.cuda.device import from_pointer as from_pointer
from cuprum.cuda.device import get_compute_capability as get_compute_capability
from cuprum.cuda.device import get_device_id as get_device_id
from cuprum.cuda.event import Event as Event
from cuprum.cuda.event import get_elapsed_time as get_elapsed_time
from cuprum.cuda.function import Function as Function
from cuprum.cuda.function import Module as Module
from cuprum.cuda.graph import Graph as Graph
from cuprum.cuda.memory import BaseMemory as BaseMemory
from cuprum.cuda.memory import CFunctionAllocator as CFunctionAllocator
from cuprum.cuda.memory import ManagedMemory as ManagedMemory
from cuprum.cuda.memory import Memory as Memory
from cuprum.cuda.memory import MemoryAsync as MemoryAsync
from cuprum.cuda.memory import MemoryAsyncPool as MemoryAsyncPool
from cuprum.cuda.memory import MemoryPointer as MemoryPointer
from cuprum.cuda.memory import PooledMemory as PooledMemory
from cuprum.cuda.memory import PythonFunctionAllocator as PythonFunctionAllocator
from cuprum.cuda.memory import UnownedMemory as UnownedMemory
from cuprum.cuda.memory import alloc as alloc
from cuprum.cuda.memory import get_allocator as get_allocator
from cuprum.cuda.memory import get_spill as get_spill
from cuprum.cuda.memory import malloc_async as malloc_async
from cuprum.cuda.memory import malloc_managed as malloc_managed
from cuprum.cuda.memory import set_allocator as set_allocator
from cuprum.cuda.memory import set_spill as set_spill
from cuprum.cuda.memory import spill_stats as spill_stats
from cuprum.cuda.memory import using_allocator as using_allocator
from cuprum.cuda.memory_hook import MemoryHook as MemoryHook
from cuprum.cuda.pinned_memory import PinnedMemory as PinnedMemory
from cuprum.cuda.pinned_memory import PinnedMemoryPointer as PinnedMemoryPointer
from cuprum.cuda.pinned_memory import PinnedMemoryPool as PinnedMemoryPool
from cuprum.cuda.pinned_memory import alloc_pinned_memory as alloc_pinned_memory
from cuprum.cuda.pinned_memory import set_pinned_memory_allocator as set_pinned_memory_allocator
from cuprum.cuda.stream import ExternalStream as ExternalStream
from cuprum.cuda.stream import Stream as Stream
from cuprum.cuda.stream import get_current_stream as get_current_stream
from cuprum.cuda.stream import is_ptds_enabled as is_ptds_enabled

__all__: list[str]

def get_local_runtime_version() -> int: ...
def is_available() -> _bool: ...
def synchronize() -> ndarray: ...
