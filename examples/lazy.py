"""What "lazy" means: operations are recorded, shown as a graph, and run when somebody looks."""

import cuprum as cp

x = cp.linspace(0.0, 1.0, 1_000_000)
y = cp.exp(cp.sin(x) * cp.cos(x))  # nothing has run
distance = ((x - y) ** 2).mean()  # still nothing

print(cp.show_graph(distance))  # the graph, and the kernels that it will become
print(float(distance))  # runs: one pass over x, no temporary array

kept = x * 2.0
total = (kept + 1.0).sum()
cp.evaluate(total, kept)  # two results of one pass
print(total, kept[:3])
