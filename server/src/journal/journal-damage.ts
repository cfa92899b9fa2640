import type { Damage } from '../damage/damage-log.ts';
import type { LostEnd } from './find-lost-ends.ts';

type Told = Omit<Damage, 'foundAt'>;

/**
 * There is one note for the loss of records of each segment: whatever is found first is reported. A loss that
 * was reported can look different at the next start.
 */
const idOf = (segment: number) => `journal-segment-${segment}`;

/** Nothing is lost yet, so this must not hide a loss that comes later. */
export function headerMended(segment: number): Told {
  const id = `${idOf(segment)}-header`;
  return {
    id,
    kind: 'journal-segment',
    says: `the header of journal segment ${segment} is damaged, but its records can be read and are loaded`,
    todo: `check the disk for faults, then run trackside doctor --forget ${id}`,
  };
}

export function segmentSetAside(segment: number, why: string, path: string): Told {
  return {
    id: idOf(segment),
    kind: 'journal-segment',
    says:
      `journal segment ${segment} is unreadable (${why}) and was renamed to ${path}; ` +
      "any of its records that weren't loaded before are missing from the statistics",
    todo: `keep that file and check the disk for faults, then run trackside doctor --forget ${idOf(segment)}`,
  };
}

export function toldLoss({ segment, end, answeredTo, isStored }: LostEnd): Told {
  const what =
    end === undefined
      ? `journal segment ${segment} is missing, although records in it were accepted`
      : `journal segment ${segment} is readable up to byte ${end} only, ` +
        `although records up to byte ${answeredTo} were accepted`;
  const meaning = isStored
    ? 'the statistics have these records'
    : "those that weren't loaded before are missing from the statistics";
  return {
    id: idOf(segment),
    kind: 'journal-segment',
    says: `${what}; ${meaning}`,
    todo: `check the disk for faults, run trackside verify, then trackside doctor --forget ${idOf(segment)}`,
  };
}

export function segmentVanished(segment: number): Told {
  return {
    id: idOf(segment),
    kind: 'journal-segment',
    says:
      `journal segment ${segment} was removed, but not by the server; ` +
      "any of its records that weren't loaded before are missing from the statistics",
    todo:
      'restore the file from a backup and start the server again, ' +
      `or run trackside doctor --forget ${idOf(segment)}`,
  };
}

/** Control remembers what an earlier journal has counted, but that journal isn't there. */
export function journalBegunAnew(node: string): Told {
  const id = `journal-begun-anew-${node}`;
  return {
    id,
    kind: 'journal-segment',
    says:
      'the journal was empty when the server started, although records were accepted before; ' +
      "those that weren't loaded before are missing from the statistics",
    todo:
      "if you didn't move the journal away on purpose, restore it from a backup; " +
      `then run trackside doctor --forget ${id}`,
  };
}
