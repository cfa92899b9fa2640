import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openControl } from '../../server/src/control/open-control.ts';
import { dataFolder } from '../../server/src/files/data-folder.ts';
import type { Log } from '../../server/src/log.ts';
import type { Store } from '../../server/src/store/open-store.ts';
import { systemClock } from '../../server/src/time/clock.ts';
import { askScreen } from './ask-screen.ts';
import { fillRecords } from './fill-records.ts';

/** What it takes to ask about a website and to send its records. */
export type Asking = { id: number; token: string; apiKey: string };

type Options = {
  /** The server that adds up the days. */
  origin: string;
  dataDir: string;
  store: Store;
  /** Records of the main website in the last 30 days, and in the 30 days before. */
  records: number;
  before: number;
  /** Records of 500 other websites. */
  others: number;
  /** Records of a website with ClientIds in the last 30 days. */
  clients: number;
  /** How many percent of the main website's views have a page of their own. */
  ownPages: number;
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
  await fill(options, main, neighbor);
  await fillWithClients(options, withClients);
  return { main, neighbor, withClients };
}

async function fillWithClients(options: Options, website: Asking): Promise<void> {
  const { origin, store, clients, print } = options;
  if (clients === 0) return;
  const month = { days: 30, isLastDayPartial: true, hasClientIds: true };
  await fillRecords(store, { websiteId: website.id, firstDay: dayAt(29), records: clients, ...month });
  const startedMs = performance.now();
  await addUp(origin, website);
  const builtMs = performance.now();
  await lookBack(store, website);
  const [buildSeconds, lookSeconds] = [builtMs - startedMs, performance.now() - builtMs].map(
    (ms) => ms / 1000,
  );
  print(
    `${shown(clients)} records with ClientIds: days added up in ${buildSeconds!.toFixed(0)} s, ` +
      `known who was there before in another ${lookSeconds!.toFixed(0)} s`,
  );
}

/** Waits until the server knows for all days who was there before. */
async function lookBack(store: Store, { id }: Asking): Promise<void> {
  const isDone = async () => {
    const [row] = await store.ofWebsite(id).query<{ days: number; looks: number }>({
      query: `
        select
          (select count() from day_builds final where clients > 0) as days,
          (select uniqExact(day) from rollups where dimension = 'look') as looks`,
    });
    return row!.looks >= row!.days;
  };
  while (!(await isDone())) await delay(500);
}

/** Asks until the server has added up the days, which it does for the first question. */
async function addUp(origin: string, { token }: Asking): Promise<void> {
  const question = { period: { from: dayAt(59), to: dayAt(0) } };
  const isReady = () =>
    askScreen(origin, token, [question]).then(
      () => true,
      (error: unknown) => {
        if (/being-calculated|timeout/.test(String(error))) return false;
        throw error;
      },
    );
  while (!(await isReady())) await delay(1000);
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

async function fill(options: Options, main: Asking, neighbor: Asking): Promise<void> {
  const { origin, store, records, before, others, ownPages, print } = options;
  const startedMs = performance.now();
  const month = { days: 30, isLastDayPartial: false };
  await fillRecords(store, { websiteId: main.id, firstDay: dayAt(59), records: before, ...month });
  await fillRecords(store, {
    websiteId: main.id,
    firstDay: dayAt(29),
    records,
    ownPages,
    ...month,
    isLastDayPartial: true,
  });
  await fillRecords(store, {
    websiteId: neighbor.id,
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
  await addUp(origin, main);
  const builtMs = performance.now();
  await addUp(origin, neighbor);
  const [fillSeconds, buildSeconds] = [(filledMs - startedMs) / 1000, (builtMs - filledMs) / 1000];
  const perRecord = (buildSeconds * 1_000_000) / (records + before);
  print(
    `${shown(records)} records in 30 days, ${shown(before)} in the 30 days before, ` +
      `beside ${shown(others)} of others: made in ${fillSeconds.toFixed(0)} s; ` +
      `days added up in ${buildSeconds.toFixed(0)} s (${perRecord.toFixed(1)} µs a record)`,
  );
}
