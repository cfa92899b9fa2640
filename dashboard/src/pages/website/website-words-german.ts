import type { WebsiteWords } from './website-words.ts';

export const websiteWordsGerman: WebsiteWords = {
  website: 'Website',
  websites: 'Websites',
  noNumbers: {
    title: 'Noch keine Daten',
    about: (domain) => `Sobald ${domain} den ersten Datensatz sendet, erscheinen hier Statistiken.`,
  },
  firstRun: {
    title: 'Ausprobieren',
    about: 'Sieh dir das Dashboard an, bevor du eine Zeile Code schreibst.',
    test: 'Test-Seitenaufruf',
    testAbout: 'Trackside sendet sich selbst einen Seitenaufruf, so wie es dein Backend tun wird.',
    sendTest: 'Test-Seitenaufruf senden',
    demo: 'Demodaten',
    demoAbout: 'Fülle das Dashboard mit einem Jahr erfundener Besucher. Du kannst sie jederzeit entfernen.',
    loadDemo: 'Demodaten laden',
    loading: 'Demodaten werden geladen',
    loaded: (percent) => `Demodaten werden geladen … ${percent}\u00a0%`,
    demoName: 'Demo-Website',
  },
  demo: {
    title: 'Das sind Demodaten.',
    about: {
      one: 'Der Server hat # Datensatz erfunden. Entferne ihn, bevor du eigene sendest.',
      other: 'Der Server hat # Datensätze erfunden. Entferne sie, bevor du eigene sendest.',
    },
    remove: 'Demodaten entfernen',
    removing: 'Demodaten werden entfernt …',
    removingAbout: 'Das kann eine Minute dauern. Danach wird die Seite neu geladen.',
  },
  quota: {
    near: (percent) => `${percent}\u00a0% des Monatskontingents sind verbraucht.`,
    nearAbout: (used, limit, day) =>
      `Das sind ${used} von ${limit} Datensätzen. Am ${day} um 00:00 UTC beginnt es von vorn.`,
    full: 'Das Kontingent für diesen Monat ist aufgebraucht.',
    fullUntil: (day) => `Bis zum ${day} um 00:00 UTC werden neue Datensätze abgelehnt.`,
    refused: {
      one: 'Seit dem Start des Servers wurde in diesem Monat # Datensatz abgelehnt.',
      other: 'Seit dem Start des Servers wurden in diesem Monat # Datensätze abgelehnt.',
    },
    change: 'Kontingent ändern',
  },
  first: {
    title: 'Dein erster Datensatz ist da.',
    about: 'Das Dashboard wird geöffnet … Diese Anleitung findest du weiter unter {link}.',
    link: 'Daten senden',
    open: 'Dashboard ansehen',
  },
};
