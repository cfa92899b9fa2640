/**
 * The data that decides whether a record in the journal still belongs in the store. Members may be computed
 * when they are read.
 */
export type WantedRow = {
  readonly websiteId: number;
  /** 64 bits in decimal. */
  readonly visitorId: string;
  /** The website's local day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly occurredAtMs: number;
};

export type IsWanted = (row: WantedRow) => boolean;
