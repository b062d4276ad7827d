// Scans, sorts, masks, indexing, products and ranges, each as its definition reads.
#include "backend/reference/primitives.h"

#include <algorithm>
#include <numeric>

#include "backend/reference/element.h"
#include "kernels/interpolate.h"
#include "runtime/backend.h"
#include "runtime/scan_fold.h"
#include "runtime/user_kernels.h"

namespace cuprum::reference {

namespace {

/// One row along the last axis.
struct Row {
  Row(const View& view, const Dims& outer)
      : data(address(view.data, head(view.strides, outer.size()), outer)),
        stride(view.strides.back()),
        n(view.shape.back()) {}
  std::byte* operator[](std::int64_t i) const { return data + i * stride; }

  std::byte* data;
  std::int64_t stride;
  std::int64_t n;
};

template <class F>
void each_row(const View& view, F&& f) {
  if (view.shape.back() != 0) each(head(view.shape, view.shape.size() - 1), f);
}

std::vector<std::int64_t> sorted_order(dtype type, const Row& row) {
  std::vector<SortKey> keys(row.n);
  for (std::int64_t i = 0; i < row.n; ++i) keys[i] = sort_key(load(type, row[i]));
  std::vector<std::int64_t> order(row.n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  return order;
}

bool is_true(const View& mask, const Dims& at) { return *address(mask, at) != std::byte{0}; }

Fault find_fault(Operands index, const Dims& shape) {
  Fault fault;
  for (std::size_t k = 0; k < index.size(); ++k) {
    each(index[k].shape, [&](const Dims& at) {
      const auto i = load(dtype::int64, address(index[k], at)).as<std::int64_t>();
      if (fault.axis < 0 && (i < -shape[k] || i >= shape[k])) fault = {static_cast<int>(k), i};
    });
    if (fault.axis >= 0) break;
  }
  return fault;
}

/// Calls f(element of `array`, coordinates in index shape + row shape) in C order.
template <class F>
Fault each_indexed(const View& array, Operands index, F&& f) {
  const Fault fault = find_fault(index, array.shape);
  if (fault.axis >= 0) return fault;
  each(index[0].shape, [&](const Dims& at) {
    Dims position;
    for (std::size_t k = 0; k < index.size(); ++k) {
      const auto i = load(dtype::int64, address(index[k], at)).as<std::int64_t>();
      position.push_back(i < 0 ? i + array.shape[k] : i);
    }
    each(tail(array.shape, index.size()),
         [&](const Dims& row) { f(address(array, joined(position, row)), joined(at, row)); });
  });
  return fault;
}

/// first + i * (second - first) in their dtype, a real one; float16 and bfloat16 compute in float32 and round
/// once.
Scalar spaced_value(const Scalar& first, const Scalar& second, std::int64_t i) {
  const dtype type = first.type;
  const bool small = type == dtype::float16 || type == dtype::bfloat16;
  const dtype wide = small ? dtype::float32 : type;
  const Scalar start = cast(first, wide), delta = apply(Op::subtract, cast(second, wide), start);
  return cast(apply(Op::add, start, apply(Op::multiply, cast(int_scalar(i), wide), delta)), type);
}

/// start + step before it is rounded to the dtype of the range.
Scalar second_value(const Scalar& start, const Scalar& step) {
  const bool any_complex = is_complex(start.type) || is_complex(step.type);
  const bool any_float = is_floating(start.type) || is_floating(step.type);
  const dtype wide = any_complex ? dtype::complex128 : any_float ? dtype::float64 : dtype::int64;
  return apply(Op::add, cast(start, wide), cast(step, wide));
}

}  // namespace

void scan(ScanOp op, Op fold, const View& in, const View& out) {
  const Op f = fold_of(op, fold);
  each_row(in, [&](const Dims& outer) {
    const Row from(in, outer), to(out, outer);
    Scalar total = load(in.type, from[0]);
    store(total, to[0]);
    for (std::int64_t i = 1; i < from.n; ++i) {
      total = apply(f, total, load(in.type, from[i]));
      store(total, to[i]);
    }
  });
}

void sort(const View& in, const View& out) {
  each_row(in, [&](const Dims& outer) {
    const Row from(in, outer), to(out, outer);
    const auto order = sorted_order(in.type, from);
    for (std::int64_t i = 0; i < from.n; ++i) store(load(in.type, from[order[i]]), to[i]);
  });
}

void argsort(const View& in, const View& out) {
  each_row(in, [&](const Dims& outer) {
    const Row from(in, outer), to(out, outer);
    const auto order = sorted_order(in.type, from);
    for (std::int64_t i = 0; i < from.n; ++i) store(int_scalar(order[i]), to[i]);
  });
}

void searchsorted(const View& row, const View& values, bool right, const View& out) {
  const Row sorted(row, {});
  each(values.shape, [&](const Dims& at) {
    const SortKey wanted = sort_key(load(values.type, address(values, at)));
    std::int64_t before = 0;
    while (before < sorted.n) {
      const SortKey key = sort_key(load(row.type, sorted[before]));
      if (right ? wanted < key : !(key < wanted)) break;
      ++before;
    }
    store(int_scalar(before), address(out, at));
  });
}

void is_among(const View& row, const View& values, const View& out) {
  const Row sorted(row, {});
  each(values.shape, [&](const Dims& at) {
    const Scalar wanted = load(values.type, address(values, at));
    bool found = false;
    for (std::int64_t i = 0; i < sorted.n; ++i) {
      found |= apply(Op::equal, load(row.type, sorted[i]), wanted).as<bool>();
    }
    store(Scalar::of(dtype::bool_, found), address(out, at));
  });
}

void count_between(const View& edges, const View& values, const View& out) {
  const Row edge(edges, {}), counts(out, {});
  for (std::int64_t i = 0; i < counts.n; ++i) {
    const SortKey low = sort_key(load(edges.type, edge[i])), high = sort_key(load(edges.type, edge[i + 1]));
    const bool closed = i + 1 == counts.n;
    std::int64_t count = 0;
    each(values.shape, [&](const Dims& at) {
      const SortKey value = sort_key(load(values.type, address(values, at)));
      count += !(value < low) && (closed ? !(high < value) : value < high);
    });
    store(int_scalar(count), counts[i]);
  }
}

std::int64_t count_true(const View& mask) {
  std::int64_t count = 0;
  each(mask.shape, [&](const Dims& at) { count += is_true(mask, at); });
  return count;
}

void select(const View& in, const View& mask, const View& out) {
  std::int64_t k = 0;
  each(mask.shape, [&](const Dims& at) {
    if (is_true(mask, at)) store(load(in.type, address(in, at)), address(out, {k++}));
  });
}

void nonzero(const View& mask, const View& out) {
  std::int64_t k = 0;
  each(mask.shape, [&](const Dims& at) {
    if (!is_true(mask, at)) return;
    for (std::size_t d = 0; d < at.size(); ++d) {
      store(int_scalar(at[d]), address(out, {k, static_cast<std::int64_t>(d)}));
    }
    ++k;
  });
}

void masked_assign(const View& to, const View& mask, const View& from) {
  std::int64_t k = 0;
  each(mask.shape, [&](const Dims& at) {
    if (is_true(mask, at)) store(load(to.type, address(from, {k++})), address(to, at));
  });
}

void masked_fill(const View& to, const View& mask, const View& value) {
  each(mask.shape, [&](const Dims& at) {
    if (is_true(mask, at)) store(load(to.type, value.data), address(to, at));
  });
}

Fault gather(const View& from, Operands index, const View& out) {
  return each_indexed(from, index, [&](std::byte* element, const Dims& at) {
    store(load(from.type, element), address(out, at));
  });
}

Fault scatter(const View& to, Operands index, const View& from) {
  return each_indexed(to, index, [&](std::byte* element, const Dims& at) {
    store(load(to.type, address(from, at)), element);
  });
}

Fault scatter_fold(Op op, dtype key, const View& to, Operands index, const View& from) {
  const bool unary = info(op).nin == 1;
  return each_indexed(to, index, [&](std::byte* element, const Dims& at) {
    const Scalar other = unary ? Scalar() : load(from.type, address(from, at));
    store(apply(op, key, to.type, load(to.type, element), other), element);
  });
}

void repeat(const View& in, const View& ends, const View& out) {
  each_row(in, [&](const Dims& outer) {
    const Row from(in, outer), to(out, outer);
    std::int64_t k = 0;
    for (std::int64_t i = 0; i < from.n; ++i) {
      const auto end = load(dtype::int64, address(ends, {i})).as<std::int64_t>();
      while (k < end) store(load(in.type, from[i]), to[k++]);
    }
  });
}

void matmul(const View& a, const View& b, const View& out) {
  const std::size_t batch = out.shape.size() - 2;
  const bool small = a.type == dtype::float16 || a.type == dtype::bfloat16;
  const dtype wide = small ? dtype::float32 : a.type;
  each(out.shape, [&](const Dims& at) {
    Scalar total = cast(Scalar::of(dtype::bool_, false), wide);
    for (std::int64_t k = 0; k < a.shape[batch + 1]; ++k) {
      const Dims left = joined(head(at, batch), {at[batch], k}),
                 right = joined(head(at, batch), {k, at[batch + 1]});
      const Scalar x = cast(load(a.type, address(a, left)), wide),
                   y = cast(load(b.type, address(b, right)), wide);
      total = apply(Op::add, total, apply(Op::multiply, x, y));
    }
    store(cast(total, out.type), address(out, at));
  });
}

void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    Scalar total = cast(Scalar::of(dtype::bool_, false), out.type);
    for (std::int64_t j = 0; j < v.shape[0]; ++j) {
      const std::int64_t k = i - left + j;
      if (k < 0 || k >= a.shape[0]) continue;
      total = apply(Op::add, total,
                    apply(Op::multiply, load(a.type, address(a, {k})), load(v.type, address(v, {j}))));
    }
    store(total, address(out, {i}));
  }
}

