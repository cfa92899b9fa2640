import type { AuditWords } from './audit-words.ts';
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

const records = { one: '# Datensatz', other: '# Datensätze' };
const days = { one: '# Tag', other: '# Tage' };
const hours = { one: '# Stunde', other: '# Stunden' };

const fields: Readonly<Record<string, string>> = {
  name: 'Name',
  domain: 'Domain',
  timezone: 'Zeitzone',
  ignoreTrailingSlash: 'Schrägstrich am Ende ignorieren',
  ignoreCase: 'Groß- und Kleinschreibung ignorieren',
  ignoreWww: 'www ignorieren',
};

const fromTo = (change: Change | undefined, spell: (value: unknown) => string) =>
  change === undefined ? '' : ` von ${spell(change.from)} auf ${spell(change.to)}`;
const asRole = (role: unknown) => (role === 'admin' ? 'Admin' : 'Leser');
const spellQuota = (format: Format) => (limit: unknown) =>
  limit === null ? '„unbegrenzt“' : format.number(Number(limit));
const spellRetention = (format: Format) => (kept: unknown) =>
  kept === null ? '„für immer“' : format.count(Number(kept), days);
const spellOrigins = (origins: unknown) => listOrigins(origins) || '„keine“';
const spellSpan = ({ from, to }: EntryFacts['detail'], format: Format) =>
  (from === undefined ? '' : ` ab ${spellDay(from, format)}`) +
  (to === undefined ? '' : ` bis ${spellDay(to, format)}`);

/** What people call their own segments is not in the log. */
const segmentOf = (detail: EntryFacts['detail']) =>
  detail.isPersonal ? 'ein eigenes Segment' : `das Segment „${detail.name}“`;

