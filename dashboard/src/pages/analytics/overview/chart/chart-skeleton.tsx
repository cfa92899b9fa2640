import './chart.css';

/** The lines of a chart that is on its way. */
export function ChartSkeleton() {
  return (
    <div class="chart chart-waiting" aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}
