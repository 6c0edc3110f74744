"""`pb_utils.MetricFamily`: metrics of a model's own on the server's metrics page."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from .host import host

COUNTER, GAUGE, HISTOGRAM = "COUNTER", "GAUGE", "HISTOGRAM"


class Metric:
    """One metric of a family. TritonModelException where the server refuses a change."""

    def __init__(self, family: dict[str, Any], labels: dict[str, str], buckets: Optional[list[float]]) -> None:
        self._about = {**family, "labels": labels, **({} if buckets is None else {"buckets": buckets})}
        self._ask("declare")

    def increment(self, value: float) -> None:
        self._ask("increment", amount=float(value))

    def set(self, value: float) -> None:
        self._ask("set", amount=float(value))

    def observe(self, value: float) -> None:
        self._ask("observe", amount=float(value))

    def value(self) -> float:
        return float(self._ask("value").get("value", 0.0))

    def _ask(self, action: str, **more: float) -> dict[str, Any]:
        return host.calls_for("a custom metric").metric(**self._about, action=action, **more)


class MetricFamily:
    """A family: name, description and kind. Its metrics differ in their labels."""

    COUNTER, GAUGE, HISTOGRAM = COUNTER, GAUGE, HISTOGRAM

    def __init__(self, name: str, description: str, kind: str) -> None:
        if kind not in (COUNTER, GAUGE, HISTOGRAM):
            raise ValueError(f"the kind of metric family '{name}' must be COUNTER, GAUGE or HISTOGRAM, got {kind!r}")
        self._family = {"family": name, "description": description, "kind": kind}

    def Metric(self, labels: Optional[dict[str, str]] = None, buckets: Optional[Sequence[float]] = None) -> Metric:  # noqa: N802
        """`buckets`: ascending upper bounds, of a histogram only."""
        if self._family["kind"] == HISTOGRAM and not buckets:
            raise ValueError("a histogram needs buckets, such as [0.1, 1.0, 10.0]")
        if self._family["kind"] != HISTOGRAM and buckets is not None:
            raise ValueError("only a histogram has buckets")
        texts = {str(name): str(value) for name, value in (labels or {}).items()}
        return Metric(self._family, texts, None if buckets is None else [float(bound) for bound in buckets])
