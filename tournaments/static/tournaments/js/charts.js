// Draws the pictures of a page with Chart.js, in the colours of the theme: the line that
// matters in the accent, the others in faint ink, each named at its end.
const NAMES_ABOVE = 96;
const BETWEEN_NAMES = 16;

const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

const brush = /** @type {CanvasRenderingContext2D} */ (
  document.createElement("canvas").getContext("2d", { willReadFrequently: true })
);

/** Returns what a colour of the theme is now, in the red, green and blue that charts know.
 * @param {string} name */
function colour(name) {
  probe.style.color = `var(${name})`;
  brush.fillStyle = getComputedStyle(probe).color;
  brush.fillRect(0, 0, 1, 1);
  return `rgb(${[...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).join(",")})`;
}

/** @param {string} rgb @param {number} share */
function faint(rgb, share) {
  const parts = (rgb.match(/[\d.]+/g) ?? []).slice(0, 3);
  return `rgba(${parts.join(",")},${share})`;
}

const paper = {
  id: "paper",
  /** @param {Drawn} chart */
  beforeDraw({ ctx, width, height }) {
    ctx.save();
    ctx.fillStyle = colour("--sheet");
    ctx.fillRect(0, 0, width, height);
    ctx.restore();
  },
};

/** Moves labels apart from the top down, so that none covers another.
 * @template {{ y: number }} Label @param {Label[]} labels */
function apart(labels) {
  labels.sort((one, other) => one.y - other.y);
  labels.forEach((label, index) => {
    if (index) label.y = Math.max(label.y, labels[index - 1].y + BETWEEN_NAMES);
  });
  return labels;
}

/** Returns the lines that are named, and where each of them ends.
 * @param {Drawn} chart */
function endsOf(chart) {
  /** @type {Line[]} */
  const lines = chart.data.datasets;
  return lines.flatMap((line, index) => {
    const last = chart.getDatasetMeta(index).data.findLast((point) => !("skip" in point && point.skip));
    return line.named && last ? [{ line, x: last.x, y: last.y }] : [];
  });
}

const names = {
  id: "names",
  /** @param {Drawn} chart */
  afterDatasetsDraw(chart) {
    const { ctx } = chart;
    ctx.save();
    ctx.textBaseline = "middle";
    for (const { line, x, y } of apart(endsOf(chart))) {
      ctx.font = `${line.main ? 650 : 400} 14px ${getComputedStyle(document.body).fontFamily}`;
      ctx.fillStyle = line.main ? colour("--accent") : colour("--ink");
      ctx.fillText(line.label ?? "", Math.min(x, chart.chartArea.right) + 8, y, 100);
    }
    ctx.restore();
  },
};

/** Returns what is drawn of one series: its line, and the band around it where it has one.
 * @param {Series} series @param {ChartData} picture @returns {Line[]} */
function linesOf({ name, main, values, low, high }, picture) {
  const ink = main ? colour("--accent") : faint(colour("--ink"), 0.4);
  const shared = { label: name, main, spanGaps: true, clip: /** @type {const} */ (false) };
  const line = {
    ...shared,
    data: values,
    named: picture.series.length > 1,
    borderColor: ink,
    backgroundColor: ink,
    borderWidth: main ? 3 : 1.5,
    pointRadius: picture.labels.length > 30 ? 0 : main ? 4 : 2,
    order: main ? 0 : 1,
  };
  if (!low.length) return [line];
  const edge = { ...shared, borderWidth: 0, pointRadius: 0, order: 2, named: false };
  const band = faint(colour("--accent"), 0.18);
  return [line, { ...edge, data: low, fill: false }, { ...edge, data: high, fill: "-1", backgroundColor: band }];
}

window.Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;

/** Returns a cell for each pair, the fuller the oftener ahead.
 * @param {ChartData} picture @returns {Cell[]} */
function cellsOf({ labels, series }) {
  return series.flatMap(({ name, values }) =>
    values.flatMap((share, row) => (share === null ? [] : [{ x: name, y: labels[row], share }])),
  );
}

/** @param {Drawn} chart */
function writeShares(chart) {
  const { ctx } = chart;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.font = `${chart.width < 600 ? 12 : 16}px ${window.Chart.defaults.font.family}`;
  ctx.fillStyle = colour("--ink");
  chart.getDatasetMeta(0).data.forEach((cell, index) => {
    const { x, y } = /** @type {any} */ (cell).getCenterPoint();
    ctx.fillText(chart.data.datasets[0].data[index].share, x, y);
  });
}

