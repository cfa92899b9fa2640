import type { Website } from '../control/website-row.ts';
import { createLocalTime } from '../core/local-time.ts';
import { openLog } from '../serve/open-log.ts';
import { keepDays } from '../stats/days/keep-days.ts';
import type { Command } from './command.ts';
import { findWebsite } from './find-website.ts';
import { withControl } from './with-control.ts';
import { withStore } from './with-store.ts';

const recordsPerSlice = 200_000;
const everyDay = { from: '1970-01-01', to: '2149-06-06' };

export const rebuildCommand: Command = {
  usage: 'rebuild [WEBSITE]',
  help:
    'Adds up the days of a website, or of all, from their records anew. The server does this by itself when records of a\n' +
    'day have changed; this is for when you do not trust the sums. Questions are answered from the old sums meanwhile.',
  words: { min: 0, max: 1 },
  flags: {},
  async run(input) {
    const { clock, words, progress } = input;
    const websites = await withControl(
      input,
      async (control): Promise<Website[]> =>
        words[0] === undefined ? await control.websites.list() : [await findWebsite(control, words[0])],
    );
    const rebuilt = await withStore(input, async (store) => {
      const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
      const days = keepDays({ store, clock, log, recordsPerSlice, sharedMs: 0 });
      const done: { website: string; days: number; records: number }[] = [];
      for (const { id, domain, timezone } of websites) {
        const today = createLocalTime(timezone)(clock.now()).day;
        const built = await days.rebuild(id, everyDay, today, (some, all) =>
          progress(`${domain}: ${some} of ${all} days`, { isPassing: true }),
        );
        done.push({ website: domain, ...built });
      }
      await days.stop({ withinMs: 60_000 });
      return done;
    });
    const lines = rebuilt.map(
      ({ website, days, records }) => `${website}: ${days} days, ${records.toLocaleString('en-US')} records`,
    );
    return { json: { websites: rebuilt }, text: lines.join('\n') || 'There is no website yet.' };
  },
};
