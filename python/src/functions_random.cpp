// Random numbers: the state of a bit generator as an object, and functions of the module over it:
//   random_draw random_integers random_raw random_words random_shuffled random_sampled random_multinomial random_dirichlet
//   random_multivariate_hypergeometric random_multivariate_normal
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstring>
#include <limits>

#include "casters.h"
#include "errors.h"
#include "function.h"
#include "ops/random.h"
#include "runtime/devices.h"

namespace cuprum::python {

namespace {

using ops::BitGenerator;

constexpr std::string_view kKinds[kBitKinds] = {"PCG64",   "PCG64DXSM", "Philox",   "SFC64",
                                                "MT19937", "XORWOW",    "MRG32k3a", "Philox4x3210"};

BitKind kind_of(std::string_view name) {
  for (int k = 0; k < kBitKinds; ++k) {
    if (kKinds[k] == name) return static_cast<BitKind>(k);
  }
  throw ValueError("cuprum.random: there is no bit generator named '" + std::string(name) + "'");
}

BitGenerator& bits_argument(PyObject* o) {
  BitGenerator* bits = nullptr;
  if (!nb::try_cast(nb::handle(o), bits) || !bits)
    throw TypeError("cuprum.random: a bit generator is needed, such as cuprum.random.PCG64(), given " +
                    type_name(o));
  return *bits;
}

// -- States.

nb::tuple state_of(BitGenerator& bits) {
  const BitState s = bits.state();
  nb::list words;
  for (const std::uint64_t word : s.words) words.append(word);
  const nb::bytes key(reinterpret_cast<const char*>(s.key.data()), s.key.size() * 4);
  return nb::make_tuple(nb::tuple(words), s.half_is_held, s.half, s.normal_is_held, s.normal, key);
}

void set_state(BitGenerator& bits, const std::array<std::uint64_t, 12>& words, bool half_is_held,
               std::uint32_t half, bool normal_is_held, double normal, const nb::bytes& key) {
  BitState s;
  s.kind = bits.kind();
  s.words = words;
  s.half_is_held = half_is_held;
  s.half = half;
  s.normal_is_held = normal_is_held;
  s.normal = normal;
  s.key.resize(key.size() / 4);
  std::memcpy(s.key.data(), key.c_str(), s.key.size() * 4);
  const std::size_t length = s.kind == BitKind::mt19937 ? 624 : 0;
  if (s.key.size() != length) throw ValueError("cuprum.random: the state's key has the wrong length");
  if (s.kind == BitKind::mt19937 && s.words[0] > 624)
    throw ValueError("cuprum.random: the state's pos is beyond 624");
  if (s.kind == BitKind::philox && s.words[10] > 4) throw ValueError("cuprum.random: buffer_pos is beyond 4");
  bits.set_state(std::move(s));
}

const std::vector<std::uint64_t>& checked_seed(BitKind kind, const std::vector<std::uint64_t>& words) {
  if (words.size() != static_cast<std::size_t>(seed_words(kind)))
    throw ValueError("cuprum.random: a seed of " + std::to_string(seed_words(kind)) +
                     " words is needed, given " + std::to_string(words.size()));
  return words;
}

std::vector<std::uint32_t> words_of(PyObject* o) {
  const nb::sequence items = nb::borrow<nb::sequence>(o);
  std::vector<std::uint32_t> words;
  for (const nb::handle item : items) words.push_back(nb::cast<std::uint32_t>(item));
  return words;
}

// -- Numbers.

/// The values of a tuple of parameters, and what keeps them alive.
struct Given {
  std::vector<nb::object> keep;
  std::vector<Value> values;

