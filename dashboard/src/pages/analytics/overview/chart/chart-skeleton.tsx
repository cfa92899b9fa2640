import './chart.css';

/** A placeholder for a chart that is loading. */
export function ChartSkeleton() {
  return (
    <>
      <div class="chart-head" />
      <div class="chart chart-waiting" aria-hidden="true">
        <i />
        <i />
        <i />
        <i />
        <i />
      </div>
    </>
  );
}