const actions: Readonly<Record<string, SpellEntry>> = {
  'user.added': ({ subject, isSelf, detail }) => {
    if (isSelf) return 'hat Trackside als erster Admin eingerichtet';
    const role = detail.role === undefined ? '' : ` als ${asRole(detail.role)}`;
    return `hat ${subject}${role} hinzugefügt`;
  },
  'user.changed': ({ subject, detail }) => `hat den Zugriff von ${subject} geändert: ${asRole(detail.role)}`,
  'user.removed': ({ subject }) => `hat ${subject} entfernt`,
  'user.password-changed': ({ subject, isSelf }) =>
    isSelf ? 'hat das eigene Passwort geändert' : `hat ein neues Passwort für ${subject} festgelegt`,
  'user.signed-in': () => 'hat sich angemeldet',
  'user.signed-out-everywhere': () => 'hat sich überall abgemeldet',
  'user.session-ended': () => 'hat sich auf einem anderen Gerät abgemeldet',
  'website.added': ({ subject }) => `hat ${subject} hinzugefügt`,
  'website.changed': ({ subject, detail }) => {
    const changes = Object.entries(detail).map(
      ([field, change]) => `${fields[field] ?? field}${fromTo(changeOf(change), (value) => `„${value}“`)}`,
    );
    if (changes.length === 0) return `hat die Einstellungen von ${subject} geändert`;
    return `hat ${subject} geändert: ${new Intl.ListFormat('de').format(changes)}`;
  },
  'website.contingent-changed': ({ subject, detail, format }) => {
    const change = fromTo(changeOf(detail.contingent), spellQuota(format));
    return `hat das Monatskontingent von ${subject}${change} geändert`;
  },
  'website.retention-changed': ({ subject, detail, format }) => {
    const change = fromTo(changeOf(detail.retentionDays), spellRetention(format));
    return `hat die Aufbewahrung der Daten von ${subject}${change} geändert`;
  },
  'website.addresses-changed': ({ subject, detail }) => {
    const changes = Object.entries(detail).map(
      ([field, change]) => `${fields[field] ?? field} ${changeOf(change)?.to === true ? 'an' : 'aus'}`,
    );
    return `hat geändert, welche Adressen von ${subject} eine Seite sind: ${changes.join(', ')}`;
  },
  'website.read-origins-changed': ({ subject, detail }) => {
    const change = fromTo(changeOf(detail.readOrigins), spellOrigins);
    return `hat die Ursprünge, die ${subject} lesen dürfen,${change} geändert`;
  },
  'website.exclusions-changed': ({ subject, detail }) => {
    const changes = [
      detail.added === undefined ? '' : `${listRules(detail.added)} hinzugefügt`,
      detail.removed === undefined ? '' : `${listRules(detail.removed)} entfernt`,
    ].filter(Boolean);
    return `hat geändert, welche Daten von ${subject} ausgeschlossen sind: ${changes.join('; ')}`;
  },
  'website.key-revealed': ({ subject }) => `hat den API-Schlüssel von ${subject} angesehen`,
  'website.key-regenerated': ({ subject, detail: { keepOldHours }, format }) => {
    const old = keepOldHours
      ? `der alte galt noch ${format.count(Number(keepOldHours), hours)}`
      : 'der alte gilt seitdem nicht mehr';
    return `hat den API-Schlüssel von ${subject} neu erzeugt; ${old}`;
  },
  'website.share-on': ({ subject }) => `hat den öffentlichen Link von ${subject} eingeschaltet`,
  'website.share-off': ({ subject }) => `hat den öffentlichen Link von ${subject} ausgeschaltet`,
  'website.share-renewed': ({ subject }) => `hat den öffentlichen Link von ${subject} ersetzt`,
  'website.exported': ({ subject, detail, format }) =>
    `hat die Daten von ${subject}${spellSpan(detail, format)} exportiert`,
  'website.demo-loaded': ({ subject }) => `hat Demodaten in ${subject} geladen`,
  'website.demo-removed': ({ subject }) => `hat die Demodaten von ${subject} entfernt`,
  'website.division-started': ({ subject }) => `hat begonnen, ${subject} auf alle Shards zu verteilen`,
  'website.deletion-started': ({ subject }) => `hat begonnen, ${subject} zu löschen`,
  'website.deleted': ({ subject }) => `hat ${subject} mit allen Daten gelöscht`,
  'person.exported': ({ subject }) => `hat die Daten einer Person aus ${subject} exportiert`,
  'person.erasure-started': ({ subject }) => `hat begonnen, die Daten einer Person aus ${subject} zu löschen`,
  'person.erased': ({ subject, detail, format }) =>
    typeof detail.records === 'number'
      ? `hat ${format.count(detail.records, records)} einer Person aus ${subject} gelöscht`
      : `hat die Daten einer Person aus ${subject} gelöscht`,
  'token.added': ({ subject, detail }) => `hat das Lesetoken „${detail.name}“ für ${subject} erstellt`,
  'token.revoked': ({ subject, detail }) => `hat das Lesetoken „${detail.name}“ von ${subject} widerrufen`,
  'note.added': ({ subject, detail, format }) =>
    `hat bei ${subject} die Notiz „${detail.text}“ zum ${spellDay(detail.day, format)} hinzugefügt`,
  'note.changed': ({ subject, detail, format }) =>
    `hat bei ${subject} die Notiz „${detail.text}“ zum ${spellDay(detail.day, format)} geändert`,
  'note.removed': ({ subject, detail, format }) =>
    `hat bei ${subject} die Notiz „${detail.text}“ zum ${spellDay(detail.day, format)} entfernt`,
  'funnel.added': ({ subject, detail }) => `hat den Funnel „${detail.name}“ zu ${subject} hinzugefügt`,
  'segment.added': ({ subject, detail }) => `hat ${segmentOf(detail)} für ${subject} gespeichert`,
  'segment.changed': ({ subject, detail }) => `hat ${segmentOf(detail)} für ${subject} geändert`,
  'segment.removed': ({ subject, detail }) => `hat ${segmentOf(detail)} für ${subject} gelöscht`,
  'goal.added': ({ subject, detail }) => `hat das Ziel „${detail.name}“ zu ${subject} hinzugefügt`,
  'goal.changed': ({ subject, detail }) => `hat das Ziel „${detail.name}“ von ${subject} geändert`,
  'goal.removed': ({ subject, detail }) => `hat das Ziel „${detail.name}“ von ${subject} entfernt`,
  'secret-key.rotated': () => 'hat den geheimen Schlüssel ausgetauscht',
  'funnel.arranged': ({ subject }) => `hat die Funnels von ${subject} neu geordnet`,
  'funnel.changed': ({ subject, detail }) => `hat den Funnel „${detail.name}“ von ${subject} geändert`,
  'funnel.removed': ({ subject, detail }) => `hat den Funnel „${detail.name}“ von ${subject} entfernt`,
};

export const auditWordsGerman: AuditWords = {
  title: 'Änderungsprotokoll',
  about: 'Wer wann was geändert hat. Einträge werden zwei Jahre aufbewahrt.',
  empty: {
    title: 'Noch keine Einträge',
    about: 'Hier erscheinen Anmeldungen und Änderungen an Websites, Einstellungen und Benutzern.',
  },
  older: 'Ältere Einträge anzeigen',
  actors: {
    'command line': 'Die Kommandozeile',
    environment: 'Die Umgebung',
    server: 'Der Server',
  },
  actions,
};
