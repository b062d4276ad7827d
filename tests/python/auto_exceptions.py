"""Tests that ask for what is not so with the device `auto`: small arrays compute at once, and take no memory of the
accelerator (CUPRUM_DEVICE=auto:far; `make test-auto`)."""

import os

ON_AUTO = os.environ.get("CUPRUM_DEVICE", "").startswith("auto")

REASONS = {
    "test_what_is_pending_is_handed_over": "leaving a stream hands over what is the accelerator's",
    "test_get_and_set_wait_for_their_stream_alone": "nobody waits for the host",
    "test_many_small_arrays_leave_nothing_behind": "they take no memory of the accelerator",
    "test_what_is_no_allocator": "nor do they ask an allocator",
    "test_an_allocator_that_fails_can_be_left": "nor do they ask an allocator",
    "test_a_late_error_comes_once_and_in_the_call_while_debugging": "the host finds errors in the call",
}


def why_left_out(item):
    return REASONS.get(getattr(item, "originalname", item.name)) if ON_AUTO else None
