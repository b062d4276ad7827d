#include "examples.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace {

class FolderForFiles : public testing::Environment {
  void SetUp() override {
    std::string pattern = testing::TempDir() + "cuprum_examples_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path folder_, before_;
};

const testing::Environment* const folder = testing::AddGlobalTestEnvironment(new FolderForFiles);

}  // namespace
