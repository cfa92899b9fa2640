import { isForgotten, readDamage } from '../../../damage/damage-log.ts';
import { damageOfWorker } from '../../../damage/damage-of-worker.ts';
import { dataFolder } from '../../../files/data-folder.ts';
import { listWorkerFolders, type WorkerFolder } from '../../../files/worker-folders.ts';
import { headerMended, segmentSetAside } from '../../../journal/journal-damage.ts';
import { endOf } from '../../../journal/read-segments.ts';
import { listSegments, readSegmentHeader } from '../../../journal/segment-file.ts';
import { readLedger } from '../../../loader/open-ledger.ts';
import { nextStretch } from '../../../loader/read-batch.ts';
import type { CommandInput } from '../../command.ts';
import { describeMissingJournal, isJournalMissing } from '../../parts/is-journal-missing.ts';
import { type Finding, fault, ok, showBytes, warning } from './finding.ts';

type Input = Pick<CommandInput, 'config' | 'clock'>;

const lagWorthTellingMs = 30_000;
const ifUnreadable =
  'start the server: it reads what it can, or sets the file aside; then check the disk for faults';

/**
 * Checks how much the journals hold and how much has yet to be loaded. Works next to a running server.
 */
export async function checkJournal(input: Input): Promise<Finding[]> {
  const { config } = input;
  const folder = dataFolder(config.dataDir);
  const journals = await listWorkerFolders(config.dataDir);
  const first = await listSegments(folder.journal).catch((): number[] => []);
  if (first.length === 0 && (journals.length === 1 || (await isMissing(input)))) {
    const { says, todo } = describeMissingJournal(folder.journal);
    return [(await isMissing(input)) ? fault(says, todo) : ok('empty')];
  }
  const damages = await readDamage(folder.damage);
  const isKnown = (id: string) =>
    isForgotten(folder.damage, id) || damages.some((damage) => damage.id === id);
  const looks = await Promise.all(journals.map((journal) => look(journal, isKnown, input)));
  const bytes = looks.reduce((sum, look) => sum + look.bytes, 0);
  const segments = looks.reduce((sum, look) => sum + look.segments, 0);
  const full = showBytes(config.journalMaxBytes);
  const says = `${showBytes(bytes)} in ${counted(segments, 'segment', 'segments')}, full at ${full}`;
  return [
    bytes > 0.8 * config.journalMaxBytes
      ? warning(says, 'check that the engine is running; raise --journal-max-bytes if the disk has space')
      : ok(says),
    ...looks.flatMap(({ findings }) => findings),
  ];
}

/** Without the control database nobody can tell, and that database has its own check. */
const isMissing = (input: Input) => isJournalMissing(input).catch(() => false);

/** Looks at the journal of one worker. */
async function look({ worker, journal }: WorkerFolder, isKnown: (id: string) => boolean, { clock }: Input) {
  const findings: Finding[] = [];
  const segments = [];
  let bytes = 0;
  const numbers = await listSegments(journal).catch((): number[] => []);
  const of = worker === 1 ? '' : `worker ${worker}, `;
  for (const number of numbers) {
    const opened = await readSegmentHeader(journal, number);
    const size = await endOf(journal, number);
    bytes += size;
    if (opened.kind === 'newer') {
      findings.push(fault(`${of}segment ${number}: ${opened.why}`, 'start the version that wrote it'));
    } else if (opened.kind === 'unreadable') {
      // Another check lists the damage that the server already knows about, until an operator forgets it.
      const notes = [headerMended(number), segmentSetAside(number, '', '')];
      const isTold = notes.some((note) => isKnown(damageOfWorker(worker, note).id));
      if (!isTold) findings.push(fault(`${of}segment ${number}: ${opened.why}`, ifUnreadable));
    } else if (opened.kind === 'readable') {
      const { columns, createdAt } = opened.header;
      segments.push({ number, columns, createdAt, firstFrame: opened.firstFrame, end: size });
    }
  }
  const ledger = await readLedger(journal);
  const waiting = nextStretch(segments, ledger?.batchedTo ?? { segment: 0, offset: 0 });
  const from = segments.find(({ number }) => number === waiting?.segment)?.createdAt ?? clock.now();
  const waitingMs = waiting === undefined ? 0 : clock.now() - from;
  const unverified = ledger === undefined ? 0 : ledger.batches.size - ledger.verified.size;
  const kept = counted(ledger?.batches.size ?? 0, 'batch', 'batches');
  const loaded = `loader: ${of}${kept} in the journal, ${unverified} not verified yet`;
  if (waiting === undefined) findings.push(ok(`${loaded}, nothing left to load`));
  else if (waitingMs < lagWorthTellingMs)
    findings.push(ok(`${loaded}, ${showBytes(waiting.to - waiting.from)} left to load`));
  else {
    const todo = 'these records are safe; they are loaded once the server and its engine are running';
    findings.push(warning(`${loaded}, ${showBytes(waiting.to - waiting.from)} left to load`, todo));
  }
  return { findings, bytes, segments: numbers.length };
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
