// cuprum/memory.h
#include "examples.h"

TEST(Examples, memory) {
  // memory_pool::memory_pool, allocator_scope::allocator_scope
  {
    const cp::memory_pool pool;
    const cp::allocator_scope here(pool);
    const cp::array a = cp::ones({1024});
    cp::evaluate({a});
    shows(pool.used_bytes() >= a.nbytes(), "true");
  }
  // memory_pool::used_bytes, memory_pool::free_bytes, memory_pool::total_bytes, memory_pool::free_all_blocks
  {
    const cp::memory_pool pool;
    {
      const cp::allocator_scope here(pool);
      cp::evaluate({cp::ones({1024})});
    }
    shows(pool.used_bytes(), "0");
    shows(pool.free_bytes() == pool.total_bytes(), "true");  // kept for reuse
    pool.free_all_blocks();
    shows(pool.total_bytes(), "0");
  }
  // memory_pool::peak_bytes, memory_pool::peak_total_bytes, memory_pool::reset_peak
  {
    const cp::memory_pool pool;
    {
      const cp::allocator_scope here(pool);
      cp::evaluate({cp::ones({1024})});
    }
    shows(pool.peak_bytes() >= 8192, "true");
    shows(pool.peak_total_bytes() >= pool.peak_bytes(), "true");
    pool.reset_peak();
    shows(pool.peak_bytes(), "0");
  }
  // memory_pool::n_allocations, memory_pool::n_hits, memory_pool::n_device_allocations,
  // memory_pool::n_free_blocks
  {
    const cp::memory_pool pool;
    {
      const cp::allocator_scope here(pool);
      for (int i = 0; i < 3; ++i) cp::evaluate({cp::ones({1024})});
    }
    shows(pool.n_allocations() >= 3, "true");
    shows(pool.n_hits() >= 2, "true");  // the second and the third
    shows(pool.n_device_allocations() >= 1, "true");
    shows(pool.n_free_blocks() >= 1, "true");
  }
  // memory_pool::get_limit, memory_pool::set_limit
  {
    const cp::memory_pool pool;
    pool.set_limit(1 << 20);
    shows(pool.get_limit(), "1048576");
    const cp::allocator_scope here(pool);
    try {
      cp::evaluate({cp::ones({1 << 20})});
    } catch (const cp::OutOfMemoryError&) {
      shows(pool.used_bytes(), "0");
    }
  }
  // memory_pool::set_limit_fraction
  {
    const cp::memory_pool pool;
    pool.set_limit_fraction(0.5);  // half of the device's memory
    shows(pool.get_limit() > 0, "true");
  }
  // get_default_memory_pool
  {
    const cp::array a = cp::ones({1024});
    cp::evaluate({a});
    shows(cp::get_default_memory_pool().used_bytes() >= a.nbytes(), "true");
  }
  // set_allocator
  {
    const cp::memory_pool pool;
    cp::set_allocator(pool);
    const cp::array a = cp::ones({1024});
    cp::evaluate({a});
    shows(pool.used_bytes() >= a.nbytes(), "true");
    cp::set_allocator(cp::get_default_memory_pool());
  }
  // allow_spill, spill_is_allowed
  {
    cp::allow_spill(true);
    shows(cp::spill_is_allowed(), "true");
    cp::allow_spill(false);
  }
  // spilled_bytes
  shows(cp::spilled_bytes().on_host, "0");
}
