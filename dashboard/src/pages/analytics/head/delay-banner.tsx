import { Banner } from '../../../design/display/banner.tsx';
import { useNews } from '../ask/use-news.ts';
import { explainDelay } from './explain-delay.ts';
import './delay-banner.css';

/** Says why numbers have to be waited for. They come by themselves. */
export function DelayBanner() {
  const { delay } = useNews();
  const text = explainDelay(delay);
  return (
    <div class="delay" role="status">
      {text !== undefined && <Banner kind="warn">{text}</Banner>}
    </div>
  );
}
