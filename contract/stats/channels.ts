/** The channels through which visitors come. */
export const channels = [
  'direct',
  'search',
  'social',
  'email',
  'paid',
  'referral',
  'ai',
  'internal',
] as const;

export type Channel = (typeof channels)[number];
