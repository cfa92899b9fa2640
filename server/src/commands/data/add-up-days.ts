import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Website } from '../../control/websites/website-row.ts';
import { openLog } from '../../node/open-log.ts';
import { createDayBuilder } from '../../stats/days/day-builder.ts';
import type { Clock } from '../../time/clock.ts';
import { noteFaults } from '../parts/note-faults.ts';
import type { BuildParts } from '../parts/with-builds.ts';

export type AddedUp = { website: string; days: number; records: number };

const recordsPerSlice = 200_000;
const everyDay = { from: '1970-01-01', to: '2149-06-06' };

/** Adds up every day of the given websites from their records, whether or not the day has changed. */
export async function addUpDays(options: {
  builds: BuildParts;
  websites: readonly Website[];
  clock: Clock;
  onProgress: (website: Website, doneDays: number, allDays: number) => void;
}): Promise<AddedUp[]> {
  const { builds, websites, clock, onProgress } = options;
  // A fault of the machine ends the command, which reports it.
  const { log } = noteFaults(openLog({ level: 'error', isTerminal: false, to: 'stderr' }));
  const rulesOf = (websiteId: number) => websites.find(({ id }) => id === websiteId);
  const days = createDayBuilder({ ...builds, clock, log, rulesOf, recordsPerSlice, sharedMs: 0 });
  const done: AddedUp[] = [];
  for (const website of websites) {
    const today = createLocalTime(website.timezone)(clock.now()).day;
    const built = await days.rebuild(website.id, everyDay, today, (some, all) =>
      onProgress(website, some, all),
    );
    done.push({ website: website.domain, ...built });
  }
  await days.stop({ withinMs: 60_000 });
  return done;
}
