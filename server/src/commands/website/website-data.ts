import { changeWebsite } from '../../actions/change-website.ts';
import { isDomainConfirmed, removeWebsite } from '../../actions/remove-website.ts';
import type { Control } from '../../control/open-control.ts';
import { parseRetention } from '../../control/websites/parse-retention.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { openLog } from '../../node/open-log.ts';
import { type Deletion, keepDeletions } from '../../removal/run-deletions.ts';
import { openStore } from '../../store/open-store.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { pollUntil } from '../data/poll-until.ts';
import { withControl } from '../parts/with-control.ts';
import { withDataParts } from '../parts/with-data-parts.ts';
import { isServerRunning } from '../server/is-server-running.ts';
import { findWebsite } from './find-website.ts';

type Wanted = Parameters<typeof removeWebsite>[2];
type Followed = {
  id: number;
  /** The number of records before the deletion began. */
  allRecords: number;
  /** Returns the number of records left, or the last known number if the engine doesn't answer. */
  countLeft: (known: number) => Promise<number>;
};

/**
 * How long to wait without progress. As long as the number of records goes down, the command keeps waiting.
 */
const standstillMs = 5 * 60_000;

/** Each command by the words after `trackside`. */
export const websiteDataCommands: Record<string, Command> = {
  'website set-retention': {
    usage: 'website set-retention ID|DOMAIN DAYS|forever',
    help:
      'Changes for how long the records of a website are kept: today and so many days before it, ' +
      'by its own calendar.\n' +
      'What is older is removed every day after its midnight, ' +
      'the first time in the night to come or after a restart.',
    words: { min: 2, max: 2 },
    flags: {},
    run: (input) =>
      withControl(input, (control) =>
        setRetention({ control, args: { website: input.words[0]!, days: input.words[1]! } }),
      ),
  },
  'website delete': {
    usage: 'website delete ID|DOMAIN --confirm DOMAIN',
    help:
      'Deletes a website with all of its records, keys and read tokens. ' +
      'Its API key stops working within a second. Nothing\n' +
      'brings it back.',
    words: { min: 1, max: 1 },
    flags: { confirm: { type: 'string', help: 'the domain of the website, to be sure' } },
    run: (input) => withControl(input, (control) => deleteWebsite(input, control)),
  },
};

export async function setRetention(options: {
  control: Control;
  args: { website: string; days: string };
}): Promise<CommandOutput> {
  const { control, args } = options;
  const { id } = await findWebsite(control, args.website);
  const change = { id, retentionDays: parseRetention(args.days) };
  const { domain, retentionDays } = await changeWebsite(control, 'command line', change);
  const text =
    retentionDays === null
      ? `The records of ${domain} are kept for ever.`
      : `The records of ${domain} are kept for ${retentionDays.toLocaleString('en-US')} ` +
        `${retentionDays === 1 ? 'day' : 'days'} after their own. ` +
        'Older ones are removed\nevery day after midnight of the website, ' +
        'the first time in the night to come or after a restart.';
  return { json: { id, domain, retentionDays }, text };
}

async function deleteWebsite(input: CommandInput, control: Control): Promise<CommandOutput> {
  const website = await findWebsite(control, input.words[0]!);
  const { id, domain } = website;
  const { confirm } = input.flags;
  if (typeof confirm !== 'string' || !isDomainConfirmed(domain, confirm)) {
    const got = typeof confirm === 'string' ? `"${confirm}"` : 'nothing';
    throw new CommandError(
      `--confirm: expected ${domain}, got ${got}. ` +
        'The website, its keys and all of its records will be deleted, and nothing\n' +
        `brings them back. To go ahead: trackside website delete ${id} --confirm ${domain}`,
    );
  }
  const wanted = { website, confirm };
  const { allRecords } = isServerRunning(input.config.dataDir)
    ? await askServer(input, control, wanted)
    : await deleteHere(input, control, wanted);
  const records = allRecords.toLocaleString('en-US');
  return {
    json: { id, domain, records: allRecords },
    text: `${domain} is deleted, with ${records} records.`,
  };
}

async function deleteHere(input: CommandInput, control: Control, wanted: Wanted): Promise<Deletion> {
  const { id } = wanted.website;
  const isRunning = () => isServerRunning(input.config.dataDir);
  const deletion = await withDataParts(input, control, async (parts) => {
    const onProgress = (_id: number, at: Deletion) => tell(input, at);
    const handedOver = new AbortController();
    // A server that was started meanwhile counts contingents, and must write them down before the website is
    // gone.
    const checkpointUsage = async () => {
      if (!isRunning()) return;
      handedOver.abort();
      throw new Error('a server was started: it finishes the deletion');
    };
    const { signal } = handedOver;
    const deletions = keepDeletions({ ...parts, signal, onProgress, checkpointUsage });
    await removeWebsite({ control, run: deletions.begin }, 'command line', wanted);
    await deletions.ended();
    return deletions.progress(id)!;
  });
  if (deletion.state === 'done') return deletion;
  if (isRunning()) return { ...(await askServer(input, control, wanted)), allRecords: deletion.allRecords };
  throw new CommandError(
    'The website is not deleted yet: the store could not do it. Run the command again, ' +
      'or start the server, which goes\n' +
      'on with it. See `trackside doctor`.',
  );
}

/**
 * Leaves the deletion to the running server. Only the server knows which records are still on their way into
 * the store.
 */
async function askServer(input: CommandInput, control: Control, wanted: Wanted): Promise<Deletion> {
  const { id } = wanted.website;
  const { engineSocket } = dataFolder(input.config.dataDir);
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const store = openStore({ socketPath: engineSocket, use: 'asking', log });
  // This is only for showing progress, and the engine may be away for a moment.
  const countLeft = async (known: number) =>
    store
      .ofWebsite(id)
      .countRecords('all')
      .catch(() => known);
  try {
    const allRecords = await countLeft(0);
    const run = () => followDeletion(input, control, { id, allRecords, countLeft });
    return await removeWebsite({ control, run }, 'command line', wanted);
  } finally {
    await store.close();
  }
}

async function followDeletion(
  input: CommandInput,
  control: Control,
  { id, allRecords, countLeft }: Followed,
): Promise<Deletion> {
  let left = allRecords;
  for (;;) {
    const before = left;
    const isOver = await pollUntil(standstillMs, async () => {
      if ((await control.websites.find(String(id))) === undefined) return true;
      left = await countLeft(left);
      return left === before ? undefined : false;
    });
    const deletedRecords = Math.max(0, allRecords - left);
    if (isOver === true) return { state: 'done', deletedRecords: allRecords, allRecords };
    if (isOver === undefined) break;
    tell(input, { state: 'running', deletedRecords, allRecords });
  }
  throw new CommandError(
    'The deletion has begun, and the API key does not work any more. The server goes on with it, ' +
      'also after a restart;\n' +
      'its log says why it takes long. It is done when `trackside website list` does not show the website.',
  );
}

function tell({ progress }: CommandInput, { deletedRecords, allRecords }: Deletion): void {
  const [some, all] = [deletedRecords, allRecords].map((records) => records.toLocaleString('en-US'));
  progress(`${some} of ${all} records are deleted`, { isPassing: true });
}
