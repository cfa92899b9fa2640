/** What a rule looks at. `own-host` is the other way round: it names a host whose records count. */
export const exclusionKinds = [
  'network',
  'host',
  'path',
  'query',
  'event',
  'user-agent',
  'own-host',
] as const;

export type ExclusionKind = (typeof exclusionKinds)[number];

/** A rule of a website: records that match it are answered 200, and are neither stored nor counted. */
export type Exclusion = { kind: ExclusionKind; value: string };

export const maxExclusions = 200;
