/**
 * The channels through which visitors arrive, with the names that people read. The rule of each is in
 * docs/channels.md. Names and rules follow the default channel group of Google Analytics 4.
 */
export const channelNames = {
  direct: 'Direct',
  search: 'Organic search',
  social: 'Organic social',
  video: 'Organic video',
  shopping: 'Organic shopping',
  ai: 'AI assistants',
  referral: 'Referral',
  email: 'Email',
  sms: 'SMS',
  push: 'Push notifications',
  affiliates: 'Affiliates',
  audio: 'Audio',
  paidSearch: 'Paid search',
  paidSocial: 'Paid social',
  paidVideo: 'Paid video',
  paidShopping: 'Paid shopping',
  display: 'Display',
  crossNetwork: 'Cross-network',
  paid: 'Other paid',
  internal: 'From the website itself',
  unassigned: 'Unassigned',
} as const;

export type Channel = keyof typeof channelNames;
