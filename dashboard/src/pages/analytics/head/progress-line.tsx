import { useAnalytics } from '../analytics-context.ts';
import { useHeadWords } from './head-words.ts';
import './progress-line.css';

/** A line that moves while the numbers of another view are loading. */
export function ProgressLine() {
  const { wanted, shown } = useAnalytics();
  const words = useHeadWords();
  const isLoading = wanted !== shown;
  return (
    <div class="progress-line" data-loading={isLoading} role="status">
      {isLoading && <span class="unseen">{words.loading}</span>}
    </div>
  );
}
