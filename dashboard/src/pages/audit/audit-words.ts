import { createUseWords } from '#words/words-context.ts';
import {
  type Change,
  changeOf,
  type EntryFacts,
  listOrigins,
  listRules,
  type SpellEntry,
  spellDay,
} from './entry-facts.ts';

type Format = EntryFacts['format'];

const records = { one: '# record', other: '# records' };
const days = { one: '# day', other: '# days' };
const hours = { one: '# hour', other: '# hours' };

const fields: Readonly<Record<string, string>> = {
  ignoreTrailingSlash: 'ignore trailing slashes',
  ignoreCase: 'ignore letter case',
  ignoreWww: 'ignore www',
};

const fromTo = (change: Change | undefined, spell: (value: unknown) => string) =>
  change === undefined ? '' : ` from ${spell(change.from)} to ${spell(change.to)}`;
const asRole = (role: unknown) => (role === 'admin' ? 'an admin' : 'a viewer');
const spellQuota = (format: Format) => (limit: unknown) =>
  limit === null ? 'no limit' : format.number(Number(limit));
const spellRetention = (format: Format) => (kept: unknown) =>
  kept === null ? 'forever' : format.count(Number(kept), days);
const spellOrigins = (origins: unknown) => listOrigins(origins) || 'none';
const spellSpan = ({ from, to }: EntryFacts['detail'], format: Format) =>
  (from === undefined ? '' : ` from ${spellDay(from, format)}`) +
  (to === undefined ? '' : ` up to ${spellDay(to, format)}`);

/** What people call their own segments is not in the log. */
const segmentOf = (detail: EntryFacts['detail']) =>
  detail.isPersonal ? 'a personal segment' : `the segment “${detail.name}”`;

