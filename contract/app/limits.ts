/**
 * The limits of what the settings API and the commands accept, each in one place. Lengths count characters.
 * Schemas are in separate files, which the pages import for their types only.
 */

/** The body of a request. */
export const maxBodyBytes = 64 * 1024;

/** The length of a record that is tried out. With every character escaped, it still fits into a body. */
export const maxDryRunLength = 10_000;

/** The length of a new password. */
export const passwordLength = { min: 10, max: 200 } as const;
export const maxEmailLength = 254;

export const maxDomainLength = 253;
/** The length of the name of a website, a read token, a funnel, a segment or a goal. */
export const maxNameLength = 100;
/** Records per month. */
export const maxContingent = 1_000_000_000_000;
/** At most a hundred years. */
export const retentionDays = { min: 1, max: 36_500 } as const;

/** The number of origins whose pages may read the statistics of one website. */
export const maxReadOrigins = 20;
export const maxOriginLength = 300;

/** The number of notes of one website. */
export const maxNotes = 500;
export const maxNoteLength = 200;

/** The number of funnels of one website. */
export const maxFunnels = 50;

/** The number of segments of one website, and of one user at one website. */
export const maxSegments = 50;

/** The number of goals of one website. */
export const maxGoals = 30;

/** The days that one request for the ledger may ask for. */
export const maxLedgerDays = 400;
/** The days of a period up to which the ledger also tells the hours. */
export const maxLedgerDaysWithHours = 4;
