"""Mixed precision on a CUDA device: casts by CUDA's own lists, and scaled gradients."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device


def test_operators_cast_by_cudas_lists():
    check(
        """
        F = aten.nn.functional
        x = aten.arange(6., device="cuda").view(2, 3) / 4
        w = aten.ones(3, 3, device="cuda", requires_grad=True)
        small = x.half()
        with aten.autocast("cuda"):
            assert aten.is_autocast_enabled("cuda") and not aten.is_autocast_enabled("cpu")
            assert (x @ w).dtype is aten.float16
            assert F.linear(x, w).dtype is aten.float16
            assert aten.exp(small).dtype is F.layer_norm(small, [3]).dtype is aten.float32
            assert F.softmax(small, 0).dtype is small.sum().dtype is aten.float32
            assert small.sum(dtype=aten.float16).dtype is aten.float16
            assert aten.norm(small).dtype is aten.norm(small, 2, 0).dtype is aten.float32
            assert aten.addcmul(small, x, small).dtype is aten.float32
            assert aten.addcmul(small, small, small).dtype is aten.float16
            assert (small + small).dtype is aten.float16 and aten.exp(x.double()).dtype is aten.float64
            assert (x.cpu() @ w.detach().cpu()).dtype is aten.float32
            try:
                F.binary_cross_entropy(x.sigmoid(), x.sigmoid())
                raise AssertionError("no error")
            except RuntimeError as error:
                assert "unsafe to autocast" in str(error) and "binary_cross_entropy_with_logits" in str(error)
            with aten.autocast("cuda", aten.bfloat16), aten.autocast("cpu"):
                assert (x @ w).dtype is aten.bfloat16
                assert (x.cpu() @ w.detach().cpu()).dtype is aten.bfloat16
            with aten.autocast("cuda", enabled=False):
                assert (x @ w).dtype is aten.float32
        assert (x @ w).dtype is aten.float32 and aten.exp(small).dtype is aten.float16
        """
    )


def test_gradients_and_values_are_those_of_casts_by_hand():
    check(
        """
        x = aten.arange(6., device="cuda").view(2, 3) / 4
        weights = [aten.arange(9., device="cuda").view(3, 3).div(8).requires_grad_() for _ in range(2)]
        with aten.autocast("cuda"):
            y = (x @ weights[0]).exp()
        z = (x.half() @ weights[1].half()).float().exp()
        y.sum().backward()
        z.sum().backward()
        assert y.dtype is aten.float32 and y.tolist() == z.tolist()
        assert weights[0].grad.dtype is aten.float32
        assert weights[0].grad.tolist() == weights[1].grad.tolist()
        """
    )


def test_gradients_are_scaled_and_steps_with_infinite_ones_skipped():
    check(
        """
        for fused in (False, True):
            p = aten.ones(3, device="cuda", requires_grad=True)
            optimizer = aten.optim.SGD([p], lr=1.0, fused=fused)
            scaler = aten.amp.GradScaler(init_scale=8.0, growth_interval=2)
            scales = []
            for factor in (1.0, float("inf"), 1.0, 1.0):
                optimizer.zero_grad()
                scaler.scale(p.sum() / 4).backward()
                p.grad[1] *= factor
                scaler.step(optimizer)
                scaler.update()
                scales.append(scaler.get_scale())
            assert scales == [8.0, 4.0, 4.0, 8.0], scales
            assert p.tolist() == [0.25] * 3, p
        """
    )