/** A sentence for every action. Each continues after the name of whoever did it. */
const actions: Readonly<Record<string, SpellEntry>> = {
  'user.added': ({ subject, isSelf, detail }) => {
    if (isSelf) return 'set up Trackside as its first admin';
    return detail.role === undefined ? `added ${subject}` : `added ${subject} as ${asRole(detail.role)}`;
  },
  'user.changed': ({ subject, detail }) => `changed ${subject}’s access: ${asRole(detail.role)}`,
  'user.removed': ({ subject }) => `removed ${subject}`,
  'user.password-changed': ({ subject, isSelf }) =>
    isSelf ? 'changed their password' : `set a new password for ${subject}`,
  'user.signed-in': () => 'signed in',
  'user.signed-out-everywhere': () => 'signed out everywhere',
  'user.session-ended': () => 'signed out on another device',
  'website.added': ({ subject }) => `added ${subject}`,
  'website.changed': ({ subject, detail }) => {
    const changes = Object.entries(detail).map(
      ([field, change]) => `${field}${fromTo(changeOf(change), (value) => `“${value}”`)}`,
    );
    if (changes.length === 0) return `changed ${subject}’s settings`;
    return `changed ${subject}: ${new Intl.ListFormat('en').format(changes)}`;
  },
  'website.contingent-changed': ({ subject, detail, format }) =>
    `changed ${subject}’s monthly quota${fromTo(changeOf(detail.contingent), spellQuota(format))}`,
  'website.retention-changed': ({ subject, detail, format }) =>
    `changed how long ${subject} keeps records${fromTo(changeOf(detail.retentionDays), spellRetention(format))}`,
  'website.addresses-changed': ({ subject, detail }) => {
    const changes = Object.entries(detail).map(
      ([field, change]) => `${fields[field] ?? field} ${changeOf(change)?.to === true ? 'on' : 'off'}`,
    );
    return `changed which of ${subject}’s addresses count as one page: ${changes.join(', ')}`;
  },
  'website.read-origins-changed': ({ subject, detail }) =>
    `changed which origins can read ${subject}${fromTo(changeOf(detail.readOrigins), spellOrigins)}`,
  'website.exclusions-changed': ({ subject, detail }) => {
    const changes = [
      detail.added === undefined ? '' : `added ${listRules(detail.added)}`,
      detail.removed === undefined ? '' : `removed ${listRules(detail.removed)}`,
    ].filter(Boolean);
    return `changed which of ${subject}’s records are excluded: ${changes.join('; ')}`;
  },
  'website.key-revealed': ({ subject }) => `viewed ${subject}’s API key`,
  'website.key-regenerated': ({ subject, detail: { keepOldHours }, format }) => {
    const old = keepOldHours
      ? `the old one worked for another ${format.count(Number(keepOldHours), hours)}`
      : 'the old one stopped working immediately';
    return `regenerated ${subject}’s API key; ${old}`;
  },
  'website.share-on': ({ subject }) => `turned on ${subject}’s public link`,
  'website.share-off': ({ subject }) => `turned off ${subject}’s public link`,
  'website.share-renewed': ({ subject }) => `replaced ${subject}’s public link`,
  'website.exported': ({ subject, detail, format }) =>
    `exported ${subject}’s records${spellSpan(detail, format)}`,
  'website.demo-loaded': ({ subject }) => `loaded demo data into ${subject}`,
  'website.demo-removed': ({ subject }) => `removed ${subject}’s demo data`,
  'website.division-started': ({ subject }) => `started dividing ${subject} among all shards`,
  'website.deletion-started': ({ subject }) => `started deleting ${subject}`,
  'website.deleted': ({ subject }) => `deleted ${subject} and all of its records`,
  'person.exported': ({ subject }) => `exported one person’s records from ${subject}`,
  'person.erasure-started': ({ subject }) => `started erasing one person’s records from ${subject}`,
  'person.erased': ({ subject, detail, format }) =>
    typeof detail.records === 'number'
      ? `erased ${format.count(detail.records, records)} of one person from ${subject}`
      : `erased one person’s records from ${subject}`,
  'token.added': ({ subject, detail }) => `created the read token “${detail.name}” for ${subject}`,
  'token.revoked': ({ subject, detail }) => `revoked ${subject}’s read token “${detail.name}”`,
  'note.added': ({ subject, detail, format }) =>
    `added the note “${detail.text}” for ${spellDay(detail.day, format)} to ${subject}`,
  'note.changed': ({ subject, detail, format }) =>
    `changed the note “${detail.text}” for ${spellDay(detail.day, format)} on ${subject}`,
  'note.removed': ({ subject, detail, format }) =>
    `removed the note “${detail.text}” for ${spellDay(detail.day, format)} from ${subject}`,
  'funnel.added': ({ subject, detail }) => `added the funnel “${detail.name}” to ${subject}`,
  'funnel.arranged': ({ subject }) => `reordered the funnels of ${subject}`,
  'funnel.changed': ({ subject, detail }) => `changed the funnel “${detail.name}” of ${subject}`,
  'funnel.removed': ({ subject, detail }) => `removed the funnel “${detail.name}” from ${subject}`,
  'segment.added': ({ subject, detail }) => `saved ${segmentOf(detail)} for ${subject}`,
  'segment.changed': ({ subject, detail }) => `changed ${segmentOf(detail)} for ${subject}`,
  'segment.removed': ({ subject, detail }) => `deleted ${segmentOf(detail)} for ${subject}`,
  'goal.added': ({ subject, detail }) => `added the goal “${detail.name}” to ${subject}`,
  'goal.changed': ({ subject, detail }) => `changed the goal “${detail.name}” of ${subject}`,
  'goal.removed': ({ subject, detail }) => `removed the goal “${detail.name}” from ${subject}`,
  'secret-key.rotated': () => 'rotated the secret key',
};

export const auditWords = {
  title: 'Audit log',
  about: 'Who changed what, and when. Entries are kept for two years.',
  empty: {
    title: 'No entries yet',
    about: 'Sign-ins and changes to websites, settings and users appear here.',
  },
  older: 'Show older entries',
  /** Those who act and are no users. */
  actors: {
    'command line': 'The command line',
    environment: 'The environment',
    server: 'The server',
  } as Readonly<Record<string, string>>,
  actions,
};

export type AuditWords = typeof auditWords;

export const useAuditWords = createUseWords('audit', auditWords);
