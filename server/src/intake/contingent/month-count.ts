/** The records of one website in one month. `reserved` includes those that are not on disk yet. */
export type MonthCount = {
  websiteId: number;
  month: string;
  reserved: number;
  settled: number;
  /** Records counted by other nodes, as of their last checkpoints. */
  elsewhere: number;
  /** Records that this process has refused because the contingent was used up. Not kept across starts. */
  refused: number;
};