  Given(PyObject* tuple, const char* function) : keep(static_cast<std::size_t>(PyTuple_GET_SIZE(tuple))) {
    for (std::size_t i = 0; i < keep.size(); ++i)
      values.push_back(
          to_value_or_convert(PyTuple_GET_ITEM(tuple, static_cast<Py_ssize_t>(i)), function, &keep[i]));
  }
};

std::optional<Dims> size_argument(PyObject* o, const char* function) {
  return given(o) ? std::optional<Dims>(to_shape(o, function)) : std::nullopt;
}

PyObject* random_draw(PyObject* const* args) {
  const std::string law = to_utf8(args[1]), function = "random." + law;
  const Given parameters(args[2], function.c_str());
  ops::DrawArgs how;
  how.size = size_argument(args[3], function.c_str());
  how.legacy = flag_argument(args[4]);
  how.type = to_optional_dtype(args[5], function.c_str());
  how.out = out_argument(args[6], function.c_str());
  return deliver(ops::draw_law(bits_argument(args[0]), law, parameters.values, how, default_backend()),
                 args[6]);
}

PyObject* random_integers(PyObject* const* args) {
  nb::object keep_low, keep_high;
  const Value low = to_value_or_convert(args[1], "random.integers", &keep_low),
              high = to_value_or_convert(args[2], "random.integers", &keep_high);
  ops::IntegerArgs how;
  how.size = size_argument(args[3], "random.integers");
  how.type = to_dtype(args[4], "random.integers");
  how.endpoint = flag_argument(args[5]);
  how.masked = flag_argument(args[6]);
  return wrap_raw(ops::integers(bits_argument(args[0]), low, high, how, default_backend()));
}

PyObject* random_raw(PyObject* const* args) {
  return wrap_raw(
      ops::random_raw(bits_argument(args[0]), to_shape(args[1], "random.random_raw"), default_backend()));
}
PyObject* random_words(PyObject* const* args) {
  return wrap_raw(ops::random_words(bits_argument(args[0]), to_int(args[1], "random.bytes", "length"),
                                    default_backend()));
}
PyObject* random_shuffled(PyObject* const* args) {
  return wrap_raw(ops::shuffled_positions(bits_argument(args[0]), to_shape(args[1], "random.permuted"),
                                          to_int(args[2], "random.permutation", "x"), default_backend()));
}
PyObject* random_sampled(PyObject* const* args) {
  return wrap_raw(ops::sampled_positions(bits_argument(args[0]), to_int(args[1], "random.choice", "a"),
                                         to_int(args[2], "random.choice", "size"), flag_argument(args[3]),
                                         default_backend()));
}
/// An array, or what `asarray` makes of it.
class Taken {
 public:
  Taken(PyObject* o, const char* function) : keep_(as_ndarray(o, function)) {}
  const Array& operator*() const { return contents(keep_.ptr()).array(); }

