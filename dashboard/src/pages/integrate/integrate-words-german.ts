import type { IntegrateWords } from './integrate-words.ts';

export const integrateWordsGerman: IntegrateWords = {
  title: 'Daten senden',
  tabTitle: (name) => `Daten senden · ${name}`,
  websites: 'Websites',
  heading: 'Daten von deinem Backend senden',
  about: 'Seitenaufrufe gehen von deinem Server an Trackside, außer Reichweite von Werbeblockern.',
  test: 'Test-Seitenaufruf senden',
  arrive: 'Zusehen, wie er ankommt',
  add: 'In deine App einbauen',
  addAbout:
    'Sende für jede Seite einen Seitenaufruf und für alles, was dir wichtig ist, ein Ereignis an {path}, ' +
    'zum ' +
    'Beispiel für eine Registrierung oder einen Kauf. Ein Ereignis hat außerdem {name} und bis zu 12 ' +
    '{parameters}.',
  language: 'Programmiersprache',
  copy: 'Kopieren',
  insertKey: 'API-Schlüssel einsetzen',
  insertKeyWhy: 'Behandle ihn wie ein Passwort.',
  keyInserted:
    'Der Code oben enthält deinen API-Schlüssel. Verwende ihn nur auf deinem Server, nie in einer ' +
    'Webseite, ' +
    'einer App oder einem Repository. {hide}',
  hideKey: 'Schlüssel ausblenden',
  waiting: 'Warten auf den ersten Datensatz…',
  pageViewArrived: 'Seitenaufruf empfangen',
  eventArrived: 'Ereignis empfangen',
  refused: (code) => `Eine Anfrage wurde {ago} mit ${code} abgelehnt: {message}`,
};
