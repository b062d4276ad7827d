// Fourier transforms: the module `_core.fft`, which cuprum.fft hands its calls to.
#include "backend/cpu/fft/plan_cache.h"
#include "containers.h"
#include "errors.h"
#include "function.h"
#include "ops/fft.h"

namespace cuprum::python {

namespace {

using Kind = Fft::Kind;

ops::FftNorm norm_argument(PyObject* o, const char* function) {
  if (!given(o)) return ops::FftNorm::backward;
  if (!PyUnicode_Check(o)) {  // NumPy's words for whatever it may be
    const nb::object text = checked(PyObject_Str(o));
    return ops::parse_fft_norm(function, to_utf8(text.ptr()));
  }
  return ops::parse_fft_norm(function, to_utf8(o));
}

std::int64_t length_of(PyObject* o, const char* function) {
  return given(o) ? to_int(o, function, "n") : ops::kDefaultLength;
}

/// Lengths, of which some may be None.
std::optional<Dims> lengths_argument(PyObject* o, const char* function) {
  if (!given(o)) return std::nullopt;
  const nb::object sequence = nb::steal(PySequence_Fast(o, ""));
  if (!sequence.is_valid()) {
    PyErr_Clear();
    throw TypeError(std::string("cuprum.") + function + ": s must be a sequence of integers, given a " +
                    type_name(o));
  }
  Dims lengths;
  const Items items(sequence.ptr());
  for (Py_ssize_t i = 0; i < items.size(); ++i) lengths.push_back(length_of(items[i], function));
  return lengths;
}

std::optional<Dims> axes_of(PyObject* o, const char* function) {
  if (!given(o)) return std::nullopt;
  return to_dims(o, function, "axes");
}

/// A sequence: several axes are meant.
std::optional<Dims> many_axes(PyObject* o, const char* function) {
  if (given(o) && PyIndex_Check(o))
    throw TypeError(std::string("cuprum.") + function + ": axes must be a sequence of integers, given a " +
                    type_name(o));
  return axes_of(o, function);
}

template <Name name, Kind kind, bool backward>
PyObject* along_one(PyObject* const* args) {
  const ArrayArgument a(args[0], name, 1);
  const Array* out = out_argument(args[4], name);
  const ops::FftFunction f{name, kind, backward};
  return deliver(ops::fft(f, *a, length_of(args[1], name), int_argument(args[2], name, "axis", -1),
                          norm_argument(args[3], name), out),
                 args[4]);
}

template <Name name, Kind kind, bool backward>
PyObject* along_many(PyObject* const* args) {
  const ArrayArgument a(args[0], name, 1);
  const Array* out = out_argument(args[4], name);
  const ops::FftFunction f{name, kind, backward};
  Array result = ops::fftn(f, *a, lengths_argument(args[1], name), many_axes(args[2], name),
                           norm_argument(args[3], name), out);
  if (!out && result.storage() == a->storage()) {  // along no axis: the operand
    return is_plain(args[0]) ? Py_NewRef(args[0]) : wrap_raw(std::move(result));
  }
  return deliver(std::move(result), args[4]);
}

template <Name name, bool inverse>
PyObject* shift(PyObject* const* args) {
  const ArrayArgument x(args[0], name, 1);
  return wrap_raw(ops::fftshift(name, *x, axes_of(args[1], name), inverse));
}

template <Name name, Array (*make)(std::int64_t, double, Backend&)>
PyObject* frequencies(PyObject* const* args) {
  const OnDevice there(args[2], name);
  const double step = PyFloat_AsDouble(args[1]);
  if (PyErr_Occurred()) throw nb::python_error();
  return wrap_raw(make(to_int(args[0], name, "n"), step, default_backend()));
}

/// The name as a template parameter has static storage, so that a node may keep it.
#define CUPRUM_FFT(id, name, kind, backward, parameters, body, doc) \
  constinit Function id = {name, parameters, &body<name, Kind::kind, backward>, doc, ResultClass::plain};
#define CUPRUM_ONE "a, n=None, axis=-1, norm=None, out=None"
#define CUPRUM_MANY "a, s=None, axes=None, norm=None, out=None"
CUPRUM_FFT(kFft, "fft.fft", points, false, CUPRUM_ONE, along_one, "Points along an axis.")
CUPRUM_FFT(kIfft, "fft.ifft", points, true, CUPRUM_ONE, along_one, "The way back.")
CUPRUM_FFT(kRfft, "fft.rfft", from_real, false, CUPRUM_ONE, along_one, "Reals to half their points.")
CUPRUM_FFT(kIrfft, "fft.irfft", to_real, true, CUPRUM_ONE, along_one, "Half the points to reals.")
CUPRUM_FFT(kHfft, "fft.hfft", to_real, false, CUPRUM_ONE, along_one,
           "Half a symmetric signal to its spectrum.")
CUPRUM_FFT(kIhfft, "fft.ihfft", from_real, true, CUPRUM_ONE, along_one, "The way back.")
CUPRUM_FFT(kFftn, "fft.fftn", points, false, CUPRUM_MANY, along_many, "Points along several axes.")
CUPRUM_FFT(kIfftn, "fft.ifftn", points, true, CUPRUM_MANY, along_many, "The way back.")
CUPRUM_FFT(kRfftn, "fft.rfftn", from_real, false, CUPRUM_MANY, along_many, "Reals to half their points.")
CUPRUM_FFT(kIrfftn, "fft.irfftn", to_real, true, CUPRUM_MANY, along_many, "Half the points to reals.")
CUPRUM_FFT(kFft2, "fft.fft2", points, false, CUPRUM_MANY, along_many, "Points along two axes.")
CUPRUM_FFT(kIfft2, "fft.ifft2", points, true, CUPRUM_MANY, along_many, "The way back.")
CUPRUM_FFT(kRfft2, "fft.rfft2", from_real, false, CUPRUM_MANY, along_many, "Reals to half their points.")
CUPRUM_FFT(kIrfft2, "fft.irfft2", to_real, true, CUPRUM_MANY, along_many, "Half the points to reals.")
#undef CUPRUM_ONE
#undef CUPRUM_MANY
#undef CUPRUM_FFT
constinit Function kFftshift = {"fft.fftshift", "x, axes=None", &shift<"fft.fftshift", false>,
                                "The first point moved to the middle.", ResultClass::plain};
constinit Function kIfftshift = {"fft.ifftshift", "x, axes=None", &shift<"fft.ifftshift", true>,
                                 "The way back.", ResultClass::plain};

constinit Function kFftfreq = {"fft.fftfreq", "n, step, device=None",
                               &frequencies<"fft.fftfreq", &ops::fftfreq>,
                               "Frequencies of points, in multiples of a step.", ResultClass::plain};
constinit Function kRfftfreq = {"fft.rfftfreq", "n, step, device=None",
                                &frequencies<"fft.rfftfreq", &ops::rfftfreq>,
                                "Frequencies of the first half of them.", ResultClass::plain};

// -- Plans ----------------------------------------------------------------------------------------------

using cpu::fft::plan_cache;
using cpu::fft::RowPlan;

const char* kind_name(Kind kind) {
  return kind == Kind::points ? "C2C" : kind == Kind::from_real ? "R2C" : "C2R";
}

Kind kind_of(const std::string& text) {
  if (text == "C2C") return Kind::points;
  if (text == "R2C") return Kind::from_real;
  if (text == "C2R") return Kind::to_real;
  throw ValueError("cuprum.cupyx.scipy.fft.get_fft_plan: value_type must be 'C2C', 'R2C' or 'C2R', given '" +
                   text + "'");
}

/// (length, kind, from reals, float64, bytes)
nb::tuple describe(const RowPlan& plan) {
  const RowPlan::Key& key = plan.key();
  return nb::make_tuple(key.n, kind_name(key.kind), key.real_in, key.wide, plan.bytes());
}

nb::dict cache_info() {
  const cpu::fft::PlanCacheInfo info = plan_cache().info();
  nb::dict d;
  d["size"] = info.size;
  d["memsize"] = info.memsize;
  d["curr_size"] = info.current_size;
  d["curr_memsize"] = info.current_memsize;
  d["hits"] = info.hits;
  d["misses"] = info.misses;
  return d;
}

/// What a plan object of CuPy's holds: the plans of its axes, and what the calls under it must be.
struct HeldPlan {
  std::shared_ptr<const ops::FftExpectation> expected;
  std::vector<std::shared_ptr<const RowPlan>> rows;
  std::vector<std::shared_ptr<const ops::FftExpectation>> before;  // of the threads that entered
};

HeldPlan hold_plan(const Dims& lengths, const std::string& kind, bool wide, std::int64_t batch) {
  const ops::FftExpectation expected{kind_of(kind), lengths, wide ? dtype::complex128 : dtype::complex64,
                                     batch};
  HeldPlan held{std::make_shared<const ops::FftExpectation>(expected), {}, {}};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 1) {
      throw ValueError("cuprum.cupyx.scipy.fft.get_fft_plan: Invalid number of FFT data points (" +
                       std::to_string(lengths[i]) + ") specified.");
    }
    const Kind k = i + 1 == lengths.size() ? expected.kind : Kind::points;
    held.rows.push_back(plan_cache().get({lengths[i], k, k == Kind::from_real, wide}));
  }
  return held;
}

