import { passwordLength } from '@trackside/contract/app/limits.ts';
import type { SharedWords } from './shared-words.ts';

export const sharedWordsGerman: SharedWords = {
  loading: 'Wird geladen …',
  tryAgain: 'Erneut versuchen',
  cancel: 'Abbrechen',
  dismiss: 'Schließen',
  copied: 'Kopiert',
  copyByHand: 'Markieren und Strg+C drücken',
  optional: '(optional)',

  header: {
    home: 'Trackside, alle Websites',
    settings: 'Einstellungen',
    quality: 'Datenqualität',
    lostToday: (share) => `${share} der heutigen Datensätze wurden abgelehnt oder fehlen. Gründe ansehen`,
    lostYesterday: (share) =>
      `${share} der gestrigen Datensätze wurden abgelehnt oder fehlen. Gründe ansehen`,
    breadcrumb: 'Navigationspfad',
    websites: 'Websites',
    allWebsites: 'Alle Websites',
    switchFrom: (name) => `Website wechseln, aktuell ${name}`,
    liveTitle: 'Besucher in den letzten 5 Minuten',
    visitors: { one: 'Besucher', other: 'Besucher' },
    now: 'jetzt',
  },
  theme: { title: 'Design', light: 'Hell', dark: 'Dunkel', system: 'System' },
  account: {
    menu: 'Kontomenü',
    menuOf: (email) => `Kontomenü von ${email}`,
    websites: 'Websites',
    users: 'Benutzer',
    auditLog: 'Änderungsprotokoll',
    account: 'Konto',
    signOut: 'Abmelden',
  },
  roles: { admin: 'Admin', viewer: 'Leser' },

  connectionLost: 'Verbindung unterbrochen. Neuer Versuch läuft … Deine Änderungen sind sicher.',
  serverNotReady: 'Der Server ist nicht bereit',
  websiteNotFound: {
    title: 'Website nicht gefunden',
    about: 'Sie wurde gelöscht, oder du hast keinen Zugriff.',
    deletingTitle: 'Diese Website wird gelöscht',
    deleting: 'Ihre Datensätze werden ebenfalls gelöscht.',
  },
  notLoaded: 'Das konnte nicht geladen werden',
  notAvailable: 'Gerade nicht verfügbar',
  pageFault: {
    title: 'Auf dieser Seite ist etwas schiefgegangen',
    about: 'Wenn Neuladen nicht hilft, stehen Einzelheiten in der Konsole des Browsers.',
    reload: 'Seite neu laden',
  },

  signIn: {
    action: 'Anmelden',
    emailMissing: 'Gib deine E-Mail-Adresse ein.',
    passwordMissing: 'Gib dein Passwort ein.',
    wait: 'Zu viele Versuche. Versuche es in {time} noch einmal.',
    seconds: { one: '# Sekunde', other: '# Sekunden' },
    minutes: (time) => `${time} Min.`,
    againTitle: 'Sitzung abgelaufen',
    again: 'Melde dich an, um hier weiterzumachen. Deine Änderungen sind sicher.',
    leave: 'Seite verlassen',
  },
  email: {
    label: 'E-Mail-Adresse',
    invalid: 'Gib eine gültige E-Mail-Adresse ein.',
    taken: 'Es gibt schon einen Benutzer mit dieser E-Mail-Adresse.',
  },
  password: {
    label: 'Passwort',
    show: 'Passwort anzeigen',
    hide: 'Passwort verbergen',
    empty: `Mindestens ${passwordLength.min} Zeichen. Ein kurzer Satz lässt sich gut merken.`,
    tooShort: { one: 'Zu kurz. Es fehlt noch # Zeichen.', other: 'Zu kurz. Es fehlen noch # Zeichen.' },
    easy: 'Leicht zu erraten. Nimm mehr verschiedene Zeichen.',
    fine: 'Gut. Länger ist sicherer.',
    strong: 'Sehr sicher.',
    refused: `Wähle ein schwer zu erratendes Passwort mit mindestens ${passwordLength.min} Zeichen.`,
  },
  timezone: {
    label: 'Zeitzone',
    hint: 'Tage beginnen und enden um Mitternacht in dieser Zeitzone.',
    hintWithOffset: (offset) =>
      `Aktuell ${offset}. Tage beginnen und enden um Mitternacht in dieser Zeitzone.`,
    nothing: 'Keine Zeitzone gefunden. Versuche es mit einer großen Stadt in der Nähe.',
    invalid: 'Wähle eine Zeitzone aus der Liste.',
  },
  quota: {
    legend: 'Monatskontingent',
    unlimited: 'Unbegrenzt',
    unlimitedHint: 'Alle Datensätze werden angenommen.',
    limited: 'Höchstens',
    unit: 'Datensätze pro Monat',
    invalid: 'Gib eine ganze Zahl ein, zum Beispiel 250.000.',
  },
};
