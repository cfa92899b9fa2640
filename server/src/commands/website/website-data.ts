import { changeWebsite } from '../../actions/change-website.ts';
import { isDomainConfirmed, removeWebsite } from '../../actions/remove-website.ts';
import type { Control } from '../../control/open-control.ts';
import { parseRetention } from '../../control/websites/parse-retention.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { openLog } from '../../node/open-log.ts';
import { type Deletion, runDeletions } from '../../removal/run-deletions.ts';
import { openStore } from '../../store/open-store.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { pollUntil } from '../data/poll-until.ts';
import { isClusterRunning } from '../parts/is-cluster-running.ts';
import { readOutsideStore } from '../parts/read-outside-store.ts';
import { withControl } from '../parts/with-control.ts';
import { withDataParts } from '../parts/with-data-parts.ts';
import { isServerRunning } from '../server/is-server-running.ts';
import { findWebsite } from './find-website.ts';

type Wanted = Parameters<typeof removeWebsite>[2];
/** The number of deleted records is unknown if the engine never answered. */
type Deleted = { allRecords: number | undefined };
type Followed = Deleted & {
  id: number;
  /** Returns the number of records left, or undefined if the engine doesn't answer. */
  countLeft: () => Promise<number | undefined>;
};

/**
 * How long to wait without progress. As long as the number of records goes down, the command keeps waiting.
 */
const standstillMs = 5 * 60_000;

/** How long to wait for the engine of a server that has just started. The deletion works without it. */
const engineMs = 10_000;

/** Each command by the words after `trackside`. */
export const websiteDataCommands: Record<string, Command> = {
  'website set-retention': {
    usage: 'website set-retention ID|DOMAIN DAYS|forever',
    help:
      "Sets how long a website's records are kept: today and this many days before it, " +
      "in the website's timezone.\n" +
      "Older records are removed every day after the website's midnight, " +
      'starting tonight or after a restart.',
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
      'Its API key stops working within a second. This\n' +
      'cannot be undone.',
    words: { min: 1, max: 1 },
    flags: { confirm: { type: 'string', help: 'the domain of the website, to confirm' } },
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
      ? `The records of ${domain} are kept forever.`
      : `The records of ${domain} are kept for ${retentionDays.toLocaleString('en-US')} ` +
        `${retentionDays === 1 ? 'day' : 'days'} after the day they were received. ` +
        "Older records\nare removed every day after the website's midnight, " +
        'starting tonight or after a restart.';
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
        'The website, its keys and all of its records will be deleted.\n' +
        `This cannot be undone. To go ahead: trackside website delete ${id} --confirm ${domain}`,
    );
  }
  const wanted = { website, confirm };
  const isRunning = isServerRunning(input.config.dataDir) || (await isClusterRunning(control));
  const { allRecords } = isRunning
    ? await askServer(input, control, { ...wanted, waitMs: website.deletingSince === null ? engineMs : 0 })
    : await deleteHere(input, control, wanted);
  return {
    json: { id, domain, records: allRecords ?? null },
    text: `Deleted ${domain} with ${allRecords === undefined ? 'all of its records' : counted(allRecords)}.`,
  };
}

async function deleteHere(input: CommandInput, control: Control, wanted: Wanted): Promise<Deleted> {
  const { id } = wanted.website;
  const isRunning = () => isServerRunning(input.config.dataDir);
  const deletion = await withDataParts(input, control, async (parts) => {
    const onProgress = (_id: number, at: Deletion) => tell(input, at);
    const handedOver = new AbortController();
    // A server that was started in the meantime counts the contingent, and must save its count before the
    // website is gone.
    const checkpointUsage = async () => {
      if (!isRunning()) return;
      handedOver.abort();
      throw new Error('a server was started: it finishes the deletion');
    };
    const { signal } = handedOver;
    const deletions = runDeletions({ ...parts, signal, onProgress, checkpointUsage });
    await removeWebsite({ control, run: deletions.begin }, 'command line', wanted);
    await deletions.ended();
    return deletions.progress(id)!;
  });
  if (deletion.state === 'done') return deletion;
  if (isRunning()) {
    await askServer(input, control, { ...wanted, waitMs: 0 });
    return deletion;
  }
  throw new CommandError(
    'The website is not deleted yet, because the store is not working. Run the command again, ' +
      'or start the server, which\n' +
      'finishes the deletion. Run `trackside doctor` to find out more.',
  );
}

/**
 * Leaves the deletion to the running server. Only the server knows which records are still on their way into
 * the store. `waitMs` is how long to wait for the engine before the deletion begins, to count the records.
 */
async function askServer(
  input: CommandInput,
  control: Control,
  { waitMs, ...wanted }: Wanted & { waitMs: number },
): Promise<Deleted> {
  const { id } = wanted.website;
  const { engineSocket } = dataFolder(input.config.dataDir);
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  const outside = readOutsideStore(input.config);
  const store = openStore({
    ...(outside === undefined ? { socketPath: engineSocket } : { outside }),
    use: 'asking',
    log,
  });
  // The count is only shown to the operator, and the engine may be away for a moment.
  const countLeft = async () =>
    store
      .ofWebsite(id)
      .countRecords('all')
      .catch(() => undefined);
  try {
    const allRecords = await pollUntil(waitMs, countLeft);
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
): Promise<Deleted> {
  let left = allRecords;
  for (;;) {
    const before = left;
    const isOver = await pollUntil(standstillMs, async () => {
      if ((await control.websites.find(String(id))) === undefined) return true;
      left = (await countLeft()) ?? left;
      return left === before ? undefined : false;
    });
    if (isOver === true) return { allRecords };
    if (isOver === undefined) break;
    if (allRecords !== undefined && left !== undefined)
      tell(input, { deletedRecords: Math.max(0, allRecords - left), allRecords });
  }
  throw new CommandError(
    'The deletion has started, and the API key no longer works. The server keeps working on it, ' +
      'even after a restart;\n' +
      "the server's log shows why it is slow. " +
      'It is done when `trackside website list` no longer shows the website.',
  );
}

function tell(
  { progress }: CommandInput,
  { deletedRecords, allRecords }: Pick<Deletion, 'deletedRecords' | 'allRecords'>,
): void {
  const some = deletedRecords.toLocaleString('en-US');
  progress(`Deleted ${some} of ${counted(allRecords)}`, { isPassing: true });
}

const counted = (records: number) =>
  `${records.toLocaleString('en-US')} ${records === 1 ? 'record' : 'records'}`;
