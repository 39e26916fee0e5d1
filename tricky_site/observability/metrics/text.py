"""The text in which Prometheus reads figures."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Sample(NamedTuple):
    """One figure of a metric."""

    value: float
    labels: Mapping[str, str] = MappingProxyType({})
    ending: str = ""
    """Of its name, as parts of a histogram have."""


class Metric(NamedTuple):
    """Figures of one name."""

    name: str
    kind: Literal["counter", "gauge", "histogram"]
    about: str
    samples: Sequence[Sample]


def written(metrics: Iterable[Metric]) -> str:
    """Return metrics as text; one without a figure is left out."""
    return "".join(_lines(metric) for metric in metrics if metric.samples)


def _lines(metric: Metric) -> str:
    lines = [
        f"# HELP {metric.name} {metric.about}",
        f"# TYPE {metric.name} {metric.kind}",
        *(
            f"{metric.name}{sample.ending}{_labels(sample.labels)} {sample.value}"
            for sample in metric.samples
        ),
    ]
    return "\n".join(lines) + "\n"


def _labels(labels: Mapping[str, str]) -> str:
    # All are words of ours: nothing that a visitor chooses stands here.
    inside = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"{{{inside}}}" if inside else ""