void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                 const View& out) {
  const auto number = [](const View& view, std::int64_t i) {
    return load(dtype::float64, address(view, {i})).as<double>();
  };
  const std::int64_t n = xp.shape[0];
  each(out.shape, [&](const Dims& at) {
    const auto value = load(dtype::float64, address(x, at)).as<double>();
    std::int64_t j = -1;  // the last point that does not lie behind the value
    while (j + 1 < n && number(xp, j + 1) <= value) ++j;
    double result = n == 1 ? number(fp, 0) : value;  // NaN stays, unless there is but one point
    if (value < number(xp, 0)) {
      result = number(ends, 0);
    } else if (value > number(xp, n - 1)) {
      result = number(ends, 1);
    } else if (value == number(xp, j < 0 ? 0 : j)) {
      result = number(fp, j);
    } else if (j >= 0) {
      result = kernels::on_line(value, number(xp, j), number(xp, j + 1), number(fp, j), number(fp, j + 1),
                                reciprocal);
    }
    store(Scalar::of(dtype::float64, result), address(out, at));
  });
}

void arange(const View& out, const Scalar& start, const Scalar& step) {
  const dtype part = real_type(out.type);
  const std::size_t size = itemsize(part);
  const Scalar first = cast(start, out.type), second = cast(second_value(start, step), out.type);
  for (std::size_t offset = 0; offset < itemsize(out.type); offset += size) {  // real, then imaginary part
    const Scalar x0 = load(part, reinterpret_cast<const std::byte*>(first.bytes) + offset);
    const Scalar x1 = load(part, reinterpret_cast<const std::byte*>(second.bytes) + offset);
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      // The first two values are rounded from start and start + step; the distance of those makes the others.
      // (A bool range has no others.)
      const bool given = i < 2 || is_bool(part);
      const Scalar x = given ? (i == 0 ? x0 : x1) : spaced_value(x0, x1, i);
      store(x, out.data + i * out.strides[0] + offset);
    }
  }
}

