// The attributes of a ufunc, made from its row of the table.
#include <algorithm>
#include <string>
#include <vector>

#include "core/op_signatures.h"
#include "errors.h"
#include "ufunc.h"

namespace cuprum::python {

namespace {

const PyUfunc& ufunc_of(PyObject* self) { return *reinterpret_cast<PyUfunc*>(self); }

Op first_op(const PyUfunc& u) { return u.pair ? u.pair->first : u.op; }

/// NumPy's letters for a loop: "dd->d". bfloat16 is 'E'.
std::string loop_text(const PyUfunc& u, const Signature& s) {
  std::string text;
  auto letter = [](dtype t) { return t == dtype::int64 ? 'l' : t == dtype::uint64 ? 'L' : char_of_dtype(t); };
  for (int i = 0; i < u.nin; ++i) text += letter(s.in[i]);
  text += "->";
  text += letter(s.out);
  if (u.pair) {
    const Signature* second = find_signature(u.pair->second, s.key);
    text += letter(second ? second->out : s.out);
  }
  return text;
}

/// All loops. NumPy has int64 and uint64 twice: as C's long ('l', 'L') and, behind them, as long long ('q', 'Q').
std::vector<std::string> loop_texts(const PyUfunc& u) {
  std::vector<std::string> texts, twins;
  for (const Signature& s : info(first_op(u)).signatures) {
    std::string text = loop_text(u, s);
    const bool of_longs = text.find_first_not_of("lL") >= static_cast<std::size_t>(u.nin);
    if (!of_longs) {
      texts.insert(texts.end(), twins.begin(), twins.end());
      twins.clear();
    }
    texts.push_back(text);
    if (!of_longs) continue;
    std::replace(text.begin(), text.end(), 'l', 'q');
    std::replace(text.begin(), text.end(), 'L', 'Q');
    twins.push_back(std::move(text));
  }
  texts.insert(texts.end(), twins.begin(), twins.end());
  return texts;
}

PyObject* get_types(PyObject* self, void*) noexcept {
  return guarded([&] {
    nb::list types;
    for (const std::string& text : loop_texts(ufunc_of(self))) types.append(text);
    return types.release().ptr();
  });
}

PyObject* get_ntypes(PyObject* self, void*) noexcept {
  return guarded([&] { return PyLong_FromSize_t(loop_texts(ufunc_of(self)).size()); });
}

PyObject* get_identity(PyObject* self, void*) noexcept {
  const PyUfunc& u = ufunc_of(self);
  switch (u.pair ? Identity::none : info(u.op).identity) {
    case Identity::zero: return PyLong_FromLong(0);
    case Identity::one: return PyLong_FromLong(1);
    case Identity::minus_one: return PyLong_FromLong(-1);
    case Identity::true_: return Py_NewRef(Py_True);
    case Identity::false_: return Py_NewRef(Py_False);
    case Identity::minus_inf: return PyFloat_FromDouble(-HUGE_VAL);
    case Identity::none: break;
  }
  return Py_NewRef(Py_None);
}

std::string parameters_text(const PyUfunc& u) {
  std::string text = "(";
  for (int i = 0; i < u.nin; ++i) text += u.nin == 1 ? "x, " : "x" + std::to_string(i + 1) + ", ";
  text += u.nout == 1 ? "/, out=None" : "/, out=(None, None)";
  return text + ", *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)";
}

PyObject* get_doc(PyObject* self, void*) noexcept {
  return guarded([&] {
    const PyUfunc& u = ufunc_of(self);
    const nb::object make = nb::module_::import_("cuprum._reference").attr("ufunc_text");
    return make(u.name + parameters_text(u), u.doc, u.name).release().ptr();
  });
}

/// For inspect.signature: the text is compiled by Python itself.
PyObject* get_signature(PyObject* self, void*) noexcept {
  return guarded([&] {
    const std::string code = "lambda " + [&] {
      std::string p = parameters_text(ufunc_of(self));
      return p.substr(1, p.size() - 2);
    }() + ": None";
    nb::object builtins = nb::module_::import_("builtins");
    nb::object function = builtins.attr("eval")(code, nb::dict());
    return nb::module_::import_("inspect").attr("signature")(function).release().ptr();
  });
}

template <int PyUfunc::*member>
PyObject* get_int(PyObject* self, void*) noexcept {
  return PyLong_FromLong(ufunc_of(self).*member);
}

PyObject* get_nargs(PyObject* self, void*) noexcept {
  return PyLong_FromLong(ufunc_of(self).nin + ufunc_of(self).nout);
}
PyObject* get_name(PyObject* self, void*) noexcept { return PyUnicode_FromString(ufunc_of(self).name); }
PyObject* get_none(PyObject*, void*) noexcept { return Py_NewRef(Py_None); }

}  // namespace

PyGetSetDef ufunc_getset[] = {
    {"nin", &get_int<&PyUfunc::nin>, nullptr, "Number of inputs.", nullptr},
    {"nout", &get_int<&PyUfunc::nout>, nullptr, "Number of results.", nullptr},
    {"nargs", &get_nargs, nullptr, "Number of inputs and results.", nullptr},
    {"ntypes", &get_ntypes, nullptr, "Number of loops.", nullptr},
    {"types", &get_types, nullptr, "The loops, in NumPy's letters.", nullptr},
    {"identity", &get_identity, nullptr, "What reduce starts from, or None.", nullptr},
    {"signature", &get_none, nullptr, "None: the ufunc works on single elements.", nullptr},
    {"__name__", &get_name, nullptr, nullptr, nullptr},
    {"__qualname__", &get_name, nullptr, nullptr, nullptr},
    {"__doc__", &get_doc, nullptr, nullptr, nullptr},
    {"__signature__", &get_signature, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace cuprum::python