void bind_plans(nb::module_& m) {
  m.def("fft_cache_info", &cache_info);
  m.def("fft_cache_plans", [] {
    nb::list plans;
    for (const auto& plan : plan_cache().plans()) plans.append(describe(*plan));
    return plans;
  });
  m.def("fft_cache_set_bounds",
        [](std::int64_t size, std::int64_t memsize) { plan_cache().set_bounds(size, memsize); });
  m.def("fft_cache_clear", [] { plan_cache().clear(); });
  nb::class_<HeldPlan>(m, "FftPlan")
      .def("__init__",
           [](HeldPlan* self, nb::handle lengths, const std::string& kind, bool wide, std::int64_t batch) {
             new (self) HeldPlan(hold_plan(to_dims(lengths.ptr(), "cupyx.scipy.fft.get_fft_plan", "shape"),
                                           kind, wide, batch));
           })
      .def_prop_ro("bytes",
                   [](const HeldPlan& self) {
                     std::size_t bytes = 0;
                     for (const auto& plan : self.rows) bytes += plan->bytes();
                     return bytes;
                   })
      .def("enter", [](HeldPlan& self) { self.before.push_back(ops::expect_fft(self.expected)); })
      .def("exit", [](HeldPlan& self) {
        if (self.before.empty()) return;
        ops::expect_fft(self.before.back());
        self.before.pop_back();
      });
}

}  // namespace

void bind_fft_functions(nb::module_& m) {
  nb::module_ fft = m.def_submodule("fft");
  add_functions(fft, {entry<kFft>(), entry<kIfft>(), entry<kRfft>(), entry<kIrfft>(), entry<kHfft>(),
                      entry<kIhfft>(), entry<kFftn>(), entry<kIfftn>(), entry<kRfftn>(), entry<kIrfftn>(),
                      entry<kFft2>(), entry<kIfft2>(), entry<kRfft2>(), entry<kIrfft2>(), entry<kFftshift>(),
                      entry<kIfftshift>(), entry<kFftfreq>(), entry<kRfftfreq>()});
  bind_plans(m);
}

}  // namespace cuprum::python
