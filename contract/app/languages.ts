/** The languages that the pages are written in. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];
