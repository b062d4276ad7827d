// Fourier transforms: the module `_core.fft`, which cuprum.fft hands its calls to.
#include "containers.h"
#include "errors.h"
#include "function.h"
#include "ops/fft.h"
#include "runtime/fft_plans.h"

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

template <class Numbers>
nb::tuple tuple_of(const Numbers& numbers) {
  nb::list list;
  for (std::int64_t n : numbers) list.append(n);
  return nb::tuple(list);
}

/// A plan as Python holds it.
struct HeldPlan {
  FftPlanCache::Plan plan;
  std::vector<std::shared_ptr<const ops::FftExpectation>> before;  // of the threads that entered
};

HeldPlan make_plan(nb::handle a, nb::handle lengths, nb::handle axes, const std::string& kind) {
  constexpr const char* kName = "cupyx.scipy.fft.get_fft_plan";
  const ArrayArgument array(a.ptr(), kName, 1);
  Dims along;
  for (std::int64_t axis : to_dims(axes.ptr(), kName, "axes"))
    along.push_back(normalize_axis(kName, axis, array->ndim()));
  const ops::FftFunction f{kName, kind_of(kind), false};
  return {ops::fft_plan(f, *array, to_dims(lengths.ptr(), kName, "shape"), along), {}};
}

/// (kind, lengths, dtype, is the operand real, what else the device asks for)
nb::tuple key_of(const FftPlan& plan) {
  const FftPlan::Key& key = plan.key();
  return nb::make_tuple(kind_name(key.kind), tuple_of(key.lengths), key.wide ? "complex128" : "complex64",
                        key.real_in, tuple_of(key.layout));
}

/// The cache of a device.
struct HeldCache {
  FftPlanCache* cache;
};

nb::dict cache_info(const HeldCache& self) {
  const FftPlanCounts counts = self.cache->counts();
  nb::dict d;
  d["size"] = counts.size;
  d["memsize"] = counts.memsize;
  d["curr_size"] = counts.current_size;
  d["curr_memsize"] = counts.current_memsize;
  d["hits"] = counts.hits;
  d["misses"] = counts.misses;
  return d;
}

nb::list cached_plans(const HeldCache& self) {
  nb::list plans;
  for (auto& plan : self.cache->plans()) plans.append(HeldPlan{plan, {}});
  return plans;
}

void bind_plans(nb::module_& m) {
  nb::class_<HeldPlan>(m, "FftPlan")
      .def("__init__",
           [](HeldPlan* self, nb::handle a, nb::handle lengths, nb::handle axes, const std::string& kind) {
             new (self) HeldPlan(make_plan(a, lengths, axes, kind));
           })
      .def_prop_ro("address",
                   [](const HeldPlan& self) { return reinterpret_cast<std::uintptr_t>(self.plan.get()); })
      .def_prop_ro("key", [](const HeldPlan& self) { return key_of(*self.plan); })
      .def_prop_ro("bytes", [](const HeldPlan& self) { return self.plan->bytes(); })
      .def("enter",
           [](HeldPlan& self, std::int64_t batch) {
             const ops::FftExpectation expected{self.plan, batch};
             self.before.push_back(ops::expect_fft(std::make_shared<const ops::FftExpectation>(expected)));
           })
      .def("exit", [](HeldPlan& self) {
        if (self.before.empty()) return;
        ops::expect_fft(self.before.back());
        self.before.pop_back();
      });
  nb::class_<HeldCache>(m, "FftPlanCache")
      .def("info", &cache_info)
      .def("plans", &cached_plans)
      .def("use",
           [](const HeldCache& self, const HeldPlan& held) { return self.cache->use(held.plan->key()); })
      .def("forget",
           [](const HeldCache& self, const HeldPlan& held) { return self.cache->forget(held.plan->key()); })
      .def("set_bounds", [](const HeldCache& self, std::int64_t size,
                            std::int64_t memsize) { self.cache->set_bounds(size, memsize); })
      .def("clear", [](const HeldCache& self) { self.cache->clear(); });
  m.def("fft_plan_cache", [] { return HeldCache{&current_device().fft_plans()}; });
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
