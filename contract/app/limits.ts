/**
 * The bounds of what the settings API and the commands take, each of them once. Lengths count characters.
 * Schemas are in files of their own, which the pages import for their types only.
 */

/** Of a new password. */
export const passwordLength = { min: 10, max: 200 } as const;
export const maxEmailLength = 254;

export const maxDomainLength = 253;
/** What people call a website, a read token or a funnel. */
export const maxNameLength = 100;
/** Records a month. */
export const maxContingent = 1_000_000_000_000;
/** At most a hundred years. */
export const retentionDays = { min: 1, max: 36_500 } as const;

/** Of one website. */
export const maxNotes = 500;
export const maxNoteLength = 200;

/** Of one website. */
export const maxFunnels = 50;
