/* What the server tells of a chart, and what Chart.js makes of it. */
import type { Chart as ChartOfJs, ChartDataset } from "chart.js";
import type {} from "chartjs-chart-matrix";

declare global {
  /** One line, or one column of a matrix. */
  interface Series {
    name: string;
    main: boolean;
    values: (number | null)[];
    low: number[];
    high: number[];
  }
  interface ChartData {
    kind: "line" | "bar" | "matrix";
    labels: string[];
    series: Series[];
    ranks: boolean;
  }
  /** A line as it is drawn: whether it matters, and whether its name stands at its end. */
  type Line = ChartDataset<"line"> & { main: boolean; named: boolean };
  interface Cell {
    x: string;
    y: string;
    share: number;
  }
  type Drawn = ChartOfJs<any, any, any>;
  interface Window {
    Chart: typeof ChartOfJs;
  }
}
