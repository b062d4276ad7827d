// cuprum/error.h
#include "examples.h"

TEST(Examples, error) {
  // Error::what, Error::add_note
  try {
    cp::array{1.0, 2.0}(5).get();
  } catch (cp::IndexError& error) {
    shows(error.what(), "index 5 is out of bounds for axis 0 with size 2");
    error.add_note(", in the third step");
    shows(error.what(), "index 5 is out of bounds for axis 0 with size 2, in the third step");
  }
}
