import type { Website } from '../../control/websites/website-row.ts';
import type { Store } from '../../store/open-store.ts';
import type { Command, CommandInput } from '../command.ts';
import { withBuilds } from '../parts/with-builds.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { findWebsite } from '../website/find-website.ts';
import { addUpDays } from './add-up-days.ts';
import { decodeStoredAddresses } from './decode-stored-addresses.ts';
import { retellSources } from './retell-sources.ts';

const limits = { groupsAtOnce: 20_000, maxChangesChars: 100_000 };

/** What was changed in the records of a website. Only what a flag asked for is set. */
type Changed = { changedAddresses?: number; changedRecords?: number };

export const rebuildCommand: Command = {
  usage: 'rebuild [WEBSITE] [--addresses] [--sources]',
  help:
    'Recalculates the daily totals of one website, or of all of them, from the records. ' +
    'The server does this\n' +
    'automatically when the records of a day change; run it yourself if you do not trust the totals. ' +
    'Until it is done,\n' +
    'statistics use the old totals. Where several servers share a store, the one that calculates days does it.\n' +
    '--addresses first decodes paths and hosts that an older version ' +
    'stored encoded.\n' +
    '--sources first works out the source and channel of every record again, ' +
    'by the rules of this version. Use these\n' +
    'flags when the notes of an upgrade say so. You can stop the command at any time and run it again.',
  words: { min: 0, max: 1 },
  flags: {
    addresses: { type: 'boolean', help: 'decode the paths and hosts of records from older versions' },
    sources: { type: 'boolean', help: 'work out the source and channel of every record again' },
  },
  async run(input) {
    const { clock, words, progress } = input;
    const websites = await withControl(
      input,
      async (control): Promise<Website[]> =>
        words[0] === undefined ? await control.websites.list() : [await findWebsite(control, words[0])],
    );
    const { changed, rebuilt } = await withStore(input, async (store) => {
      const changed = await changeAll(store, websites, input);
      const rebuilt = await withBuilds(input, store, { use: 'rebuilding' }, (builds) =>
        addUpDays({
          builds,
          websites,
          clock,
          onProgress: ({ domain }, some, all) =>
            progress(`${domain}: ${some} of ${counted(all, 'day')}`, { isPassing: true }),
        }),
      );
      return { changed, rebuilt };
    });
    const lines = rebuilt.map(({ website, days, records }, index) => {
      const { changedAddresses, changedRecords } = changed[index]!;
      return [
        `${website}: ${counted(days, 'day')}`,
        counted(records, 'record'),
        ...(changedAddresses === undefined ? [] : [counted(changedAddresses, 'changed address')]),
        ...(changedRecords === undefined ? [] : [counted(changedRecords, 'changed source')]),
      ].join(', ');
    });
    return {
      json: { websites: rebuilt.map((website, index) => ({ ...website, ...changed[index] })) },
      text: lines.join('\n') || 'There are no websites yet.',
    };
  },
};

/** Changes the records of each website as the flags say. */
async function changeAll(
  store: Store,
  websites: readonly Website[],
  { flags, progress }: Pick<CommandInput, 'flags' | 'progress'>,
): Promise<Changed[]> {
  const all: Changed[] = [];
  for (const website of websites) {
    const changed: Changed = {};
    const of = store.ofWebsite(website.id);
    const tell = (what: string, month: string, done: string) =>
      progress(`${website.domain}: ${what} of ${month.slice(0, 7)}, ${done}`, { isPassing: true });
    if (flags.addresses === true) {
      const { addresses } = await decodeStoredAddresses({
        store: of,
        limits,
        onProgress: (month, some) => tell('addresses', month, counted(some, 'changed address')),
      });
      changed.changedAddresses = addresses;
    }
    if (flags.sources === true) {
      const { records } = await retellSources({
        store: of,
        website,
        limits,
        onProgress: (month, some) => tell('sources', month, counted(some, 'changed source')),
      });
      changed.changedRecords = records;
    }
    all.push(changed);
  }
  return all;
}

function counted(count: number, what: string): string {
  const ending = what.endsWith('s') ? 'es' : 's';
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : ending}`;
}
