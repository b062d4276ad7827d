"""Tests that ask for what is not so with the device `auto`: small arrays compute at once, and take no memory of the
accelerator (CUPRUM_DEVICE=auto:far; `make test-auto`)."""

import os

ON_AUTO = os.environ.get("CUPRUM_DEVICE", "").startswith("auto")

IN_THE_CALL = "the host finds errors in the call"
REASONS = {
    "test_what_is_pending_is_handed_over": "leaving a stream hands over what is the accelerator's",
    "test_get_and_set_wait_for_their_stream_alone": "nobody waits for the host",
    "test_many_small_arrays_leave_nothing_behind": "they take no memory of the accelerator",
    "test_what_is_no_allocator": "nor do they ask an allocator",
    "test_an_allocator_that_fails_can_be_left": "nor do they ask an allocator",
    "test_a_late_error_comes_once_and_in_the_call_while_debugging": IN_THE_CALL,
    "test_bad_indices_are_found_at_the_latest_by_the_next_wait": IN_THE_CALL,
    "test_indices_from_the_host_need_no_waiting": IN_THE_CALL,
    "test_known_indices_need_no_waiting": IN_THE_CALL,
    "test_errors_are_told_as_ever": IN_THE_CALL,
    "test_what_the_device_made_or_is_long_is_not_known": "the host knows what it computes itself",
}
FILES = {"test_late_faults.py": IN_THE_CALL}


def why_left_out(item):
    return (
        (FILES.get(item.path.name) or REASONS.get(getattr(item, "originalname", item.name)))
        if ON_AUTO
        else None
    )
