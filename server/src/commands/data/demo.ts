import { addNote } from '../../actions/add-note.ts';
import { addWebsite } from '../../actions/add-website.ts';
import { saveFunnel } from '../../actions/save-funnel.ts';
import { parseDomain } from '../../control/websites/parse-domain.ts';
import { parseTimezone } from '../../control/websites/parse-timezone.ts';
import type { Website } from '../../control/websites/website-row.ts';
import { createDemo, type Demo } from '../../demo/create-demo.ts';
import { demoFunnels } from '../../demo/demo-funnels.ts';
import { fillWebsite } from '../../demo/fill-website.ts';
import { planNotes } from '../../demo/plan-notes.ts';
import { demoAuthor } from '../../records/demo-marks.ts';
import type { Store } from '../../store/open-store.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { findServer } from '../parts/find-server.ts';
import { withBuilds } from '../parts/with-builds.ts';
import { withControl } from '../parts/with-control.ts';
import { withStore } from '../parts/with-store.ts';
import { addUpDays } from './add-up-days.ts';

const defaults = {
  domain: 'demo.trackside.test',
  timezone: 'Europe/Berlin',
  days: 365,
  visitsPerDay: 800,
  seed: 1,
};
const maxBatchRows = 50_000;
const barCells = 24;
/** The share of the progress bar that filling takes. Adding up takes the rest. */
const fillShare = 0.7;

export const demoCommand: Command = {
  usage: 'demo [--domain DOMAIN] [--timezone TZ] [--days N] [--visits-per-day N] [--seed N]',
  help:
    'Creates a website with a year of made-up visitors, notes and funnels, ' +
    'so that you can try out the statistics. The\n' +
    'records go straight to the store: they use no monthly quota, and `repair` cannot load them again. ' +
    'The same seed\n' +
    'always gives the same visitors.',
  words: { min: 0, max: 0 },
  flags: {
    domain: { type: 'string', help: `the website's domain (default: ${defaults.domain})` },
    timezone: { type: 'string', help: `the website's timezone (default: ${defaults.timezone})` },
    days: { type: 'string', help: `number of days, ending today (default: ${defaults.days})` },
    'visits-per-day': { type: 'string', help: `visits on a typical day (default: ${defaults.visitsPerDay})` },
    seed: { type: 'string', help: `a different number gives different visitors (default: ${defaults.seed})` },
  },
  isForAnyFolder: true,
  async run(input) {
    const { clock, flags } = input;
    const days = readNumber(flags, 'days', defaults.days, [1, 1830]);
    const visitsPerDay = readNumber(flags, 'visits-per-day', defaults.visitsPerDay, [1, 100_000]);
    const seed = readNumber(flags, 'seed', defaults.seed, [0, 2 ** 32 - 1]);
    const website = await findOrAddWebsite(input);
    const { id, domain, timezone } = website;
    const demo = createDemo({ domain, timezone, days, visitsPerDay, seed, nowMs: clock.now() });
    const showBar = (done: number, says: string) => input.progress(drawBar(done, says), { isPassing: true });
    const { records } = await withStore(input, async (store) => {
      await refuseRecords(store, website);
      const filled = await fillWebsite({
        store,
        website,
        demo,
        seed,
        maxBatchRows,
        onProgress: (at) =>
          showBar(
            (at.daysDone / days) * fillShare,
            `${at.daysDone} of ${counted(days, 'day')}, ${counted(at.records, 'record')}`,
          ),
      });
      // Otherwise the first person to open the dashboard would have to wait for this.
      await withBuilds(input, store, { use: 'rebuilding' }, (builds) =>
        addUpDays({
          builds,
          websites: [website],
          clock,
          onProgress: (_, done, all) =>
            showBar(
              fillShare + (1 - fillShare) * (done / Math.max(1, all)),
              `Calculating statistics … ${done} of ${counted(all, 'day')}`,
            ),
        }),
      );
      return filled;
    });
    const notes = await leaveNotes(input, website, demo);
    return {
      json: { website: domain, id, timezone, records, days, seed, notes, funnels: demoFunnels.length },
      text: [
        `${domain} now has ${counted(records, 'made-up record')} over ${counted(days, 'day')}, ` +
          'with notes and funnels.',
        '',
        ...(await howToLook(input, website)),
        '',
        'Or see the numbers right here:',
        '',
        `  npx trackside stats ${domain} --period ${Math.min(days, 30)}d${sameFolder(flags)}`,
      ].join('\n'),
    };
  },
};

