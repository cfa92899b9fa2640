/** The current build of a day, whether the day may still change, and how many visitors had a ClientId. */
export type BuiltDay = { day: string; build: string; isOpen: boolean; clients: number };

/** The builds that answer for a period, and the time up to which they have all records. */
export type ReadyDays = { days: BuiltDay[]; builds: string[]; hasClients: boolean; asOfMs: number };

/** Building the days takes longer than anyone should wait, or the server stops before they are built. */
export class DaysNotReady extends Error {
  override name = 'DaysNotReady';
  readonly fault: 'being-calculated' | 'engine-away';

  constructor(message: string, fault: DaysNotReady['fault']) {
    super(message);
    this.fault = fault;
  }
}
