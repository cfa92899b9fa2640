import { createUseWords } from '#words/words-context.ts';

export const qualityWords = {
  about: 'What happened to each record that your backend sent.',
  period: 'Period',
  days: (days: string) => `${days} days`,
  since: (time: string) => `Counting began on ${time}.`,

  empty: {
    title: 'Nothing recorded here yet',
    about: 'From the next record on, this page shows what happens to everything that your backend sends.',
    action: 'Send records',
    inPeriod: (days: string) => `Nothing was sent in the last ${days} days`,
    inPeriodAbout: 'Choose a longer period, or check whether your backend is still sending records.',
  },

  verdict: {
    all: (days: string) => `Everything that arrived in the last ${days} days was counted.`,
    allowed: (days: string) =>
      `Everything that arrived in the last ${days} days was counted, except what your rules exclude.`,
    refused: (share: string, sent: string) => `${sent} sent, ${share} refused.`,
    missing: (share: string, sent: string) => `${sent} sent, ${share} missing.`,
    both: (share: string, sent: string) => `${sent} sent, ${share} refused or missing.`,
    lost: (share: string, sent: string) => `${sent} sent, ${share} not counted.`,
  },
  records: { one: '# record', other: '# records' },

  counts: {
    accepted: 'Counted',
    refused: 'Refused',
    missing: 'Missing',
    excluded: 'Excluded',
    overQuota: 'Over quota',
    repeated: 'Repeated',
  },
  abouts: {
    accepted: 'Stored and included in your statistics.',
    refused: 'Answered 400: a field was missing or wrong.',
    missing: 'Numbered by your backend, but never arrived.',
    excluded: 'Matched one of your rules. Answered 200, but not stored.',
    overQuota: 'Answered 429: the monthly quota was used up.',
    repeated: 'Arrived again, but counted only once. Not part of the total.',
  },
  unknown: 'Unknown',
  unnumbered: 'Your backend doesn’t number its records.',
  exclusions: 'Edit exclusions',
  quota: 'Change quota',

  calendar: {
    title: 'Day by day',
    about: 'Choose a day to see its hours.',
    choose: 'Day',
    none: 'No records',
    /** By the color of a day. */
    levels: { 0: 'All counted', 1: 'Up to 1% lost', 2: 'Up to 5% lost', 3: 'Over 5% lost' },
    hours: (timezone: string) => `Records per hour, ${timezone}`,
  },

  refusals: {
    title: 'Refused records',
    about: 'By reason, most frequent first. The values themselves are never stored.',
    none: 'No record was refused.',
    other: 'The request as a whole',
    seen: 'First seen {first}, last seen {last}.',
    lacking: (release: string, share: string) =>
      `Since release ${release}, ${share} of records lack this field.`,
    wrong: (release: string, share: string) =>
      `Since release ${release}, this field is wrong in ${share} of records.`,
    ofRelease: (release: string, records: string, sent: string) => `${release}: ${records} of ${sent}`,
    releases: (releases: readonly string[]) => `By release: ${releases.join(', ')}.`,
  },

  missing: {
    title: 'Missing records',
    about:
      'These numbers never arrived. Their records were lost on the way, for example because a process ended ' +
      'before sending them, or because the network was down for too long. Check the sender’s logs for that ' +
      'time. If a record still arrives, its number disappears from this list.',
    none: 'No records are missing.',
    unnumbered:
      'If a record never arrives, you can only tell if your backend numbers its records. Send the header ' +
      '{header} to see lost records here.',
    sender: 'Sender',
    numbers: 'Numbers',
    records: 'Records',
    hour: 'Due',
  },

  releases: {
    title: 'Releases',
    none: 'To see which release caused a problem, send your version in the header {header}.',
    release: 'Release',
    without: 'No release',
    sent: 'Sent',
    first: 'First seen',
  },

  keys: {
    title: 'API keys',
    about: 'Some records were sent with a key other than the current one.',
    key: 'Key',
    current: '(current)',
    old: '(old)',
  },
};

export type QualityWords = typeof qualityWords;

export const useQualityWords = createUseWords('quality', qualityWords);
