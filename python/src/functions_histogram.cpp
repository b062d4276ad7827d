// Histograms, as functions of the module:
//   digitize histogram histogram_bin_edges histogram2d histogramdd
#include <deque>

#include "errors.h"
#include "function.h"
#include "numpy_interop.h"
#include "ops/bin_edges.h"
#include "ops/histogram.h"

namespace cuprum::python {

namespace {

/// Would NumPy see no dimensions in it?
bool is_one_number(PyObject* o) {
  if (const Array* a = try_unwrap(o)) return a->ndim() == 0;
  if (is_numpy_array(o)) return nb::cast<int>(nb::handle(o).attr("ndim")) == 0;
  return !PySequence_Check(o);
}

std::int64_t bin_count(PyObject* o, const char* function, const std::string& text) {
  const nb::object count = nb::steal(PyNumber_Index(o));
  if (!count.is_valid()) {
    PyErr_Clear();
    throw TypeError(std::string("cuprum.") + function + ": " + text);
  }
  return to_int(count.ptr(), function, "bins");
}

/// A number, edges, or the name of a rule.
class BinsArgument {
 public:
  BinsArgument(PyObject* o, const char* function) {
    if (!o) return;
    if (PyUnicode_Check(o)) {
      bins_.rule = to_utf8(o);
    } else if (is_one_number(o)) {
      bins_.count = bin_count(o, function,
                              "`bins` must be an integer, a string, or an array, given " +
                                  to_utf8(checked(PyObject_Repr(o)).ptr()));
    } else {
      take_edges(o, function);
    }
  }
  /// Of one axis among several.
  BinsArgument(PyObject* o, std::size_t axis) {
    if (!is_one_number(o)) {
      take_edges(o, "histogramdd");
      return;
    }
    const std::string which = "`bins[" + std::to_string(axis) + "]` must be ";
    const int too_few = PyObject_RichCompareBool(o, nb::int_(1).ptr(), Py_LT);
    if (too_few < 0) throw_python_error();
    if (too_few) {
      throw ValueError("cuprum.histogramdd: " + which + "positive, when an integer, given " +
                       to_utf8(checked(PyObject_Str(o)).ptr()));
    }
    bins_.count = bin_count(o, "histogramdd", which + "an integer, when a scalar");
  }
  BinsArgument(BinsArgument&&) = delete;

  const ops::Bins& operator*() const { return bins_; }

 private:
  void take_edges(PyObject* o, const char* function) {
    edges_.emplace(o, function, 2, HostRole::parameter);
    bins_.edges = edges_->get();
  }

