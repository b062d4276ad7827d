// A folder of a test's own, which goes when the test ends: tests of one machine run at the same time, each more than once.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace cuprum::testing_support {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(::testing::TempDir() + "cuprum_XXXXXX") {
    if (!mkdtemp(path_.data())) throw std::runtime_error("cannot make a folder like " + path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace cuprum::testing_support
