import type { Website } from '../../control/websites/website-row.ts';
import type { Store } from '../../store/open-store.ts';
import type { Command, CommandInput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { findWebsite } from '../website/find-website.ts';
import { addUpDays } from './add-up-days.ts';
import { retellSources } from './retell-sources.ts';

const limits = { groupsAtOnce: 20_000, maxChangesChars: 100_000 };

export const rebuildCommand: Command = {
  usage: 'rebuild [WEBSITE] [--sources]',
  help:
    'Adds up the days of a website, or of all, from their records anew. ' +
    'The server does this by itself when records of a\n' +
    'day have changed; this is for when you do not trust the sums. ' +
    'Questions are answered from the old sums meanwhile.\n' +
    'With --sources, the source and channel of every record are found again first, ' +
    'by the rules of this version: run it\n' +
    'after an upgrade that changes them. You can stop it at any time, and run it again.',
  words: { min: 0, max: 1 },
  flags: { sources: { type: 'boolean', help: 'find the source and channel of every record again' } },
  async run(input) {
    const { clock, words, flags, progress } = input;
    const websites = await withControl(
      input,
      async (control): Promise<Website[]> =>
        words[0] === undefined ? await control.websites.list() : [await findWebsite(control, words[0])],
    );
    const { changed, rebuilt } = await withStore(input, async (store) => {
      const changed = flags.sources === true ? await retellAll(store, websites, progress) : [];
      const rebuilt = await addUpDays({
        store,
        websites,
        clock,
        onProgress: ({ domain }, some, all) =>
          progress(`${domain}: ${some} of ${all} days`, { isPassing: true }),
      });
      return { changed, rebuilt };
    });
    const lines = rebuilt.map(
      ({ website, days, records }, index) =>
        `${website}: ${counted(days, 'day')}, ${counted(records, 'record')}` +
        (changed[index] === undefined ? '' : `, ${counted(changed[index], 'changed source')}`),
    );
    return {
      json: {
        websites: rebuilt.map((website, index) =>
          changed[index] === undefined ? website : { ...website, changedRecords: changed[index] },
        ),
      },
      text: lines.join('\n') || 'There is no website yet.',
    };
  },
};

/** Returns the number of changed records of each website. */
async function retellAll(
  store: Store,
  websites: readonly Website[],
  progress: CommandInput['progress'],
): Promise<number[]> {
  const changed: number[] = [];
  for (const website of websites) {
    const { records } = await retellSources({
      store: store.ofWebsite(website.id),
      website,
      limits,
      onProgress: (month, some) =>
        progress(`${website.domain}: sources of ${month.slice(0, 7)}, ${counted(some, 'changed source')}`, {
          isPassing: true,
        }),
    });
    changed.push(records);
  }
  return changed;
}

const counted = (count: number, what: string) =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
