import type { ExclusionKind } from '@trackside/contract/app/exclusion-kinds.ts';
import { createUseWords } from '#words/words-context.ts';

type OfKind = Record<ExclusionKind, string>;

const kinds: OfKind = {
  network: 'IP address or network',
  host: 'Host',
  path: 'Path',
  query: 'URL parameter',
  event: 'Event',
  'user-agent': 'User agent contains',
  'own-host': 'Only count this host',
};

const refusedHost = 'Enter a host without https://, port or path.';
const refused: OfKind = {
  network: 'Enter an IP address or a network of at least 8 bits (16 for IPv6).',
  host: refusedHost,
  path: 'Enter a path that begins with /.',
  query: 'Enter the name of a URL parameter.',
  event: 'Enter the name of an event, or its start with a * at the end.',
  'user-agent': 'Enter at least 3 characters of the user agent.',
  'own-host': refusedHost,
};

export const exclusionWords = {
  title: 'Exclusions',
  about:
    'Records that match are answered, but never stored or counted, and don’t use your quota. ' +
    'Records that are already stored stay.',
  none: 'No exclusions yet. Add your office’s network or a staging host to leave them out.',
  kinds,
  refused,
  kind: 'Exclude by',
  value: 'Value',
  missing: 'Enter a value.',
  duplicate: 'This exclusion is already in the list.',
  full: (max: string) => `A website can have at most ${max} exclusions. Remove one that you no longer need.`,
  add: 'Add exclusion',
  remove: 'Remove',
  removeNamed: (rule: string) => `Remove ${rule}`,
  ownHostHint: 'As soon as you add one, records from all other hosts are excluded, forged ones included.',
  notPreviewed: 'No preview: IP addresses and user agents aren’t stored.',
  previewed: { one: '# record in the last 24 hours', other: '# records in the last 24 hours' },
  previewedOfOthers: {
    one: '# record from other hosts in the last 24 hours',
    other: '# records from other hosts in the last 24 hours',
  },
  total: (excluded: string, records: string) =>
    `In the last 24 hours, this would have excluded ${excluded} of ${records} records.`,
  previewing: 'Checking the last 24 hours…',
  save: 'Save exclusions',
  saved: 'Exclusions saved. They apply from the next record on.',
  empty: 'None',
};

export type ExclusionWords = typeof exclusionWords;

export const useExclusionWords = createUseWords('exclusions', exclusionWords);
