import { Banner } from '../../../design/display/banner.tsx';
import { useNews } from '../ask/use-news.ts';
import './delay-banner.css';

/** Says why numbers have to be waited for. They come by themselves. */
export function DelayBanner() {
  const { delay } = useNews();
  // A lost connection is told at the top of every page.
  const message = delay?.kind === 'unavailable' ? delay.message : undefined;
  return (
    <div class="delay" role="status">
      {message !== undefined && <Banner kind="warn">{explain(message)}</Banner>}
    </div>
  );
}

function explain(message: string): string {
  if (/added up/.test(message))
    return 'Days of this period are being added up for the first time. Their numbers come by themselves.';
  if (/too m/.test(message))
    return 'The numbers engine has much to do. The missing numbers come by themselves.';
  return 'The numbers engine is restarting; records are accepted meanwhile. Numbers come back by themselves.';
}
