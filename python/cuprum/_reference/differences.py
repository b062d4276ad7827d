"""Where a public function differs from NumPy's, as `help` shows it (see __init__.py). docs/from-numpy.md
tells what holds for all of them.
"""

TEXT = """
[sum prod mean var std nansum nanprod nanmean nanvar nanstd max min amax amin any all ptp count_nonzero]
The result is recorded with its operand: `(x * y).sum()` is one kernel. It stays on the device;
`float()` or `.item()` waits for the number.
[mean var std nanmean nanvar nanstd average median nanmedian]
A warning that depends on values ("invalid value", all-NaN slices) appears only inside
`cp.errstate`.
[argmax argmin nanargmax nanargmin]
The index stays on the device as a 0-d array; it works wherever Python takes an index.
[nanmax nanmin]
Slices of NaN alone give NaN without a warning, because the call does not wait for the values.
[array asarray asanyarray]
A NumPy array is copied to the device. `copy=False` shares host memory, on the CPU alone.
[zeros ones full zeros_like ones_like full_like]
The array takes memory only when its bytes are needed.
[reshape ravel ndarray.reshape ndarray.ravel]
A view of a pending array stays pending: reshaping computes nothing.
[median nanmedian quantile percentile nanquantile nanpercentile]
`overwrite_input` is accepted and has no effect.
[sort argsort ndarray.sort ndarray.argsort]
`descending` is the array API's. The algorithm is chosen for you, so `kind` has no effect; argsort
is always stable.
[unique]
The call waits for the number of distinct elements.
[nonzero flatnonzero argwhere extract compress ndarray.nonzero ndarray.compress]
The call waits for the number of elements.
[take take_along_axis choose ndarray.take]
On a GPU, indices that were computed there are checked there: IndexError comes where your thread
next waits. With `CUPRUM_DEBUG=1` the call raises it.
[put put_along_axis ndarray.put]
On a GPU, indices that were computed there are checked there: IndexError comes where your thread
next waits.
[histogram histogram2d histogramdd histogram_bin_edges]
Bins whose number depends on the data ('auto', ...) wait for the data.
[seterr]
Everything is ignored at first. Any other setting computes each operation by itself, so that the
error can name it.
[frompyfunc]
The Python function is called for every element, on the host.
[load]
An .npz file gives arrays on the current device.
[save savez savez_compressed savetxt]
The call waits for the values and copies them to the host.
[einsum]
With `optimize=False` the library chooses the order of contractions. Pairs become matrix products where possible.
[matmul dot inner tensordot linalg.matmul]
Products of float32 matrices on a GPU do not use TF32.
[linalg.eig linalg.eigvals linalg.lstsq]
The call waits for its values: their shape or dtype depends on them.
[linalg.solve linalg.inv linalg.cholesky linalg.eigh linalg.eigvalsh linalg.svd linalg.svdvals]
float32 and complex64 are computed in their own precision. On a GPU, LinAlgError comes where your
thread next waits.
[fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fftn fft.ifftn fft.rfftn fft.irfftn fft.fft2
fft.ifft2 fft.rfft2 fft.irfft2]
float32 and complex64 are transformed in single precision. The transform is recorded, and runs when
needed.
[random.*]
None in the numbers: with NumPy's bit generators they are NumPy's, on every device.
[random.get_random_state random.set_random_state random.reset_states]
The name is CuPy's.
[from_dlpack frombuffer]
Calls that read shared memory run at once, because nobody tells Cuprum of a later write.
[ndarray.resize]
Earlier views keep the memory of before, so `refcheck` has nothing to check.
[ndarray.tolist ndarray.item ndarray.tobytes ndarray.tofile ndarray.dump ndarray.dumps]
The call waits for the values and copies them to the host.
[polynomial.val]
Recorded: the values of a series fuse with what follows.
[ufunc.*]
The operation is recorded and fused with its neighbours; it runs when a value is needed.
Floating-point errors are reported only inside `cp.errstate`.
"""
