import type { AccessWords } from './access-words.ts';

export const accessWordsGerman: AccessWords = {
  key: {
    title: 'API-Schlüssel',
    about: 'Dein Backend sendet ihn mit jedem Datensatz. Behandle ihn wie ein Passwort.',
    reveal: 'Anzeigen',
    hide: 'Verbergen',
    copyHeader: 'Header kopieren',
    copyKey: 'Schlüssel kopieren',
    regenerate: 'Neu erzeugen…',
    copies: '„Header kopieren“ kopiert {header}',
    notUsed: 'Noch nicht verwendet',
    lastUsed: 'Zuletzt verwendet: {ago}',
    isNew: 'Das ist dein neuer Schlüssel.',
    useNew: 'Trage ihn jetzt in deinem Backend ein.',
    oldUntil: (time) => `Der bisherige Schlüssel funktioniert noch bis ${time}.`,
    warning:
      'Verwende den Schlüssel nie in Code, der in einem Browser oder einer App läuft. Wenn er bekannt ' +
      'geworden ist, erzeuge einen neuen: Der alte funktioniert dann innerhalb einer Sekunde nicht mehr.',
    ask: 'API-Schlüssel neu erzeugen?',
    consequences:
      'Jedes Backend, das Daten für {domain} sendet, braucht den neuen Schlüssel. Anfragen mit dem alten ' +
      'bekommen einen 401, und ihre Datensätze gehen verloren.',
    keyLastUsed: 'Der Schlüssel wurde zuletzt {ago} verwendet.',
    old: 'Alter Schlüssel',
    stops: 'Sofort sperren',
    stopsHint: 'Falls andere ihn gesehen haben könnten.',
    stays: 'Noch 24 Stunden gelten lassen',
    staysHint: 'So kannst du alle Backends ohne Lücke umstellen.',
    confirm: 'Schlüssel neu erzeugen',
  },
  requests: {
    title: 'Letzte Anfragen',
    about: 'Was dein Backend gesendet hat, und unsere Antworten.',
    live: 'Live',
    which: 'Angezeigte Anfragen',
    all: 'Alle',
    refused: 'Abgelehnt',
    noneRefused: 'Keine der letzten Anfragen wurde abgelehnt.',
    none: 'Seit dem Start des Servers gab es keine Anfragen. Neue erscheinen hier sofort.',
    showAll: (count) => `Alle ${count} anzeigen`,
    skipped: {
      one: '# weitere Anfrage kam zu schnell, um aufgelistet zu werden. Sie wurde gezählt.',
      other: '# weitere Anfragen kamen zu schnell, um aufgelistet zu werden. Sie wurden gezählt.',
    },
    received: 'Empfangene Felder (Werte verborgen):',
    empty: 'leer',
  },
  tokens: {
    title: 'Lesetokens',
    about: 'Für Programme, die Statistiken über die API lesen. Daten senden können sie nicht. {reference}',
    reference: 'API-Referenz',
    new: 'Neues Token',
    placeholder: 'Zum Beispiel: Wochenbericht',
    nameMissing: 'Gib einen Namen für das Token ein.',
    nameRefused: 'Gib einen Namen mit höchstens 100 Zeichen ein.',
    create: 'Token erstellen',
    yours: 'Dein Lesetoken',
    copyNow:
      'Kopiere es jetzt. Gespeichert wird nur ein Hash, deshalb kann es nicht noch einmal angezeigt werden.',
    copy: 'Token kopieren',
    done: 'Fertig',
    revoke: 'Widerrufen',
    revokeNamed: (name) => `${name} widerrufen`,
    ask: (name) => `„${name}“ widerrufen?`,
    consequences:
      'Programme, die es verwenden, können die Statistiken nicht mehr lesen. Das lässt sich nicht ' +
      'rückgängig machen.',
    confirm: 'Token widerrufen',
    revoked: (name) => `Token „${name}“ widerrufen.`,
    origins: 'Erlaubte Origins',
    originsHint:
      'Websites, deren Seiten die Statistiken mit einem Token im Browser lesen dürfen. Trenne mehrere ' +
      'durch ' +
      'Leerzeichen.',
    originsPlaceholder: 'https://intranet.example.com',
    originsRefused: 'Gib bis zu 20 Origins wie https://intranet.example.com ein, ohne Pfad.',
    noOrigins: 'Keine',
    saveOrigins: 'Origins speichern',
    originsSaved: 'Erlaubte Origins gespeichert.',
  },
  share: {
    title: 'Öffentlicher Link',
    about: 'Wer den Link hat, sieht das Dashboard und sonst nichts.',
    open: 'Öffnen',
    renew: 'Link ersetzen…',
    ask: 'Öffentlichen Link ersetzen?',
    consequences: 'Du bekommst einen neuen Link. Der alte funktioniert dann für niemanden mehr.',
    confirm: 'Link ersetzen',
    embed: 'Einbetten',
    embedAbout: 'Zeige dasselbe Dashboard in einer anderen Website, ohne den Kopfbereich.',
    theme: 'Darstellung',
    system: 'System',
    light: 'Hell',
    dark: 'Dunkel',
    frameTitle: (name) => `Statistiken von ${name}`,
  },
  people: {
    title: 'Personen mit Zugriff',
    about: 'Admins sehen und ändern alles. Leser sehen die Statistiken.',
    manage: 'Benutzer verwalten',
  },
};