Operands as_operands(const View& out) { return {&out, 1}; }
Operands as_operands(Operands out) { return out; }

// -- The forms.

void call(const Scan& p, Operands in, const View& out) { scan(p.op, p.fold, in[0], out); }
void call(const Sort&, Operands in, const View& out) { sort(in[0], out); }
void call(const Argsort&, Operands in, const View& out) { argsort(in[0], out); }
void call(const Partition&, Operands in, const View& out) { sort(in[0], out); }
void call(const Repeat&, Operands in, const View& out) { repeat(in[0], in[1], out); }
void call(const Searchsorted& p, Operands in, const View& out) { searchsorted(in[0], in[1], p.right, out); }
void call(const IsAmong&, Operands in, const View& out) { is_among(in[0], in[1], out); }
void call(const CountBetween&, Operands in, const View& out) { count_between(in[0], in[1], out); }
void call(const Interpolate& p, Operands in, const View& out) {
  interpolate(in[0], in[1], in[2], in[3], p.reciprocal, out);
}
void call(const Select&, Operands in, const View& out) { select(in[0], in[1], out); }
void call(const Nonzero&, Operands in, const View& out) { nonzero(in[0], out); }
void call(const MaskedAssign&, Operands in, const View& out) { masked_assign(out, in[1], in[0]); }
void call(const MaskedFill&, Operands in, const View& out) { masked_fill(out, in[0], in[1]); }
Fault call(const Gather&, Operands in, const View& out) { return gather(in[0], in.subspan(1), out); }
Fault call(const CheckIndices& p, Operands in, const View&) { return find_fault(in, p.shape); }
Fault call(const Scatter&, Operands in, const View& out) { return scatter(out, in.subspan(1), in[0]); }
Fault call(const ScatterFold& p, Operands in, const View& out) {
  return scatter_fold(p.op, p.key, out, in.subspan(1), in[0]);
}
void call(const Matmul&, Operands in, const View& out) { matmul(in[0], in[1], out); }
void call(const SlidingDot& p, Operands in, const View& out) { sliding_dot(in[0], in[1], p.left, out); }
void call(const Arange& p, Operands, const View& out) { arange(out, p.start, p.step); }
void call(const Draw& p, Operands in, Operands out) {  // NumPy is what its tests compare with
  cpu_backend().call(cpu_backend().first_stream(), Call{p, in, out});
}

void call(const Launch& p, Operands in, Operands out) { launch_on_host(p, in, out); }

// Factorizations are LAPACK's on the CPU as well, and NumPy is what they are compared with.
#define CUPRUM_AS_ON_CPU(P)                                                             \
  Answer<P> call(const P& p, Operands in, Results<P> out) {                             \
    const Primitive primitive = p;                                                      \
    const Call c{primitive, in, as_operands(out)};                                      \
    return static_cast<Answer<P>>(cpu_backend().call(cpu_backend().first_stream(), c)); \
  }
CUPRUM_LINALG_PRIMITIVES(CUPRUM_AS_ON_CPU)
#undef CUPRUM_AS_ON_CPU

}  // namespace cuprum::reference
