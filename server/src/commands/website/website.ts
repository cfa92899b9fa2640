import { maxReadOrigins } from '@trackside/contract/app/limits.ts';
import { addWebsite as add } from '../../actions/add-website.ts';
import { changeWebsite } from '../../actions/change-website.ts';
import { regenerateKey as regenerate } from '../../actions/regenerate-key.ts';
import { revealKey } from '../../actions/reveal-key.ts';
import type { Control } from '../../control/open-control.ts';
import { parseContingent } from '../../control/websites/parse-contingent.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Clock } from '../../time/clock.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { withControl } from '../parts/with-control.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { findWebsite } from './find-website.ts';

type Options<Args> = { control: Control; clock: Clock; args: Args };
type WebsiteArgs = { website: string };

export async function addWebsite(
  options: Options<{
    domain: string;
    contingent?: string | undefined;
    timezone?: string | undefined;
    lostId?: string | undefined;
  }>,
): Promise<CommandOutput> {
  const { control, args } = options;
  const { website, apiKey } = await add(control, 'command line', {
    domain: args.domain,
    timezone: args.timezone ?? 'UTC',
    contingent: parseContingent(args.contingent ?? 'unlimited'),
    lostId: args.lostId === undefined ? undefined : parseId(args.lostId),
  });
  const fields = [
    ['id', String(website.id)],
    ['domain', website.domain],
    ['API key', apiKey],
    ['timezone', website.timezone],
    ['monthly quota', showContingent(website.contingent)],
  ];
  return {
    json: { ...toJson(website), apiKey },
    text: `${alignColumns(fields)}\n\n${keyAdvice}`,
  };
}

export async function listWebsites({ control, clock }: Options<unknown>): Promise<CommandOutput> {
  const month = new Date(clock.now()).toISOString().slice(0, 7);
  const websites = [];
  for (const website of await control.websites.list()) {
    websites.push({ website, used: await control.usage.usedOf(website.id, month) });
  }
  const json = {
    month,
    websites: websites.map(({ website, used }) => ({ ...toJson(website), usedAsOfCheckpoint: used })),
  };
  if (websites.length === 0) {
    return { json, text: 'There are no websites yet. Add one with: trackside website add DOMAIN' };
  }
  const rows = websites.map(({ website, used }) => [
    String(website.id),
    website.deletingSince === null ? website.domain : `${website.domain} (being deleted)`,
    website.timezone,
    showContingent(website.contingent),
    showNumber(used),
    toDate(website.createdAt),
  ]);
  const header = ['id', 'domain', 'timezone', 'monthly quota', `used in ${month}`, 'created'];
  return { json, text: alignColumns([header, ...rows]) };
}

export async function showKey({ control, args }: Options<WebsiteArgs>): Promise<CommandOutput> {
  const website = await findWebsite(control, args.website);
  const { id, domain } = website;
  const apiKey = await revealKey(control, 'command line', website);
  return { json: { id, domain, apiKey }, text: apiKey };
}

export async function regenerateKey({ control, args }: Options<WebsiteArgs>): Promise<CommandOutput> {
  const website = await findWebsite(control, args.website);
  const { id, domain } = website;
  const { apiKey } = await regenerate(control, 'command line', { website, keepOldHours: 0 });
  const text =
    `This is the new API key of ${domain}. ` +
    `The old one stops working within a second.\n\n${apiKey}\n\n${keyAdvice}`;
  return { json: { id, domain, apiKey }, text };
}

export async function setContingent(
  options: Options<WebsiteArgs & { contingent: string }>,
): Promise<CommandOutput> {
  const { control, args } = options;
  const { id } = await findWebsite(control, args.website);
  const change = { id, contingent: parseContingent(args.contingent) };
  const website = await changeWebsite(control, 'command line', change);
  const contingent =
    website.contingent === null
      ? 'unlimited'
      : `${showNumber(website.contingent)} ${website.contingent === 1 ? 'record' : 'records'}`;
  return { json: toJson(website), text: `The monthly quota of ${website.domain} is now ${contingent}.` };
}

export async function setReadOrigins(
  options: Options<WebsiteArgs & { origins: readonly string[] }>,
): Promise<CommandOutput> {
  const { control, args } = options;
  const { id } = await findWebsite(control, args.website);
  const isNone = args.origins.length === 1 && args.origins[0]!.toLowerCase() === 'none';
  const change = { id, readOrigins: isNone ? [] : args.origins };
  const website = await changeWebsite(control, 'command line', change);
  const { domain, readOrigins } = website;
  const text =
    readOrigins.length === 0
      ? `Pages on other origins cannot read the statistics of ${domain}.`
      : `Pages on these origins can read the statistics of ${domain} with a read token:\n\n` +
        readOrigins.join('\n');
  return { json: toJson(website), text };
}

