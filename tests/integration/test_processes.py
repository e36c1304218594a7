"""Import, threads and fork: how the library behaves in a process."""

from __future__ import annotations

from collections.abc import Callable


def test_import_takes_little(python: Callable[..., str]) -> None:
    """`import aten` loads no NumPy, no PyTorch and no CUDA driver."""
    program = """
        import sys
        before = set(sys.modules)
        import aten
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        assert not new & {"numpy", "torch", "opgen", "mako", "yaml", "subprocess", "asyncio"}, new
        maps = open("/proc/self/maps").read()
        assert "libcuda" not in maps and "libcudart" not in maps and "libcublas" not in maps
        print(aten.ones(2).tolist())
    """
    assert python(program) == "[1.0, 1.0]\n"


def test_absent_devices_are_an_error(python: Callable[..., str]) -> None:
    program = """
        import aten
        try:
            aten.ones(2, device="privateuseone")
        except NotImplementedError as error:
            print(error)
    """
    assert "no kernel for dispatch key PrivateUse1" in python(program)


def test_fork_after_parallel_work(python: Callable[..., str]) -> None:
    program = """
        import os
        import aten
        aten.set_num_threads(2)
        x = aten.ones(2000, 2000)
        assert (x + x).sum().item() == 8e6
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                y = (x * 3 + aten.ones(2000, 2000)).sum().item()
                z = aten.mm(aten.ones(300, 300), aten.ones(300, 300)).sum().item()
                os._exit(0 if y == 1.6e7 and z == 300**3 else 1)
            children.append(child)
        assert all(os.waitpid(child, 0)[1] == 0 for child in children)
        assert (x + x).sum().item() == 8e6
        print("good")
    """
    assert python(program) == "good\n"


def test_threads(python: Callable[..., str]) -> None:
    program = """
        import threading
        import aten
        wrong = []

        def work(n):
            for i in range(100):
                x = aten.full((n, 257), i, dtype=aten.float32)
                if (x.t() + i).sum().item() != 2.0 * i * n * 257:
                    wrong.append((n, i))

        threads = [threading.Thread(target=work, args=(n,)) for n in (1, 10, 400, 400)]
        for t in threads: t.start()
        for t in threads: t.join()
        assert not wrong, wrong
        print("good")
    """
    assert python(program) == "good\n"


def test_exit_with_threads_and_tensors_alive(python: Callable[..., str]) -> None:
    program = """
        import threading, time
        import aten
        keep = [aten.ones(1000) for _ in range(100)]

        def work():
            while True:
                aten.ones(500, 500).exp()

        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.1)
    """
    assert python(program) == ""
