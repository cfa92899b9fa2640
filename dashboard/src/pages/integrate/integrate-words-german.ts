import type { IntegrateWords } from './integrate-words.ts';

export const integrateWordsGerman: IntegrateWords = {
  title: 'Daten senden',
  heading: 'Daten von deinem Backend senden',
  about: 'Seitenaufrufe gehen von deinem Server an Trackside, außer Reichweite von Werbeblockern.',
  test: 'Seitenaufruf und Ereignis zum Test senden',
  arrive: 'Zusehen, wie sie ankommen',
  script: 'Das Skript in deine Seiten einbauen',
  scriptAbout:
    'Es meldet deinem eigenen Backend unter {path}, welche Seite geöffnet wurde. Der Browser spricht nie ' +
    'mit Trackside.',
  endpoint: 'Im Backend empfangen',
  endpointAbout:
    'Dein Backend ergänzt Adresse und Browser des Besuchers und sendet den Seitenaufruf an Trackside.',
  endpointOfCurl: 'Wähle oben eine Programmiersprache, um den Code zu sehen.',
  endpointRun:
    'Auch das macht das Programm aus Schritt 1. Starte es so, oder übernimm seine Funktionen in deine ' +
    'Anwendung:',
  event: 'Ein Ereignis senden',
  eventOfCurl:
    'Für alles, was dir wichtig ist, zum Beispiel eine Registrierung oder einen Kauf. Ein Ereignis hat ' +
    'einen Namen und bis zu 12 Parameter. Das Skript aus Schritt 1 sendet eines zum Test.',
  eventAbout:
    'Für alles, was dir wichtig ist, zum Beispiel eine Registrierung oder einen Kauf. Ein Ereignis hat ' +
    'einen Namen und bis zu 12 Parameter. Das Programm sendet eines zum Test, und sein Endpunkt sendet eines ' +
    'für jede Registrierung unter {path}.',
  language: 'Programmiersprache',
  copy: 'Kopieren',
  insertKey: 'API-Schlüssel einsetzen',
  insertKeyWhy:
    'Der Schlüssel ist verborgen, weil jeder damit Daten senden kann. Behandle ihn wie ein Passwort.',
  keyInserted:
    'Der Code auf dieser Seite enthält jetzt deinen API-Schlüssel. Verwende ihn nur auf deinem Server, ' +
    'nie in einer Webseite, einer App oder einem Repository. {hide}',
  hideKey: 'Schlüssel ausblenden',
  waiting: 'Warten auf den ersten Datensatz …',
  pageViewArrived: 'Seitenaufruf empfangen',
  eventArrived: 'Ereignis empfangen',
  unauthorized:
    'Eine Anfrage wurde {ago} mit 401 abgelehnt, weil ihr API-Schlüssel unbekannt ist. Wenn sie von dir ' +
    'kam, prüfe den Schlüssel.',
  refused: (code) => `Eine Anfrage wurde {ago} mit ${code} abgelehnt: {message}`,
  check: {
    title: 'Einen Datensatz prüfen',
    about:
      'Füge ein, was dein Backend sendet, und sieh, was Trackside daraus macht. Nichts wird gespeichert oder ' +
      'gezählt. Dein Backend kann dasselbe mit dem Header {header}.',
    body: 'Inhalt der Anfrage',
    bodyHint: 'JSON. Mit dem Feld Name wird er als Ereignis geprüft.',
    missing: 'Füge den Inhalt einer Anfrage ein.',
    tooLong: 'Gib höchstens 10.000 Zeichen ein.',
    submit: 'Datensatz prüfen',
    accepted: 'Dieser Datensatz würde angenommen (200).',
    excluded: 'Dieser Datensatz würde mit 200 beantwortet, aber nicht gespeichert oder gezählt: {message}',
    refused: (code) => `Dieser Datensatz würde mit ${code} abgelehnt: {message}`,
  },
};