  std::optional<ArrayArgument> edges_;
  ops::Bins bins_;
};

/// One of two limits, as a number of the host.
Value limit_argument(PyObject* o, const char* function) {
  const ParameterValue limit(o, function, 3);
  const Value& value = *limit;
  if (!value.is_array()) return value;
  if (value.array().size() != 1)
    throw ValueError(std::string("cuprum.") + function +
                     ": range must be two numbers, given an array of shape " +
                     to_string(value.array().shape()));
  return ops::element(value.array());
}

ops::BinRange range_argument(PyObject* o, const char* function) {
  if (!given(o)) return std::nullopt;
  const nb::object pair = nb::steal(PySequence_Tuple(o));
  if (!pair.is_valid()) throw_named_error(function, "range");
  const Py_ssize_t n = PyTuple_GET_SIZE(pair.ptr());
  if (n != 2) {
    const std::string expected =
        n > 2 ? "too many values to unpack (expected 2)"
              : "not enough values to unpack (expected 2, got " + std::to_string(n) + ")";
    throw ValueError(std::string("cuprum.") + function + ": range: " + expected);
  }
  return {{limit_argument(PyTuple_GET_ITEM(pair.ptr(), 0), function),
           limit_argument(PyTuple_GET_ITEM(pair.ptr(), 1), function)}};
}

/// Edges that were given are those that come back.
nb::object edges_object(const Array& edges, PyObject* bins) {
  const Array* own = bins ? try_unwrap(bins) : nullptr;
  return own && own->ndim() == 1 ? nb::borrow(bins) : wrap(edges);
}

PyObject* histogram(PyObject* const* args) {
  const ArrayArgument a(args[0], "histogram", 1);
  const BinsArgument bins(args[1], "histogram");
  const BesideArray weights(args[4], "histogram", 5);
  const ops::Histogram made = ops::histogram(*a, *bins, range_argument(args[2], "histogram"),
                                             given(args[3]) && to_flag(args[3]), weights.get());
  return nb::make_tuple(wrap(made.counts), edges_object(made.edges, args[1])).release().ptr();
}

PyObject* histogram_bin_edges(PyObject* const* args) {
  const char* const name = "histogram_bin_edges";
  const ArrayArgument a(args[0], name, 1);
  const BinsArgument bins(args[1], name);
  const BesideArray weights(args[3], name, 5);
  const Array edges = ops::histogram_bin_edges(*a, *bins, range_argument(args[2], name), weights.get());
  return edges_object(edges, args[1]).release().ptr();
}

PyObject* digitize(PyObject* const* args) {
  const ArrayArgument x(args[0], "digitize", 1, beside(args[1])),
      bins(args[1], "digitize", 2, beside(args[0]));
  return wrap_raw(ops::digitize(*x, *bins, flag_argument(args[2])));
}

// -- Of points ------------------------------------------------------------------------------------------

/// The items of a sequence, or one object for every axis where it has no length.
std::vector<nb::object> per_axis(PyObject* o, std::size_t ndim) {
  const Py_ssize_t n = is_one_number(o) ? -1 : PySequence_Size(o);
  if (n < 0) {
    PyErr_Clear();
    return std::vector<nb::object>(ndim, nb::borrow(o));
  }
  std::vector<nb::object> items;
  for (Py_ssize_t i = 0; i < n; ++i) items.push_back(checked(PySequence_GetItem(o, i)));
  return items;
}

/// counts and a list of edges; `bins` are at 1, the range, the density and the weights follow.
PyObject* on_grid(const std::vector<Array>& coordinates, PyObject* const* args) {
  const std::size_t ndim = coordinates.size();
  const nb::object ten = nb::int_(10);
  const std::vector<nb::object> given_bins = per_axis(args[1] ? args[1] : ten.ptr(), ndim);
  std::deque<BinsArgument> kept;
  std::vector<ops::Bins> bins;
  for (std::size_t i = 0; i < given_bins.size(); ++i) {
    // A number that is wrong has another text where there are too many of them.
    bins.push_back(i < ndim ? *kept.emplace_back(given_bins[i].ptr(), i) : ops::Bins{});
  }
  std::vector<ops::BinRange> ranges(ndim);
  if (given(args[2])) {
    ranges.clear();
    for (const nb::object& range : per_axis(args[2], 0))
      ranges.push_back(range_argument(range.ptr(), "histogramdd"));
  }
  const BesideArray weights(args[4], "histogramdd", 5);
  const ops::GridHistogram made =
      ops::histogramdd(coordinates, bins, ranges, given(args[3]) && to_flag(args[3]), weights.get());
  nb::list edges;
  for (std::size_t i = 0; i < ndim; ++i) edges.append(edges_object(made.edges[i], given_bins[i].ptr()));
  return nb::make_tuple(wrap(made.counts), edges).release().ptr();
}

PyObject* histogramdd(PyObject* const* args) {
  if (const Array* sample = try_unwrap(args[0])) return on_grid(ops::coordinates_of(*sample), args);
  const ArraySequence vectors(args[0], "histogramdd");
  return on_grid(ops::coordinates_of(vectors.arrays()), args);
}

PyObject* histogram2d(PyObject* const* args) {
  const ArrayArgument x(args[0], "histogram2d", 1, beside(args[1])),
      y(args[1], "histogram2d", 2, beside(args[0]));
  ops::check_same_length(*x, *y);
  nb::object bins = nb::borrow(args[2] ? args[2] : nb::int_(10).ptr());
  const Py_ssize_t n = is_one_number(bins.ptr()) ? -1 : PySequence_Size(bins.ptr());
  if (n != -1 && n != 1 && n != 2) {
    const nb::object edges = wrap(*ArrayArgument(bins.ptr(), "histogram2d", 3, HostRole::parameter));
    bins = nb::make_tuple(edges, edges);
  }
  const Array vectors[] = {*x, *y};
  PyObject* const spread[] = {nullptr, bins.ptr(), args[3], args[4], args[5]};
  const nb::object made = nb::steal(on_grid(ops::coordinates_of(vectors), spread));
  const nb::object edges = made[1];
  return nb::make_tuple(nb::object(made[0]), nb::object(edges[0]), nb::object(edges[1])).release().ptr();
}

constinit Function kDigitize = {"digitize", "x, bins, right=False", &digitize,
                                "The interval that each value lies in.", ResultClass::plain};
constinit Function kHistogram = {"histogram", "a, bins=10, range=None, density=None, weights=None",
                                 &histogram, "How many values lie in each bin, and the edges of the bins.",
                                 ResultClass::plain};
constinit Function kHistogramBinEdges = {"histogram_bin_edges", "a, bins=10, range=None, weights=None",
                                         &histogram_bin_edges, "The edges of the bins of a histogram.",
                                         ResultClass::plain};
constinit Function kHistogram2d = {"histogram2d", "x, y, bins=10, range=None, density=None, weights=None",
                                   &histogram2d, "How many points lie in each rectangle, and the edges.",
                                   ResultClass::plain};
constinit Function kHistogramdd = {"histogramdd", "sample, bins=10, range=None, density=None, weights=None",
                                   &histogramdd, "How many points lie in each box of a grid, and the edges.",
                                   ResultClass::plain};

}  // namespace

void bind_histogram_functions(nb::module_& m) {
  add_functions(m, {entry<kDigitize>(), entry<kHistogram>(), entry<kHistogramBinEdges>(),
                    entry<kHistogram2d>(), entry<kHistogramdd>()});
}

}  // namespace cuprum::python
