"""Several Python threads at once."""

import threading


def together(*functions, repeat=1):
    """Runs the functions at the same time; raises what any of them raised."""
    errors = []
    barrier = threading.Barrier(len(functions))

    def run(function):
        try:
            barrier.wait()
            for _ in range(repeat):
                function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(f,)) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
