// ndarray.flags: an object with NumPy's names, as attributes and as keys.
#include "flags.h"

#include <string_view>

#include "casters.h"
#include "errors.h"

namespace cuprum::python {

namespace {

/// Looks at the array it came from, so that it always tells the present.
struct Flags {
  nb::object owner;
  const Array& array() const { return contents(owner.ptr()).array(); }
};

bool owns_data(PyObject* o) {
  const PyNdarray::State& s = contents(o).now();
  return s.base == nullptr && !s.array.storage()->lent;
}

/// NumPy's rule: whose memory it is decides, and of a view the array that it was taken from.
bool may_be_writeable(const PyNdarray::State& s) {
  if (s.array.storage()->read_only) return false;
  return !s.base || !is_ndarray(s.base) || contents(s.base).array().writeable();
}

void set_writeable(PyObject* o, bool writeable) {
  const PyNdarray::State& s = contents(o).now();
  if (writeable == s.array.writeable()) return;
  if (writeable && !may_be_writeable(s)) throw ValueError("cannot set WRITEABLE flag to True of this array");
  Array changed = s.array;
  changed.set_writeable(writeable);
  contents(o).become(std::move(changed), s.base);
}

struct Flag {
  const char* name;  // the attribute
  const char* key;   // between brackets
  const char* short_key;
  bool (*get)(const Flags&);
};

constexpr Flag kFlags[] = {
    {"c_contiguous", "C_CONTIGUOUS", "C", [](const Flags& f) { return f.array().c_contiguous(); }},
    {"f_contiguous", "F_CONTIGUOUS", "F", [](const Flags& f) { return f.array().f_contiguous(); }},
    {"owndata", "OWNDATA", "O", [](const Flags& f) { return owns_data(f.owner.ptr()); }},
    {"writeable", "WRITEABLE", "W", [](const Flags& f) { return f.array().writeable(); }},
    {"aligned", "ALIGNED", "A", [](const Flags&) { return true; }},
    {"writebackifcopy", "WRITEBACKIFCOPY", "X", [](const Flags&) { return false; }},
    {"contiguous", "CONTIGUOUS", "C", [](const Flags& f) { return f.array().c_contiguous(); }},
    {"fortran", "FORTRAN", "F", [](const Flags& f) { return f.array().f_contiguous(); }},
    {"fnc", "FNC", "FNC",
     [](const Flags& f) { return f.array().f_contiguous() && !f.array().c_contiguous(); }},
    {"forc", "FORC", "FORC",
     [](const Flags& f) { return f.array().f_contiguous() || f.array().c_contiguous(); }},
    {"behaved", "BEHAVED", "B", [](const Flags& f) { return f.array().writeable(); }},
    {"carray", "CARRAY", "CA",
     [](const Flags& f) { return f.array().writeable() && f.array().c_contiguous(); }},
    {"farray", "FARRAY", "FA",
     [](const Flags& f) {
       return f.array().writeable() && f.array().f_contiguous() && !f.array().c_contiguous();
     }},
};

const Flag& find_flag(const std::string& key) {
  for (const Flag& f : kFlags) {
    if (key == f.key || key == f.short_key) return f;
  }
  throw nb::key_error("Unknown flag");
}

std::string to_text(const Flags& flags) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += std::string("  ") + kFlags[i].key + " : " + (kFlags[i].get(flags) ? "True" : "False") + "\n";
  }
  return text;
}

/// NumPy's bits of the flags that it stores.
int to_number(const Flags& flags) {
  constexpr int kBits[] = {0x1, 0x2, 0x4, 0x400, 0x100, 0x2000};  // in the order of kFlags
  int number = 0;
  for (int i = 0; i < 6; ++i) number |= kFlags[i].get(flags) ? kBits[i] : 0;
  return number;
}

void set_aligned(bool aligned) {
  if (!aligned) throw ValueError("cannot set aligned flag of this array to False");
}

void set_writebackifcopy(bool writeback) {
  if (writeback) throw ValueError("cannot set WRITEBACKIFCOPY flag to True");
}

void set_flag(Flags& self, const Flag& flag, bool on) {
  const std::string_view name = flag.name;
  if (name == "writeable") return set_writeable(self.owner.ptr(), on);
  if (name == "aligned") return set_aligned(on);
  if (name == "writebackifcopy") return set_writebackifcopy(on);
  throw nb::key_error("Unknown flag");
}

void setflags(nb::handle self, nb::handle write, nb::handle align, nb::handle uic) {
  if (!write.is_none()) set_writeable(self.ptr(), to_flag(write.ptr()));
  if (!align.is_none()) set_aligned(to_flag(align.ptr()));
  if (!uic.is_none()) set_writebackifcopy(to_flag(uic.ptr()));
}

}  // namespace

void bind_flags(NdarrayClass& c) {
  nb::class_<Flags> flags(c, "Flags");
  for (const Flag& f : kFlags) {
    const std::string_view name = f.name;
    const auto get = [get = f.get](const Flags& self) { return get(self); };
    if (name == "writeable" || name == "aligned" || name == "writebackifcopy") {
      flags.def_prop_rw(f.name, get,
                        [&f](Flags& self, nb::handle v) { set_flag(self, f, to_flag(v.ptr())); });
    } else {
      flags.def_prop_ro(f.name, get);
    }
  }
  flags.def_prop_ro("num", &to_number, "The flags as NumPy's bits.");
  flags.def("__getitem__", [](const Flags& self, const Text& key) { return find_flag(key.value).get(self); });
  flags.def("__setitem__", [](Flags& self, const Text& key, nb::handle v) {
    set_flag(self, find_flag(key.value), to_flag(v.ptr()));
  });
  flags.def("__repr__", &to_text);
  flags.def("__eq__", [](const Flags& a, const Flags& b) { return to_text(a) == to_text(b); });
  c.def_prop_ro(
      "flags", [](nb::handle self) { return Flags{nb::borrow(self)}; }, "Facts about the memory layout.");
  c.def("setflags", &setflags, nb::arg("write") = nb::none(), nb::arg("align") = nb::none(),
        nb::arg("uic") = nb::none(), "Sets the flag WRITEABLE.");
}

}  // namespace cuprum::python
