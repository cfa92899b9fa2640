import { useEffect, useState } from 'preact/hooks';
import { useAsking } from './asking-context.ts';
import type { NewsState } from './create-news.ts';

/** What the answers tell besides their numbers, as it changes. */
export function useNews(): NewsState {
  const { news } = useAsking();
  const [state, setState] = useState(news.state);
  useEffect(() => {
    setState(news.state());
    return news.listen(setState);
  }, [news]);
  return state;
}
