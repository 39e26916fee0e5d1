// Draws the pictures of a page with Chart.js, in the colours of the theme: the line that
// matters in the accent, the others in faint ink, each named at its end.
const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

function colour(name) {
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

function faint(rgb, share) {
  const parts = rgb.match(/[\d.]+/g).slice(0, 3);
  return `rgba(${parts.join(",")},${share})`;
}

const paper = {
  id: "paper",
  beforeDraw({ ctx, width, height }) {
    ctx.save();
    ctx.fillStyle = colour("--paper");
    ctx.fillRect(0, 0, width, height);
    ctx.restore();
  },
};

// Moves labels apart from the top down, so that none covers another.
function apart(places, gap) {
  places.sort((one, other) => one.y - other.y);
  places.forEach((place, index) => {
    if (index) place.y = Math.max(place.y, places[index - 1].y + gap);
  });
  return places;
}

const names = {
  id: "names",
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    const places = [];
    chart.data.datasets.forEach((line, index) => {
      const last = chart.getDatasetMeta(index).data.findLast((point) => !point.skip);
      if (line.named && last) places.push({ line, x: last.x, y: last.y });
    });
    ctx.save();
    ctx.textBaseline = "middle";
    for (const { line, x, y } of apart(places, 16)) {
      ctx.font = `${line.main ? 650 : 400} 14px ${getComputedStyle(document.body).fontFamily}`;
      ctx.fillStyle = line.main ? colour("--accent-text") : colour("--ink");
      ctx.fillText(line.label, Math.min(x, chart.chartArea.right) + 8, y, 100);
    }
    ctx.restore();
  },
};

function line(one, told) {
  const ink = one.main ? colour("--accent-text") : faint(colour("--ink"), 0.4);
  const shared = { label: one.name, main: one.main, spanGaps: true, clip: false };
  const drawn = {
    ...shared,
    data: one.values,
    named: told.series.length > 1,
    borderColor: ink,
    backgroundColor: ink,
    borderWidth: one.main ? 3 : 1.5,
    pointRadius: told.labels.length > 30 ? 0 : one.main ? 4 : 2,
    order: one.main ? 0 : 1,
  };
  if (!one.low.length) return [drawn];
  const edge = { ...shared, borderWidth: 0, pointRadius: 0, order: 2, named: false };
  const band = faint(colour("--accent-text"), 0.18);
  return [
    drawn,
    { ...edge, data: one.low, fill: false },
    { ...edge, data: one.high, fill: "-1", backgroundColor: band },
  ];
}

window.Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;

// A cell for each pair, the fuller the oftener ahead, with the number in it.
function cells(told) {
  return told.series.flatMap((one) =>
    one.values.flatMap((share, row) => (share === null ? [] : [{ x: one.name, y: told.labels[row], share }])),
  );
}

const NAMES_ABOVE = 96;

const shares = {
  id: "shares",
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    ctx.save();
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.font = `${chart.width < 600 ? 12 : 16}px ${window.Chart.defaults.font.family}`;
    chart.getDatasetMeta(0).data.forEach((cell, index) => {
      const { share } = chart.data.datasets[0].data[index];
      const { x, y } = cell.getCenterPoint();
      ctx.fillStyle = colour("--ink");
      ctx.fillText(share, x, y);
    });
    ctx.textAlign = "left";
    ctx.fillStyle = colour("--quiet");
    chart.data.labels.forEach((name, index) => {
      ctx.save();
      ctx.translate(chart.scales.x.getPixelForValue(index), chart.chartArea.top - 8);
      ctx.rotate(-Math.PI / 2);
      ctx.fillText(name, 0, 0, NAMES_ABOVE - 12);
      ctx.restore();
    });
    ctx.restore();
  },
};

function matrix(canvas, told) {
  const ticks = { color: colour("--quiet"), font: { size: 14 }, autoSkip: false };
  const axis = { type: "category", grid: { display: false }, border: { display: false } };
  const size = told.labels.length;
  return new window.Chart(canvas, {
    type: "matrix",
    data: {
      labels: told.labels,
      datasets: [
        {
          data: cells(told),
          backgroundColor: ({ raw }) => faint(colour("--accent-text"), 0.06 + (raw?.share ?? 0) / 180),
          width: ({ chart }) => (chart.chartArea?.width ?? 0) / size - 2,
          height: ({ chart }) => (chart.chartArea?.height ?? 0) / size - 2,
        },
      ],
    },
    plugins: [paper, shares],
    options: {
      animation: false,
      maintainAspectRatio: false,
      layout: { padding: { top: NAMES_ABOVE } },
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
      scales: {
        x: { ...axis, labels: told.labels, offset: true, ticks: { display: false } },
        y: { ...axis, labels: told.labels, offset: true, reverse: false, ticks },
      },
    },
  });
}

function draw(figure) {
  const told = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
  if (told.kind === "matrix") return matrix(figure.querySelector("canvas"), told);
  const grid = { color: colour("--line") };
  const ticks = { color: colour("--quiet"), font: { size: 14 }, maxRotation: 0, autoSkipPadding: 16 };
  const many = told.series.length > 1;
  return new window.Chart(figure.querySelector("canvas"), {
    type: told.kind,
    data: { labels: told.labels, datasets: told.series.flatMap((one) => line(one, told)) },
    plugins: [paper, names],
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "nearest", axis: "x", intersect: false },
      layout: { padding: { top: 12, right: many ? 108 : 12 } },
      plugins: { legend: { display: false }, tooltip: { enabled: !many, displayColors: false } },
      scales: {
        x: { grid: { display: false }, ticks },
        y: {
          grid,
          reverse: told.ranks,
          min: told.ranks ? 1 : undefined,
          beginAtZero: told.kind === "bar",
          grace: told.kind === "bar" ? 0 : "5%",
          ticks: { ...ticks, precision: 0 },
        },
      },
    },
  });
}

const figures = [...document.querySelectorAll("[data-chart]")];
let charts = figures.map(draw);

function redraw() {
  charts.forEach((chart) => chart.destroy());
  charts = figures.map(draw);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });

figures.forEach((figure, index) => {
  const button = figure.querySelector("[data-download]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = charts[index].toBase64Image("image/png");
    link.download = `${button.dataset.download}.png`;
    link.click();
  });
});
