import type { FaultWords } from './fault-words.ts';

const reload = 'Etwas ist schiefgegangen. Lade die Seite neu und versuche es noch einmal.';

export const faultWordsGerman: FaultWords = {
  unreachable: 'Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.',
  unknown: 'Etwas ist schiefgegangen. Versuche es noch einmal.',
  unknownAboveRetry: 'Etwas ist schiefgegangen.',
  tooManyAttempts: {
    one: 'Zu viele Versuche. Versuche es in # Sekunde noch einmal.',
    other: 'Zu viele Versuche. Versuche es in # Sekunden noch einmal.',
  },
  fromServer: (message) => `Der Server meldet: „${message}“`,
  byCode: {
    'body-invalid': reload,
    'method-not-allowed': reload,
    'unsupported-type': reload,
    'body-too-large': 'Das ist zu viel auf einmal. Kürze es und versuche es noch einmal.',
    'goal-unknown': 'Zu diesem Ereignis gibt es noch keine Daten.',
    'segment-unknown': 'Dieses Segment gibt es nicht, oder du hast keinen Zugriff darauf.',
    'already-exists': 'Das gibt es schon.',
    unauthorized: 'Deine Sitzung ist abgelaufen. Melde dich noch einmal an.',
    'wrong-credentials': 'E-Mail-Adresse oder Passwort ist falsch.',
    forbidden: 'Das können nur Admins.',
    'foreign-origin':
      'Der Server erwartet eine andere Adresse. Öffne Trackside unter der üblichen Adresse und versuche ' +
      'es noch einmal.',
    'not-found': 'Nicht gefunden. Es wurde gelöscht, oder du hast keinen Zugriff.',
    conflict: 'Jemand anderes hat das inzwischen geändert. Lade die Seite neu und versuche es noch einmal.',
    'question-too-large':
      'Die Berechnung dauert zu lange. Wähle einen kürzeren Zeitraum oder weniger Filter.',
    busy: 'Der Server ist ausgelastet. Versuche es gleich noch einmal.',
    'too-many-live-views':
      'Es sind zu viele Live-Ansichten geöffnet. Schließe einige davon und versuche es noch einmal.',
    'being-calculated': 'Die Statistiken werden berechnet. Sie sind gleich da.',
    'engine-away': 'Die Statistiken werden gestartet. Sie sind gleich wieder da.',
    'website-not-ready': 'Diese Website wurde gerade hinzugefügt. Ihre Statistiken sind gleich bereit.',
    'disk-fault': 'Der Server hat ein Problem mit seinem Speicher. Einzelheiten stehen in seinem Log.',
    internal: 'Auf dem Server ist etwas schiefgegangen. Einzelheiten stehen in seinem Log.',
  },
};
