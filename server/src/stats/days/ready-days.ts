/** The build of a day that counts, and whether it is one of those that may still change. */
export type BuiltDay = { day: string; build: string; isOpen: boolean };

/** What a question is answered from, and since when it is not up to date. */
export type ReadyDays = { days: BuiltDay[]; builds: string[]; hasClients: boolean; asOfMs: number };

/**
 * Days are still being built, for longer than one who asked should wait; or the server stops before they are.
 */
export class DaysNotReady extends Error {
  override name = 'DaysNotReady';
  readonly fault: 'being-calculated' | 'engine-away';

  constructor(message: string, fault: DaysNotReady['fault']) {
    super(message);
    this.fault = fault;
  }
}
