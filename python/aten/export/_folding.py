"""One form for calls with several results: names at the call, no nodes that select one of them."""

from __future__ import annotations

import dataclasses
from typing import Any

from ._graph import Graph, Node, Ref, mapped

_Place = tuple[str, tuple[int, ...]]  # the result of a call, and the indices of what is selected of it


def folded(graph: Graph) -> Graph:
    """The graph without `getitem` nodes. A result that nothing selects has the name None."""
    places: dict[str, _Place] = {}
    names: dict[_Place, str] = {}
    renamed: dict[str, str] = {}  # a second selection of the same result
    kept: list[Node] = []
    for node in graph.nodes:
        place = _selected(node, places)
        if place is not None:
            places[node.results] = place
            if names.setdefault(place, node.results) != node.results:
                renamed[node.results] = names[place]
            continue
        if isinstance(node.results, str) and "::" in node.target:
            places[node.results] = (node.results, ())
        kept.append(node)

    def current(ref: Ref) -> Ref:
        return Ref(renamed.get(ref.name, ref.name))

    nodes = tuple(
        dataclasses.replace(
            node,
            args=mapped(node.args, current),
            kwargs={k: mapped(v, current) for k, v in node.kwargs.items()},
            results=_results(node, names),
        )
        for node in kept
    )
    outputs = tuple(dataclasses.replace(o, value=mapped(o.value, current)) for o in graph.outputs)
    return dataclasses.replace(graph, nodes=nodes, outputs=outputs)


def _selected(node: Node, places: dict[str, _Place]) -> _Place | None:
    """The place that a getitem node selects; None for other nodes."""
    if (
        not node.target.endswith("operator.getitem")
        or len(node.args) != 2
        or not isinstance(node.results, str)
    ):
        return None
    of, index = node.args
    if not isinstance(of, Ref) or type(index) is not int or index < 0 or of.name not in places:
        return None
    root, path = places[of.name]
    return root, (*path, index)


def _results(node: Node, names: dict[_Place, str]) -> Any:
    if not isinstance(node.results, str):
        return node.results
    indices = [path[0] for root, path in names if root == node.results]
    if not indices and not isinstance(node.meta, tuple):
        return node.results

    def built(meta: Any, path: tuple[int, ...]) -> Any:
        if isinstance(meta, tuple):
            return tuple(built(m, (*path, i)) for i, m in enumerate(meta))
        return names.get((str(node.results), path))

    return built(node.meta if isinstance(node.meta, tuple) else (None,) * (max(indices) + 1), ())