 private:
  nb::object keep_;
};

/// A choice by name; what is no word is none of those asked for.
std::string word(PyObject* o) { return PyUnicode_Check(o) ? to_utf8(o) : std::string(); }

Dims rows_argument(PyObject* o, const char* function) { return size_argument(o, function).value_or(Dims{}); }

PyObject* random_multinomial(PyObject* const* args) {
  const char* const function = "random.multinomial";
  nb::object keep;
  const Value n = to_value_or_convert(args[1], function, &keep);
  return wrap_raw(ops::multinomial(bits_argument(args[0]), n, *Taken(args[2], function),
                                   size_argument(args[3], function), flag_argument(args[4])));
}
PyObject* random_dirichlet(PyObject* const* args) {
  const char* const function = "random.dirichlet";
  return wrap_raw(ops::dirichlet(bits_argument(args[0]), *Taken(args[1], function),
                                 rows_argument(args[2], function), flag_argument(args[3])));
}

Taken colors_argument(PyObject* o, const char* function) {
  try {
    return Taken(o, function);
  } catch (const TypeError&) {
    ops::refuse_colors();
  } catch (const nb::python_error&) {  // of NumPy, which reads lists
    ops::refuse_colors();
  }
}
std::int64_t nsample_argument(PyObject* o, const char* function) {
  const std::string name = std::string("cuprum.") + function + ": nsample must ";
  const nb::object number = nb::steal(PyNumber_Index(o));
  if (!number.is_valid()) {
    PyErr_Clear();
    throw ValueError(name + "be an integer");
  }
  int beyond = 0;
  const long long n = PyLong_AsLongLongAndOverflow(number.ptr(), &beyond);
  if (beyond > 0)
    throw ValueError(name + "not exceed " + std::to_string(std::numeric_limits<long long>::max()));
  return n;  // far below zero: -1
}
PyObject* random_multivariate_hypergeometric(PyObject* const* args) {
  const char* const function = "random.multivariate_hypergeometric";
  const std::int64_t nsample = nsample_argument(args[2], function);
  return wrap_raw(ops::multivariate_hypergeometric(bits_argument(args[0]),
                                                   *colors_argument(args[1], function), nsample,
                                                   rows_argument(args[3], function), word(args[4])));
}
PyObject* random_multivariate_normal(PyObject* const* args) {
  const char* const function = "random.multivariate_normal";
  const std::string check_valid = word(args[4]), method = word(args[6]);
  ops::NormalVectorArgs how;
  how.size = rows_argument(args[3], function);
  how.check_valid = check_valid;
  how.tol = PyFloat_AsDouble(args[5]);
  if (how.tol == -1 && PyErr_Occurred()) throw_named_error(function, "tol");
  how.method = method;
  how.legacy = flag_argument(args[7]);
  return wrap_raw(ops::multivariate_normal(bits_argument(args[0]), *Taken(args[1], function),
                                           *Taken(args[2], function), how));
}

constinit Function kDraw = {"random_draw",
                            "bits, law, parameters, size=None, legacy=False, dtype=None, out=None, /",
                            &random_draw, "Numbers of a law by name.", ResultClass::plain};
constinit Function kIntegers = {"random_integers",
                                "bits, low, high, size=None, dtype=None, endpoint=False, masked=False, /",
                                &random_integers, "Integers between bounds.", ResultClass::plain};
constinit Function kRaw = {"random_raw", "bits, shape, /", &random_raw, "Draws of 64 bits."};
constinit Function kWords = {"random_words", "bits, length, /", &random_words, "Draws of 32 bits."};
constinit Function kShuffled = {"random_shuffled", "bits, rows, n, /", &random_shuffled,
                                "Positions in random order."};
constinit Function kSampled = {"random_sampled", "bits, population, count, shuffled, /", &random_sampled,
                               "Positions, none twice."};
constinit Function kMultinomial = {"random_multinomial", "bits, n, pvals, size=None, legacy=False, /",
                                   &random_multinomial, "Multinomial counts.", ResultClass::plain};
constinit Function kDirichlet = {"random_dirichlet", "bits, alpha, size=None, legacy=False, /",
                                 &random_dirichlet, "Shares.", ResultClass::plain};
constinit Function kHypergeometric = {
    "random_multivariate_hypergeometric", "bits, colors, nsample, size, method, /",
    &random_multivariate_hypergeometric, "Colors of a sample.", ResultClass::plain};
constinit Function kNormal = {"random_multivariate_normal",
                              "bits, mean, cov, size, check_valid, tol, method, legacy=False, /",
                              &random_multivariate_normal, "Normal vectors.", ResultClass::plain};

}  // namespace

void bind_random_functions(nb::module_& m) {
  nb::class_<BitGenerator>(m, "BitGenerator")
      .def("__init__",
           [](BitGenerator* self, const Text& kind, const std::vector<std::uint64_t>& words) {
             const BitKind k = kind_of(kind);
             new (self) BitGenerator(seeded(k, checked_seed(k, words)));
           })
      .def("state", &state_of)
      .def("set_state", &set_state)
      .def("seed_legacy",
           [](BitGenerator& self, nb::handle seed) {
             const std::vector<std::uint32_t> words = words_of(seed.ptr());
             self.set_state(seeded_legacy(words));
           })
      .def("seed_legacy_number",
           [](BitGenerator& self, std::uint32_t seed) { self.set_state(seeded_legacy(seed)); })
      .def("seed_words",
           [](BitGenerator& self, const std::vector<std::uint64_t>& words) {
             self.set_state(seeded(self.kind(), checked_seed(self.kind(), words)));
           })
      .def("advance", [](BitGenerator& self, const std::array<std::uint64_t, 4>& delta) {
        self.update([&](BitState& s) { advance(s, delta); });
      });
  add_functions(m, {entry<kDraw>(), entry<kIntegers>(), entry<kRaw>(), entry<kWords>(), entry<kShuffled>(),
                    entry<kSampled>(), entry<kMultinomial>(), entry<kDirichlet>(), entry<kHypergeometric>(),
                    entry<kNormal>()});
}

}  // namespace cuprum::python