function readNumber(
  flags: CommandInput['flags'],
  name: string,
  fallback: number,
  [atLeast, atMost]: readonly [number, number],
): number {
  const text = textOf(flags[name]);
  if (text === undefined) return fallback;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= atLeast && value <= atMost) return value;
  throw new CommandError(`--${name}: expected a whole number from ${atLeast} to ${atMost}, got "${text}"`);
}

function findOrAddWebsite(input: CommandInput): Promise<Website> {
  const domain = parseDomain(textOf(input.flags.domain) ?? defaults.domain);
  const asked = textOf(input.flags.timezone);
  const timezone = asked === undefined ? undefined : parseTimezone(asked);
  return withControl(input, async (control) => {
    const known = await control.websites.find(domain);
    if (known === undefined) {
      const added = { domain, timezone: timezone ?? defaults.timezone, contingent: null };
      return (await addWebsite(control, 'command line', added)).website;
    }
    if (timezone === undefined || timezone === known.timezone) return known;
    throw new CommandError(
      `--timezone: ${known.domain} already exists, with the timezone ${known.timezone}. ` +
        'Leave --timezone out, or choose another --domain.',
    );
  });
}

/** Refuses a website that has records: nobody could tell made-up records from real ones afterwards. */
async function refuseRecords(store: Store, { id, domain }: Website): Promise<void> {
  const found = await store.query({
    query: 'select 1 from records where website_id = {website_id:UInt32} limit 1',
    params: { website_id: id },
  });
  if (found.length === 0) return;
  throw new CommandError(
    `${domain} already has records, and the demo needs an empty website. Choose another domain: ` +
      'trackside demo --domain demo-2.trackside.test',
  );
}

/** Adds the notes and the funnels. Returns how many notes it added. */
function leaveNotes(input: CommandInput, website: Website, demo: Demo): Promise<number> {
  return withControl(input, async (control) => {
    const notes = planNotes(demo);
    for (const note of notes)
      await addNote(control, 'command line', { ...note, website, author: demoAuthor });
    for (const funnel of demoFunnels) await saveFunnel(control, 'command line', { website, funnel });
    return notes.length;
  });
}

async function howToLook({ config, flags }: CommandInput, { id }: Website): Promise<string[]> {
  const path = `/websites/${id}`;
  const { isRunning, origin } = await findServer(config);
  if (origin !== undefined) return ['View the dashboard in your browser:', '', `  ${origin}${path}`];
  if (isRunning)
    return [`View the dashboard in your browser: ${path} at the address the server printed when it started.`];
  const folder = sameFolder(flags);
  return [
    `View the dashboard in your browser: start the server, then open ${path} at the address it prints.`,
    '',
    `  npm start${folder === '' ? '' : ` --${folder}`}`,
  ];
}

function drawBar(done: number, says: string): string {
  const bar = '█'.repeat(Math.round(done * barCells)).padEnd(barCells, '░');
  return `${bar} ${`${Math.floor(done * 100)} %`.padStart(5)}  ${says}`;
}

const counted = (count: number, what: string) =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;

/** Repeats the --data-dir flag for the commands that are printed, because they need it as well. */
function sameFolder(flags: CommandInput['flags']): string {
  const folder = textOf(flags['data-dir']);
  if (folder === undefined) return '';
  return ` --data-dir ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
}

function textOf(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined;
}
