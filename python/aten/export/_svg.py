"""The layout of a graph as SVG: a column of boxes; edges that skip boxes run beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from ._readable import printable

if TYPE_CHECKING:
    from ._drawing import Box, Edge, Frame

_FONT, _LETTER, _LINE = 12, 7.3, 16  # points; the width and height of a letter
_GAP, _PAD, _LANE = 28, 10, 14  # between rows; around texts and frames; between edges beside the column
_STYLE = f"text{{font:{_FONT}px monospace}}.box{{fill:#eef4ff;stroke:#446}}.frame{{fill:none;stroke:#999}}"
_STYLE += ".edge{fill:none;stroke:#446}.size{font-size:10px;fill:#446}.title{fill:#777}"
_ARROW = '<marker id="arrow" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
_ARROW += '<path d="M0,0L8,4L0,8z" fill="#446"/></marker>'


@dataclasses.dataclass
class _Page:
    """What is drawn so far; `y` is where the next row begins."""

    center: float
    y: float = _PAD
    parts: list[str] = dataclasses.field(default_factory=list)
    rows: dict[str, tuple[int, float, float, float]] = dataclasses.field(default_factory=dict)


def svg(items: tuple[Any, ...], edges: list[Edge]) -> str:
    """The picture of boxes and frames, in order from top to bottom."""
    column = _column(items)
    page = _Page(center=_PAD + column / 2)
    _place(page, items, column)
    right = _connect(page, edges, _PAD + column)
    size = f'width="{right:.0f}" height="{page.y:.0f}" viewBox="0 0 {right:.0f} {page.y:.0f}"'
    body = "\n".join(page.parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{_STYLE}</style>\n'
        f"<defs>{_ARROW}</defs>\n{body}\n</svg>\n"
    )


def _column(items: Iterable[Any]) -> float:
    """The width of the widest item, frames included."""
    widths = [0.0]
    for item in items:
        if hasattr(item, "items"):
            widths.append(max(_column(item.items), _LETTER * len(item.title)) + 2 * _PAD)
        else:
            widths.append(_width(item))
    return max(widths)


def _width(box: Box) -> float:
    return _LETTER * max(len(printable(line)) for line in box.lines) + 2 * _PAD


def _place(page: _Page, items: tuple[Any, ...], width: float) -> None:
    for item in items:
        if hasattr(item, "items"):
            _place_frame(page, item, width)
        else:
            _place_box(page, item)


def _place_frame(page: _Page, frame: Frame, width: float) -> None:
    top, x = page.y, page.center - width / 2
    page.parts.append("")  # the frame lies behind what it holds
    at = len(page.parts) - 1
    page.y += _LINE + _PAD
    _place(page, frame.items, width - 2 * _PAD)
    page.y += _PAD - _GAP
    place = f'x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{page.y - top:.1f}"'
    title = _text(frame.title, x + 6, top + _LINE - 2, "title")
    page.parts[at] = f'<rect class="frame" {place} rx="4"/>{title}'
    page.y += _GAP


def _place_box(page: _Page, box: Box) -> None:
    width, height = _width(box), _LINE * len(box.lines) + _PAD
    x, y = page.center - width / 2, page.y
    texts = [_text(line, x + _PAD, y + _LINE * (i + 1)) for i, line in enumerate(box.lines)]
    tip = f"<title>{_clean(box.tip)}</title>" if box.tip else ""
    page.parts.append(
        f'<g>{tip}<rect class="box" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="4"/>'
        f"{''.join(texts)}</g>"
    )
    page.rows[box.name] = (len(page.rows), y, y + height, x + width)
    page.y += height + _GAP


def _connect(page: _Page, edges: list[Edge], column: float) -> float:
    """Draws the edges; the right end of the picture."""
    lanes: list[float] = []  # where the last edge of each lane ends
    labels = [0.0]
    right = column
    beside = []
    for edge in sorted(edges, key=lambda e: page.rows[e.source][0]):
        row, _, bottom, _ = page.rows[edge.source]
        other, top, _, _ = page.rows[edge.target]
        if other == row + 1:
            line = f"M{page.center:.1f},{bottom}L{page.center:.1f},{top}"
            page.parts.append(_line(line) + _text(edge.label, page.center + 6, bottom + 12, "size"))
            right = max(right, page.center + 6 + 6.2 * len(edge.label))
            continue
        lane = next((i for i, end in enumerate(lanes) if end < bottom - 4), len(lanes))
        lanes[lane : lane + 1] = [top + 4]
        beside.append((edge, lane))
        labels.append(6.2 * len(edge.label))
    for edge, lane in beside:
        page.parts.append(_beside(page, edge, column + _LANE * (lane + 1)))
    return max(right, column + _LANE * (len(lanes) + 1) + max(labels)) + _PAD


def _beside(page: _Page, edge: Edge, x: float) -> str:
    _, _, bottom, start = page.rows[edge.source]
    _, top, _, end = page.rows[edge.target]
    y, to = bottom - 6, top + 6
    path = f"M{start:.1f},{y}L{x - 6:.1f},{y}Q{x:.1f},{y} {x:.1f},{y + 6}L{x:.1f},{to - 6}"
    path += f"Q{x:.1f},{to} {x - 6:.1f},{to}L{end:.1f},{to}"
    return _line(path) + _text(edge.label, x + 3, y + 16, "size")


def _line(path: str) -> str:
    return f'<path class="edge" marker-end="url(#arrow)" d="{path}"/>'


def _text(text: str, x: float, y: float, kind: str = "") -> str:
    if not text:
        return ""
    style = f' class="{kind}"' if kind else ""
    return f'<text{style} x="{x:.1f}" y="{y:.1f}">{_clean(text)}</text>'


def _clean(text: str) -> str:
    return escape(printable(text))
