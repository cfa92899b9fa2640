import type { Answers } from '@trackside/contract/stats/answers.ts';
import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import type { BarItem } from '../bar-list.tsx';
import { useReportsWords } from '../reports-words.ts';
import { spellPresence } from './spell-presence.ts';

/** Turns an answer about bots into rows of a list. */
export function useBotRows(answer: Answers['bots'] | undefined): BarItem[] | undefined {
  const { today } = useAnalytics();
  const format = useFormat();
  const words = useReportsWords().bots;
  return answer?.rows.map(({ dimensions, records, days, lastAt }) => {
    const { bot: name = '' } = dimensions;
    return {
      key: name,
      label: name || words.otherBot,
      value: records,
      // A bot of a list has come at least once.
      ...spellPresence({ days, lastAt: lastAt! }, today, format, words),
    };
  });
}
