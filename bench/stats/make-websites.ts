import { join } from 'node:path';
import { openControl } from '../../server/src/control/open-control.ts';
import { dataFolder } from '../../server/src/files/data-folder.ts';
import type { Log } from '../../server/src/log.ts';
import { createDayBuilder } from '../../server/src/stats/days/day-builder.ts';
import type { Store } from '../../server/src/store/open-store.ts';
import { systemClock } from '../../server/src/time/clock.ts';
import { fillRecords } from './fill-records.ts';

/** What it takes to ask about a website and to send its records. */
export type Asking = { id: number; token: string; apiKey: string };

type Options = {
  dataDir: string;
  store: Store;
  /** Records of the main website in the last 30 days, and in the 30 days before. */
  records: number;
  before: number;
  /** Records of 500 other websites. */
  others: number;
  /** Records of a website with ClientIds in the last 30 days. */
  clients: number;
  print: (line: string) => void;
  log: Log;
};

const otherWebsites = 500;
const neighborRecords = 100_000;
const dayMs = 86_400_000;
const shown = (number: number) => number.toLocaleString('en-US');
const dayAt = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

export type Made = { main: Asking; neighbor: Asking; withClients: Asking };

/**
 * Adds the main website, a small one beside it and one with ClientIds, fills them with records, and adds up
 * their days.
 */
export async function makeWebsites(options: Options): Promise<Made> {
  const main = await addWebsite(options, 'main.example');
  const neighbor = await addWebsite(options, 'neighbour.example');
  const withClients = await addWebsite(options, 'clients.example');
  await fill(options, main.id, neighbor.id);
  await fillWithClients(options, withClients.id);
  return { main, neighbor, withClients };
}

async function fillWithClients({ store, clients, log }: Options, websiteId: number): Promise<void> {
  if (clients === 0) return;
  const month = { days: 30, isLastDayPartial: true, hasClientIds: true };
  await fillRecords(store, { websiteId, firstDay: dayAt(29), records: clients, ...month });
  const days = openDayBuilder(store, log);
  await days.rebuild(websiteId, { from: dayAt(30), to: dayAt(0) }, dayAt(0), () => {});
  await days.stop({ withinMs: 60_000 });
}

function openDayBuilder(store: Store, log: Log) {
  return createDayBuilder({
    store,
    clock: systemClock,
    completeUpToMs: Date.now,
    log,
    recordsPerSlice: 200_000,
    sharedMs: 0,
  });
}

async function addWebsite({ dataDir, log }: Options, domain: string): Promise<Asking> {
  const control = await openControl({
    folder: dataFolder(dataDir).control,
    secretKeyFile: join(dataDir, 'secret.key'),
    clock: systemClock,
    log,
  });
  const { website, apiKey } = await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  const { token } = await control.readTokens.add(website.id, 'bench');
  await control.close();
  return { id: website.id, token, apiKey };
}

async function fill(options: Options, mainId: number, neighborId: number): Promise<void> {
  const { store, records, before, others, print, log } = options;
  const startedMs = performance.now();
  const month = { days: 30, isLastDayPartial: false };
  await fillRecords(store, { websiteId: mainId, firstDay: dayAt(59), records: before, ...month });
  await fillRecords(store, {
    websiteId: mainId,
    firstDay: dayAt(29),
    records,
    ...month,
    isLastDayPartial: true,
  });
  await fillRecords(store, {
    websiteId: neighborId,
    firstDay: dayAt(29),
    records: neighborRecords,
    ...month,
    isLastDayPartial: true,
  });
  for (let website = 0; website < otherWebsites && others > 0; website += 1) {
    const each = Math.ceil(others / otherWebsites);
    await fillRecords(store, { websiteId: 1000 + website, firstDay: dayAt(29), records: each, ...month });
    if (website % 50 === 49) print(`  ${website + 1} of ${otherWebsites} other websites`);
  }
  const filledMs = performance.now();
  const days = openDayBuilder(store, log);
  const period = { from: dayAt(60), to: dayAt(0) };
  await days.rebuild(mainId, period, dayAt(0), () => {});
  const builtMs = performance.now();
  await days.rebuild(neighborId, period, dayAt(0), () => {});
  await days.stop({ withinMs: 60_000 });
  const [fillSeconds, buildSeconds] = [(filledMs - startedMs) / 1000, (builtMs - filledMs) / 1000];
  const perRecord = (buildSeconds * 1_000_000) / (records + before);
  print(
    `${shown(records)} records in 30 days, ${shown(before)} in the 30 days before, ` +
      `beside ${shown(others)} of others: made in ${fillSeconds.toFixed(0)} s; ` +
      `days added up in ${buildSeconds.toFixed(0)} s (${perRecord.toFixed(1)} µs a record)`,
  );
}
