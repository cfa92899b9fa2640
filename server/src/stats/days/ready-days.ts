/**
 * A build that answers for a day. If it is a change, the day is its base, without what the devices of the
 * change did there, and the change.
 */
export type DayBuild = { build: string; base?: string | undefined };

/** The current build of a day, how many records it has, and how many visitors had a ClientId. */
export type BuiltDay = DayBuild & {
  day: string;
  records: number;
  clients: number;
  /** Whether the day may still change. */
  isOpen: boolean;
  /** Whether it changes by changes of a base. Otherwise, it is built as a whole each time. */
  hasBase: boolean;
};

/** The builds that answer for a period, and the time up to which they have all records. */
export type ReadyDays = {
  days: BuiltDay[];
  builds: DayBuild[];
  /**
   * Whether visitors may have come on several days, known by their ClientId, so that their number is not the
   * sum of those of the days.
   */
  mayRepeat: boolean;
  asOfMs: number;
  /** Whether past days count without their latest records, because building them again takes too long. */
  isBehind: boolean;
  /** Whether so much time has passed that some of the builds may have been replaced and removed. */
  mayBeGone: () => boolean;
};

/** Returns the numbers of all builds that have rows of a day. Their sums add up to those of the day. */
export function numbersOf({ build, base }: DayBuild): string[] {
  return base === undefined ? [build] : [base, build];
}

/** Returns how many records builds have, as far as that is known. */
export function recordsOf(builds: readonly (DayBuild & Partial<BuiltDay>)[]): number {
  return builds.reduce((sum, { records = 0 }) => sum + records, 0);
}

/** A build with rows of a day. */
export type DayPart = { day: string; build: string };

export function partsOf(built: BuiltDay): DayPart[] {
  return numbersOf(built).map((build) => ({ day: built.day, build }));
}

/** Building the days takes longer than anyone should wait, or the server stops before they are built. */
export class DaysNotReady extends Error {
  override name = 'DaysNotReady';
  readonly fault: 'being-calculated' | 'engine-away';

  constructor(message: string, fault: DaysNotReady['fault']) {
    super(message);
    this.fault = fault;
  }
}