const anyWebsite = { min: 1, max: 1 };

/** Each command by the words after `trackside`. */
export const websiteCommands: Record<string, Command> = {
  'website add': {
    usage: 'website add DOMAIN [--contingent N|unlimited] [--timezone TZ] [--lost-id ID]',
    help:
      'Adds a website and prints its id and API key. ' +
      '--contingent sets the monthly quota: how many records are\n' +
      'accepted per month (default: unlimited). The timezone determines when its day begins ' +
      '(default: UTC).\n' +
      'After an older control database was restored, --lost-id adds a website that it lacks, and that website ' +
      'has its\nrecords again. People in these records are no longer found by their ClientId.',
    words: { min: 1, max: 1 },
    flags: {
      contingent: { type: 'string', help: 'monthly quota: records per month, or unlimited' },
      timezone: { type: 'string', help: 'IANA name, such as Europe/Berlin' },
      'lost-id': { type: 'string', help: 'the ID that the website had before it was lost' },
    },
    isForAnyFolder: true,
    run: (input) =>
      onControl(input, addWebsite, {
        domain: input.words[0]!,
        contingent: textOf(input.flags.contingent),
        timezone: textOf(input.flags.timezone),
        lostId: textOf(input.flags['lost-id']),
      }),
  },
  'website list': {
    usage: 'website list',
    help: 'Lists all websites. The usage shown can be a few seconds behind.',
    words: { min: 0, max: 0 },
    flags: {},
    run: (input) => onControl(input, listWebsites, {}),
  },
  'website show-key': {
    usage: 'website show-key ID|DOMAIN',
    help: 'Prints the API key of a website. The audit log records that it was shown.',
    words: anyWebsite,
    flags: {},
    run: (input) => onControl(input, showKey, { website: input.words[0]! }),
  },
  'website regenerate-key': {
    usage: 'website regenerate-key ID|DOMAIN',
    help: 'Gives a website a new API key. The old one stops working within a second.',
    words: anyWebsite,
    flags: {},
    run: (input) => onControl(input, regenerateKey, { website: input.words[0]! }),
  },
  'website set-contingent': {
    usage: 'website set-contingent ID|DOMAIN N|unlimited',
    help:
      "Changes a website's monthly quota: how many records are accepted per month. " +
      'Takes effect within a second.',
    words: { min: 2, max: 2 },
    flags: {},
    run: (input) =>
      onControl(input, setContingent, { website: input.words[0]!, contingent: input.words[1]! }),
  },
  'website set-read-origins': {
    usage: 'website set-read-origins ID|DOMAIN ORIGIN...|none',
    help:
      'Sets the origins whose pages can read the statistics of a website from the browser, such as\n' +
      'https://intranet.example.com. They still need a read token. The new list replaces the old one;\n' +
      'none clears it. Takes effect within a second.',
    words: { min: 2, max: 1 + maxReadOrigins },
    flags: {},
    run: (input) =>
      onControl(input, setReadOrigins, { website: input.words[0]!, origins: input.words.slice(1) }),
  },
};

function onControl<Args>(
  input: CommandInput,
  run: (options: Options<Args>) => Promise<CommandOutput>,
  args: Args,
): Promise<CommandOutput> {
  return withControl(input, (control) => run({ control, clock: input.clock, args }));
}

function parseId(text: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new CommandError(`--lost-id: expected the ID of a website, such as 7, got "${text}".`);
}

function textOf(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'string' ? flag : undefined;
}

const keyAdvice =
  'Your backend sends this key with each record, in the header "Authorization: <key>".\n' +
  'Treat it like a password: keep it out of pages, scripts and apps.';

function toJson(website: Website) {
  const { id, name, domain, timezone, contingent, retentionDays, readOrigins, createdAt } = website;
  return {
    id,
    name,
    domain,
    timezone,
    contingent,
    retentionDays,
    readOrigins,
    createdAt: new Date(createdAt).toISOString(),
  };
}

const toDate = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
const showNumber = (count: number) => count.toLocaleString('en-US');
const showContingent = (contingent: number | null) =>
  contingent === null ? 'unlimited' : showNumber(contingent);
