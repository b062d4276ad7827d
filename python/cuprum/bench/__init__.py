"""The benchmark harness: the same unmodified array programs on Cuprum and on its peers, side by side in one run.

    python -m cuprum bench --quick
    python -m cuprum demo

`programs` holds array programs as a user would write them, `rows` and `namespace_rows` the benchmark's list of them,
`libraries` what differs between array libraries (how to make an array, how to wait for a result), `measure` the clock
and `report` the table, the plot and the JSON file. `gpu`, `gpu_rows` and `gpu_namespace_rows` are the benchmark on a
CUDA device, beside CuPy, PyTorch and JAX.
"""
