import { dayMs } from '@trackside/contract/calendar/day.ts';
import type { KnownPlace } from '../../../control/privacy/backup-places.ts';
import type { CommandInput } from '../../command.ts';
import { findPlaceFault } from '../../parts/find-place-fault.ts';
import { findUnnotedErasures, type UnnotedErasures } from '../../parts/find-unnoted-erasures.ts';
import { hasData, withControl } from '../../parts/with-control.ts';
import { type Finding, ok, showBytes, warning } from './finding.ts';

const oldDays = 8;

/**
 * Says how old the last backup is and whether it is still there, and which erasures a restore would not repeat.
 * With an outside store or database, others make backups, but those from before a move may still be there.
 */
export async function checkBackup(input: CommandInput): Promise<Finding[]> {
  const { config, clock } = input;
  if (!hasData(config)) return [];
  // The check of control says why it can't be opened.
  const known = await withControl(input, async (control) => ({
    places: await control.backupPlaces.list(),
    installation: await control.installation(),
    unnoted: await findUnnotedErasures(control, config),
  })).catch(() => undefined);
  if (known === undefined) return [];
  const unnoted = known.unnoted.map(describeUnnoted);
  if (config.databaseUrl !== undefined || config.clickhouseUrl !== undefined) return unnoted;
  if (known.places.length === 0) return [ok('none yet: trackside backup PLACE')];
  const places = known.places.map(async (place) => {
    const fault = await findPlaceFault(place.place, known.installation, config);
    return describe(place, clock.now(), fault);
  });
  return [...(await Promise.all(places)), ...unnoted];
}

function describeUnnoted({ place, erasures, fault }: UnnotedErasures): Finding {
  const count = erasures.length === 1 ? '1 erasure' : `${erasures.length.toLocaleString('en-US')} erasures`;
  const is = erasures.length === 1 ? 'is' : 'are';
  return warning(
    fault === undefined
      ? `${count} ${is} not noted in ${place}, so a restore from there brings the records back`
      : `cannot tell whether ${count} ${is} noted in ${place}: ${fault}`,
    'make sure that the server can write there: while it runs, it tries again every minute. ' +
      `If the place is gone for good, run trackside backup ${place} --forget`,
  );
}

/** `fault` says why the backups that were made there can't be used. */
function describe(known: KnownPlace, now: number, fault: string | undefined): Finding {
  const { place, startedAt, finishedAt, records, bytes } = known;
  const todo = `run trackside backup ${place}, or --forget it if the place is gone`;
  if (finishedAt === null) return warning(`none in ${place} was ever finished`, todo);
  const size = `${(records ?? 0).toLocaleString('en-US')} records, ${showBytes(bytes ?? 0)}`;
  const says = `${ago(now - finishedAt)} in ${place} (${size})`;
  if (fault !== undefined) return warning(`${says}, but it cannot be used now: ${fault}`, todo);
  if (now - finishedAt > oldDays * dayMs) return warning(says, todo);
  if (startedAt > finishedAt) return warning(`${says}; a later one was not finished`, todo);
  return ok(says);
}

function ago(ms: number): string {
  const hours = Math.max(0, Math.round(ms / 3_600_000));
  if (hours < 48) return hours === 1 ? '1 hour ago' : `${hours} hours ago`;
  return `${Math.round(hours / 24)} days ago`;
}
