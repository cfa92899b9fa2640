import type { ExclusionWords } from './exclusion-words.ts';

const refusedHost = 'Gib einen Host ohne https://, Port und Pfad ein.';

export const exclusionWordsGerman: ExclusionWords = {
  title: 'Ausschlüsse',
  about:
    'Passende Datensätze werden beantwortet, aber nie gespeichert oder gezählt, und verbrauchen kein ' +
    'Kontingent. Was schon gespeichert ist, bleibt.',
  none: 'Noch keine Ausschlüsse. Füge zum Beispiel das Netz deines Büros oder einen Testserver hinzu.',
  kinds: {
    network: 'IP-Adresse oder Netz',
    host: 'Host',
    path: 'Pfad',
    query: 'URL-Parameter',
    event: 'Ereignis',
    'user-agent': 'User-Agent enthält',
    'own-host': 'Nur diesen Host zählen',
  },
  refused: {
    network: 'Gib eine IP-Adresse oder ein Netz mit mindestens 8 Bit (16 bei IPv6) ein.',
    host: refusedHost,
    path: 'Gib einen Pfad ein, der mit / beginnt.',
    query: 'Gib den Namen eines URL-Parameters ein.',
    event: 'Gib den Namen eines Ereignisses ein, oder seinen Anfang mit einem * am Ende.',
    'user-agent': 'Gib mindestens 3 Zeichen des User-Agents ein.',
    'own-host': refusedHost,
  },
  kind: 'Ausschließen nach',
  value: 'Wert',
  missing: 'Gib einen Wert ein.',
  duplicate: 'Dieser Ausschluss steht schon in der Liste.',
  full: (max) =>
    `Eine Website kann höchstens ${max} Ausschlüsse haben. Entferne einen, den du nicht mehr brauchst.`,
  add: 'Ausschluss hinzufügen',
  remove: 'Entfernen',
  removeNamed: (rule) => `${rule} entfernen`,
  ownHostHint: 'Sobald es einen gibt, werden Datensätze aller anderen Hosts ausgeschlossen, auch gefälschte.',
  notPreviewed: 'Keine Vorschau: IP-Adressen und User-Agents werden nicht gespeichert.',
  previewed: {
    one: '# Datensatz in den letzten 24 Stunden',
    other: '# Datensätze in den letzten 24 Stunden',
  },
  previewedOfOthers: {
    one: '# Datensatz anderer Hosts in den letzten 24 Stunden',
    other: '# Datensätze anderer Hosts in den letzten 24 Stunden',
  },
  total: (excluded, records) =>
    `In den letzten 24 Stunden wären so ${excluded} von ${records} Datensätzen ausgeschlossen worden.`,
  previewing: 'Die letzten 24 Stunden werden geprüft …',
  save: 'Ausschlüsse speichern',
  saved: 'Ausschlüsse gespeichert. Sie gelten ab dem nächsten Datensatz.',
  empty: 'Keine',
};
