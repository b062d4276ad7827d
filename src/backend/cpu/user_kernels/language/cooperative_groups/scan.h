// Scans over the threads of a group.
#pragma once

#include "cooperative_groups/reduce.h"
