"""Draws the curve of the loss as an SVG."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN = 640, 320, 40, 30, 16
COLOURS = {"training": "#1f77b4", "validation": "#d95f02"}
STYLE = "text { font: 9pt sans-serif; fill: #777 } path { fill: none; stroke-width: 2 } line { stroke: #bbb }"


def svg(losses: Sequence[float], validated: Sequence[tuple[int, float]], every: int) -> str:
    """The mean loss of each `every` steps of training, and the losses of validation."""
    means = []
    for first in range(0, len(losses), every):
        part = losses[first : first + every]
        means.append((first + len(part) / 2, sum(part) / len(part)))
    curves = {"training": means, "validation": validated}
    top = 1 + int(max(loss for points in curves.values() for _, loss in points))

    def place(step: float, loss: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - MARGIN) * step / len(losses)
        return round(x, 1), round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - MARGIN) * loss / top, 1)

    parts = []
    for loss in range(top + 1):
        x, y = place(0, loss)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{WIDTH - MARGIN}" y2="{y}"/>')
        parts.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end">{loss}</text>')
    for step in (len(losses) * quarter // 4 for quarter in range(5)):
        x, y = place(step, 0)
        parts.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{step}</text>')
    for row, (name, points) in enumerate(curves.items(), 2):
        line = " L".join("{},{}".format(*place(*point)) for point in points)
        parts.append(f'<path d="M{line}" stroke="{COLOURS[name]}"/>')
        at = f'x="{WIDTH - 120}" y="{18 * row}"'
        parts.append(f'<text {at} style="fill: {COLOURS[name]}">{name} loss</text>')
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>\n{body}\n</svg>\n'
