"""aten.nn on a CUDA device: modules that move there and back, with their optimizers."""

from __future__ import annotations

from device_programs import check, needs_device

pytestmark = needs_device


def test_a_module_moves_with_its_parameters_and_their_optimizer():
    check(
        """
        from aten import nn
        model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
        optimizer = aten.optim.AdamW(model.parameters(), lr=0.1)
        x = aten.arange(15.).view(5, 3) / 7
        model(x).sum().backward()
        before = list(model.parameters())
        model.cuda()
        after = list(model.parameters())
        assert all(a is b for a, b in zip(before, after))
        assert all(p.is_cuda and p.grad.is_cuda and p.is_leaf for p in after)
        assert all(b.is_cuda for b in model.buffers())
        start = [p.detach().clone() for p in after]
        optimizer.step()
        assert all((p != s).any() for p, s in zip(after, start) if p.dim() > 1)
        optimizer.zero_grad()
        model(x.cuda()).sum().backward()
        assert all(p.grad.is_cuda for p in after)
        model.to("cpu")
        assert not any(t.is_cuda for t in (*model.parameters(), *model.buffers()))
        """
    )


def test_a_checkpoint_of_a_device_is_read_to_it_or_to_the_host():
    check(
        """
        import io
        file = io.BytesIO()
        x = aten.arange(6., device="cuda").view(2, 3)
        aten.save({"x": x, "view": x[1]}, file)
        file.seek(0)
        found = aten.load(file)
        assert found["x"].is_cuda and found["x"].tolist() == x.tolist()
        found["view"].zero_()
        assert found["x"][1].tolist() == [0., 0., 0.]
        file.seek(0)
        found = aten.load(file, map_location="cpu")
        assert not found["x"].is_cuda and found["x"].tolist() == x.tolist()
        """
    )
