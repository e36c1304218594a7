"""aten.cuda: random states of devices."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device


def test_each_device_has_a_state():
    check(
        """
        cuda = aten.cuda
        cuda.manual_seed_all(7)
        assert cuda.initial_seed() == 7
        a = aten.rand(5, device="cuda:0").tolist()
        assert a == aten.rand(5, device="cuda:1").tolist()
        states = cuda.get_rng_state_all()
        assert len(states) == 2 and states[0].dtype == aten.uint8 and states[0].is_cpu
        b = aten.rand(5, device="cuda:1").tolist()
        assert b != a
        cuda.set_rng_state(states[1], "cuda:1")
        assert aten.rand(5, device="cuda:1").tolist() == b
        cuda.set_rng_state_all(states)
        assert aten.rand(5, device="cuda:0").tolist() == b
        with cuda.device(1):
            cuda.manual_seed(9)
            assert cuda.initial_seed() == 9
        assert cuda.initial_seed() == 7
        cuda.seed_all()
        assert cuda.initial_seed() != 7 and aten.equal(cuda.get_rng_state(0), cuda.get_rng_state(1))
        """,
        devices=2,
    )


def test_generators_are_of_a_device():
    check(
        """
        g = aten.Generator(device="cuda:1")
        assert g.device == aten.device("cuda:1") and aten.Generator("cuda").device == aten.device("cuda:0")
        g.manual_seed(3)
        state = g.get_state()
        a = aten.rand(5, device="cuda:1", generator=g).tolist()
        assert a == aten.rand(5, generator=aten.Generator().manual_seed(3)).tolist()
        g.set_state(state)
        assert aten.rand(5, device="cuda:1", generator=g).tolist() == a
        try:
            aten.rand(5, generator=g)
        except RuntimeError as error:
            assert "generator" in str(error)
        else:
            raise AssertionError
        """,
        devices=2,
    )


def test_a_seed_from_before_the_first_use_counts():
    seeded = "aten.manual_seed(5); print(aten.rand(3, device='cuda').tolist(), aten.rand(3).tolist())"
    first, second = check(seeded), check(seeded)
    assert first == second
    device, host = first.split("] [")
    assert device.strip("[]\n") == host.strip("[]\n")
