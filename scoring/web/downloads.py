"""What is handed out as a file to keep."""

from django.http import Http404, HttpResponse

from scoring.pages.charts import Chart


def as_download(chart: Chart | None) -> HttpResponse:
    """Answer with a chart as a file to keep; 404 where there is none."""
    if chart is None:
        raise Http404
    answer = HttpResponse(chart.as_file(), content_type="image/svg+xml; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{chart.id}.svg"'
    return answer
