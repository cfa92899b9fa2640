import type { Website } from '../../control/websites/website-row.ts';
import type { Command } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { findWebsite } from '../website/find-website.ts';
import { addUpDays } from './add-up-days.ts';

export const rebuildCommand: Command = {
  usage: 'rebuild [WEBSITE]',
  help:
    'Adds up the days of a website, or of all, from their records anew. ' +
    'The server does this by itself when records of a\n' +
    'day have changed; this is for when you do not trust the sums. ' +
    'Questions are answered from the old sums meanwhile.',
  words: { min: 0, max: 1 },
  flags: {},
  async run(input) {
    const { clock, words, progress } = input;
    const websites = await withControl(
      input,
      async (control): Promise<Website[]> =>
        words[0] === undefined ? await control.websites.list() : [await findWebsite(control, words[0])],
    );
    const rebuilt = await withStore(input, (store) =>
      addUpDays({
        store,
        websites,
        clock,
        onProgress: ({ domain }, some, all) =>
          progress(`${domain}: ${some} of ${all} days`, { isPassing: true }),
      }),
    );
    const lines = rebuilt.map(
      ({ website, days, records }) => `${website}: ${days} days, ${records.toLocaleString('en-US')} records`,
    );
    return { json: { websites: rebuilt }, text: lines.join('\n') || 'There is no website yet.' };
  },
};
