import type { AuditEntry } from '#api/shapes.ts';
import type { Format } from '#format/create-format.ts';

type Change = { from: unknown; to: unknown };

/** Describes what an admin did, as the rest of a sentence that starts with the admin's name. */
export function describeEntry(entry: AuditEntry, format: Pick<Format, 'number'>): string {
  const { action, subject, detail, actor } = entry;
  const isSelf = subject === actor;
  const spellLimit = (limit: unknown) => (limit === null ? 'no limit' : format.number(Number(limit)));
  const spellDays = (days: unknown) => (days === null ? 'for ever' : `${format.number(Number(days))} days`);
  switch (action) {
    case 'user.added':
      if (isSelf) return 'set up Trackside as its first admin';
      return `added ${subject}${detail.role === undefined ? '' : ` as ${spellRole(detail.role)}`}`;
    case 'user.changed':
      return `changed what ${subject} may do: ${spellRole(detail.role)}`;
    case 'user.removed':
      return `removed ${subject}`;
    case 'user.password-changed':
      return isSelf ? 'changed their password' : `set a new password for ${subject}`;
    case 'user.signed-in':
      return 'signed in';
    case 'user.signed-out-everywhere':
      return 'signed out everywhere';
    case 'website.added':
      return `added ${subject}`;
    case 'website.changed':
      return `changed ${subject}: ${listChanges(detail)}`;
    case 'website.contingent-changed':
      return `changed the contingent of ${subject}${spellChange(detail.contingent, spellLimit)}`;
    case 'website.retention-changed':
      return `changed how long records of ${subject} are kept${spellChange(detail.retentionDays, spellDays)}`;
    case 'website.addresses-changed':
      return `changed which addresses of ${subject} are one page: ${listSwitched(detail)}`;
    case 'website.read-origins-changed':
      return `changed which origins may read ${subject}${spellChange(detail.readOrigins, spellOrigins)}`;
    case 'website.key-revealed':
      return `looked at the API key of ${subject}`;
    case 'website.key-regenerated':
      return `regenerated the API key of ${subject}; the old one ${spellEnd(detail.keepOldHours)}`;
    case 'website.share-on':
      return `switched the public link of ${subject} on`;
    case 'website.share-off':
      return `switched the public link of ${subject} off`;
    case 'website.share-renewed':
      return `renewed the public link of ${subject}`;
    case 'website.exported':
      return `exported the records of ${subject}${spellSpan(detail.from, detail.to)}`;
    case 'website.deletion-started':
      return `began to delete ${subject}`;
    case 'website.deleted':
      return `deleted ${subject} and all of its records`;
    case 'person.exported':
      return `exported the records of one person from ${subject}`;
    case 'person.erasure-started':
      return `asked to erase the records of one person from ${subject}`;
    case 'person.erased':
      return `erased ${spellRecords(detail.records, format)} of one person from ${subject}`;
    case 'token.added':
      return `made the read token “${detail.name}” for ${subject}`;
    case 'token.revoked':
      return `revoked the read token “${detail.name}” of ${subject}`;
    case 'note.added':
      return `added the note “${detail.text}” to ${detail.day} of ${subject}`;
    case 'note.removed':
      return `removed the note “${detail.text}” from ${detail.day} of ${subject}`;
    case 'funnel.added':
      return `added the funnel “${detail.name}” to ${subject}`;
    case 'funnel.removed':
      return `removed the funnel “${detail.name}” from ${subject}`;
    default:
      // An action that this version doesn't know yet is shown by its name.
      return `${action.replace(/[.-]/g, ' ')}: ${subject}`;
  }
}

const spellEnd = (keepOldHours: unknown) =>
  keepOldHours ? `worked for ${keepOldHours} more hours` : 'stopped at once';

function listChanges(detail: Record<string, unknown>): string {
  const named = Object.entries(detail).map(
    ([field, change]) => `${field}${spellChange(change, (value) => `“${value}”`)}`,
  );
  return named.length === 0 ? 'settings' : new Intl.ListFormat('en').format(named);
}

function listSwitched(detail: Record<string, unknown>): string {
  const spell = (field: string) => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return Object.entries(detail)
    .map(([field, change]) => `${spell(field)} ${(change as Change).to === true ? 'on' : 'off'}`)
    .join(', ');
}

function spellChange(change: unknown, spell: (value: unknown) => string): string {
  if (typeof change !== 'object' || change === null || !('from' in change)) return '';
  const { from, to } = change as Change;
  return ` from ${spell(from)} to ${spell(to)}`;
}

function spellSpan(from: unknown, to: unknown): string {
  return `${from === undefined ? '' : ` from ${from}`}${to === undefined ? '' : ` up to ${to}`}`;
}

function spellRecords(records: unknown, format: Pick<Format, 'number'>): string {
  if (typeof records !== 'number') return 'the records';
  return records === 1 ? '1 record' : `${format.number(records)} records`;
}

const spellOrigins = (origins: unknown) => (origins as readonly string[]).join(', ') || 'none';
const spellRole = (role: unknown) => (role === 'admin' ? 'an admin' : 'a viewer');
