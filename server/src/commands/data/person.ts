import { erasePerson as erase } from '../../actions/erase-person.ts';
import { exportRecords } from '../../actions/export-records.ts';
import type { Control } from '../../control/open-control.ts';
import type { Erasure } from '../../control/privacy/erasures.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import { visitorOfClient } from '../../intake/steps/identify.ts';
import { runErasures } from '../../removal/run-erasures.ts';
import { type Command, CommandError, type CommandInput, type CommandOutput } from '../command.ts';
import { findUnnotedErasures } from '../parts/find-unnoted-erasures.ts';
import { isClusterRunning } from '../parts/is-cluster-running.ts';
import { withControl } from '../parts/with-control.ts';
import { withDataParts } from '../parts/with-data-parts.ts';
import { isServerRunning } from '../server/is-server-running.ts';
import { readYes } from '../terminal/read-yes.ts';
import { writeWholeFile } from '../terminal/write-whole-file.ts';
import { findWebsite } from '../website/find-website.ts';
import {
  assertComplete,
  counted,
  exportTo,
  type NoteExport,
  stdoutSink,
  tellCompleteness,
} from './export.ts';
import { pollUntil } from './poll-until.ts';
import { readClientId } from './read-client-id.ts';

type Person = { website: CachedWebsite; visitorId: string };

const patienceMs = 120_000;
const words = { min: 2, max: 2 };
const clientIdHelp =
  'WEBSITE is an id or a domain. CLIENT_ID is the ClientId as your backend sends it; ' +
  'use - to read it from standard\n' +
  'input, because shells keep a history of what you type.';
const notNotedMeans =
  'Until it is noted, a restore from there brings the records back. ' +
  'The server tries again every minute while it runs;\n' +
  '`trackside doctor` tells you whether it is still missing.';

/** Each command by the words after `trackside`. */
export const personCommands: Record<string, Command> = {
  'person export': {
    usage: 'person export WEBSITE CLIENT_ID|- [--output FILE]',
    help:
      'Exports all records of one person, one JSON object per line, to a file or to standard output. ' +
      'What they did\nbefore they signed in during the same visit is included. ' +
      clientIdHelp,
    words,
    flags: { output: { type: 'string', help: 'a file that does not exist yet (default: standard output)' } },
    run: (input) => withControl(input, (control) => exportPerson(input, control)),
  },
  'person erase': {
    usage: 'person erase WEBSITE CLIENT_ID|- [--yes]',
    help:
      'Erases all records of one person received so far, ' +
      'including what they did before they signed in during the same\nvisit. ' +
      'The statistics change accordingly. This cannot be undone.\n' +
      clientIdHelp,
    words,
    flags: { yes: { type: 'boolean', help: 'erase without asking for confirmation' } },
    run: (input) => withControl(input, (control) => erasePerson(input, control)),
  },
};

async function exportPerson(input: CommandInput, control: Control): Promise<CommandOutput | undefined> {
  const { output } = input.flags;
  if (input.flags.json === true && typeof output !== 'string')
    throw new CommandError(
      '--json prints a summary to standard output, where the records would go. ' +
        'Add --output FILE, or leave --json out.',
    );
  const { website, visitorId } = await findPerson(input, control);
  const wanted = { format: 'ndjson' as const, visitorId };
  const note: NoteExport = (open) =>
    exportRecords({ control, open }, 'command line', website, { person: true });
  if (typeof output !== 'string') {
    assertComplete(await exportTo(input, { website, wanted, note, sink: stdoutSink(), isKept: true }));
    return undefined;
  }
  const exported = await writeWholeFile(output, (sink) =>
    exportTo(input, { website, wanted, note, sink, isKept: false }),
  );
  return {
    json: { website: { id: website.id, domain: website.domain }, file: output, ...exported },
    ...tellCompleteness(
      `Exported ${counted(exported.records)} of this person on ${website.domain} to ${output}.`,
      exported,
    ),
  };
}

async function erasePerson(input: CommandInput, control: Control): Promise<CommandOutput> {
  const person = await findPerson(input, control);
  const { id, domain } = person.website;
  if (input.flags.yes !== true) {
    await readYes({
      input: process.stdin,
      output: process.stderr,
      isTaken: input.words[1] === '-',
      question: `All records of this person on ${domain} will be erased. This cannot be undone.`,
    });
  }
  const { records } = await runErasure(input, control, person);
  const unnoted = await findPlacesWithout(input, control, person);
  return {
    json: { website: { id, domain }, records, notNotedIn: unnoted.map(({ place }) => place) },
    text: [
      `Erased ${counted(records)} of this person on ${domain}.`,
      ...unnoted.map(({ says }) => says),
      ...(unnoted.length === 0 ? [] : [notNotedMeans]),
    ].join('\n'),
  };
}

/** The places with backups from which a restore would bring the person back. */
async function findPlacesWithout({ config }: CommandInput, control: Control, { website, visitorId }: Person) {
  const unnoted = await findUnnotedErasures(control, config);
  return unnoted
    .filter(({ erasures }) =>
      erasures.some((each) => each.websiteId === website.id && each.visitorId === visitorId),
    )
    .map(({ place, fault }) => ({
      place,
      says:
        fault === undefined
          ? `The erasure could not be noted in ${place}, where you keep backups.`
          : `Cannot tell whether the erasure is noted in ${place}, where you keep backups: ${fault}`,
    }));
}

async function runErasure(
  input: CommandInput,
  control: Control,
  person: Person,
): Promise<{ records: number }> {
  const { dataDir } = input.config;
  if (isServerRunning(dataDir) || (await isClusterRunning(control))) {
    const run = (erasure: Erasure) => askServer(input, control, erasure);
    return await erase({ control, run }, 'command line', person);
  }
  return await withDataParts(input, control, async (parts, isLoaded) => {
    const run = (await isLoaded()) ? runErasures(parts).erase : leaveToNextStart;
    return await erase({ control, run }, 'command line', person);
  });
}

/**
 * Leaves the erasure to the server. Records that are not in the store yet may be needed to find out which
 * visits are this person's.
 */
async function leaveToNextStart(): Promise<never> {
  throw new CommandError(
    'The erasure is scheduled, but some records in a journal have not been loaded yet. ' +
      "Start the server: it loads them\nand then erases this person's records.",
  );
}

/**
 * Leaves the erasure to the running server. Only the server knows which records are still on their way into
 * the store.
 */
async function askServer(
  { progress }: CommandInput,
  control: Control,
  erasure: Erasure,
): Promise<{ records: number }> {
  progress('The server is erasing the records …', { isPassing: true });
  const result = await pollUntil(patienceMs, () => control.erasures.result(erasure));
  if (result !== undefined) return result;
  throw new CommandError(
    'The erasure is scheduled, but the server has not finished it within two minutes. ' +
      'The server keeps working on it,\n' +
      "even after a restart; the server's log shows why it is slow. Run the command again to check on it.",
  );
}

async function findPerson(input: CommandInput, control: Control): Promise<Person> {
  const { id } = await findWebsite(control, input.words[0]!);
  const clientId = await readClientId(input.words[1]!, process.stdin);
  const row = (await control.websites.cacheRows()).find(({ website }) => website.id === id)!;
  const website = { ...row.website, clientIdKey: row.clientIdKey.toString('hex') };
  return { website, visitorId: visitorOfClient(website, clientId) };
}