/** @param {Drawn} chart */
function writeNamesAbove({ ctx, data, scales, chartArea }) {
  ctx.textAlign = "left";
  ctx.fillStyle = colour("--soft");
  data.labels?.forEach((name, index) => {
    ctx.save();
    ctx.translate(scales.x.getPixelForValue(index), chartArea.top - 8);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(String(name), 0, 0, NAMES_ABOVE - 12);
    ctx.restore();
  });
}

const shares = {
  id: "shares",
  /** @param {Drawn} chart */
  afterDatasetsDraw(chart) {
    chart.ctx.save();
    writeShares(chart);
    writeNamesAbove(chart);
    chart.ctx.restore();
  },
};

/** What all pictures have: they stand still, and have no legend.
 * @param {boolean} hasTooltip */
const still = (hasTooltip) => ({
  animation: /** @type {const} */ (false),
  maintainAspectRatio: false,
  plugins: { legend: { display: false }, tooltip: { enabled: hasTooltip, displayColors: false } },
});

/** @param {HTMLCanvasElement} canvas @param {ChartData} picture @returns {Drawn} */
function drawMatrix(canvas, picture) {
  const { labels } = picture;
  const ticks = { color: colour("--soft"), font: { size: 14 }, autoSkip: false };
  const axis = { type: /** @type {const} */ ("category"), grid: { display: false }, border: { display: false }, labels, offset: true };
  /** @param {number | undefined} size */
  const each = (size) => (size ?? 0) / labels.length - 2;
  const cells = {
    data: cellsOf(picture),
    /** @param {{ raw?: unknown }} cell */
    backgroundColor: ({ raw }) => faint(colour("--accent"), 0.06 + (/** @type {Cell} */ (raw)?.share ?? 0) / 180),
    /** @param {{ chart: Drawn }} cell */
    width: ({ chart }) => each(chart.chartArea?.width),
    /** @param {{ chart: Drawn }} cell */
    height: ({ chart }) => each(chart.chartArea?.height),
  };
  return new window.Chart(canvas, {
    type: "matrix",
    data: { labels, datasets: [/** @type {any} */ (cells)] },
    plugins: [paper, shares],
    options: {
      ...still(false),
      layout: { padding: { top: NAMES_ABOVE } },
      scales: { x: { ...axis, ticks: { display: false } }, y: { ...axis, reverse: false, ticks } },
    },
  });
}

/** @param {HTMLCanvasElement} canvas @param {"line" | "bar"} kind @param {ChartData} picture @returns {Drawn} */
function drawLines(canvas, kind, picture) {
  const { labels, series, ranks } = picture;
  const ticks = { color: colour("--soft"), font: { size: 14 }, maxRotation: 0, autoSkipPadding: 16 };
  const isMany = series.length > 1;
  return new window.Chart(canvas, {
    type: kind,
    data: { labels, datasets: /** @type {any[]} */ (series.flatMap((one) => linesOf(one, picture))) },
    plugins: [paper, names],
    options: {
      ...still(!isMany),
      interaction: { mode: "nearest", axis: "x", intersect: false },
      layout: { padding: { top: 12, right: isMany ? 108 : 12 } },
      scales: {
        x: { grid: { display: false }, ticks },
        y: {
          grid: { color: colour("--rule") },
          reverse: ranks,
          min: ranks ? 1 : undefined,
          beginAtZero: kind === "bar",
          grace: kind === "bar" ? 0 : "5%",
          ticks: { ...ticks, precision: 0 },
        },
      },
    },
  });
}

/** @param {HTMLElement} figure */
function draw(figure) {
  /** @type {ChartData} */
  const picture = JSON.parse(document.getElementById(figure.dataset.chart ?? "")?.textContent ?? "");
  const canvas = /** @type {HTMLCanvasElement} */ (figure.querySelector("canvas"));
  return picture.kind === "matrix" ? drawMatrix(canvas, picture) : drawLines(canvas, picture.kind, picture);
}

/** @type {HTMLElement[]} */
const figures = [...document.querySelectorAll(/** @type {"figure"} */ ("[data-chart]"))];
let charts = figures.map(draw);

function redraw() {
  charts.forEach((chart) => chart.destroy());
  charts = figures.map(draw);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });

figures.forEach((figure, index) => {
  const button = /** @type {HTMLButtonElement} */ (figure.querySelector("[data-download]"));
  button.hidden = false;
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = charts[index].toBase64Image("image/png");
    link.download = `${button.dataset.download}.png`;
    link.click();
  });
});
