import type { SegmentsWords } from './segments-words.ts';

export const segmentsWordsGerman: SegmentsWords = {
  menu: 'Segmente',
  switch: 'Segment wechseln',
  all: 'Alle Besucher',
  onlyYou: 'Nur du',
  save: 'Als Segment speichern …',
  manage: 'Segmente verwalten …',
  notFound:
    'Das Segment dieses Links gibt es nicht, oder du hast keinen Zugriff darauf. Du siehst alle Besucher.',
  saving: {
    title: 'Segment speichern',
    about:
      'Ein Segment ist eine Auswahl von Filtern mit einem Namen. So wechselst du jederzeit dorthin, ohne die Filter neu zu setzen.',
    name: 'Name',
    placeholder: 'Mobile Besucher aus Deutschland',
    who: 'Wer es nutzen kann',
    onlyMe: 'Nur ich',
    everyone: 'Alle mit Zugriff auf diese Website',
    everyoneHint: 'Auch Lesetokens können es nutzen.',
    nameMissing: 'Gib einen Namen ein.',
    nameLong: (length) => `Gib höchstens ${length} Zeichen ein.`,
    noRoom: (count) =>
      `Du kannst bis zu ${count} Segmente speichern. Lösche eines, das du nicht mehr brauchst.`,
    nameTaken: 'Es gibt schon ein Segment mit diesem Namen.',
    cancel: 'Abbrechen',
    submit: 'Segment speichern',
    saved: (name) => `Segment „${name}“ gespeichert.`,
  },
  managing: {
    title: 'Segmente',
    everyone: 'Alle',
    about:
      'Um die Filter eines Segments zu ändern, setze sie auf der Seite, öffne diese Liste und wähle „Filter aktualisieren“.',
    empty: 'Noch keine Segmente. Setze Filter und speichere sie als Segment.',
    newName: (name) => `Neuer Name für „${name}“`,
    rename: 'Umbenennen',
    renameOf: (name) => `${name} umbenennen`,
    renamed: 'Segment umbenannt.',
    saveName: 'Namen speichern',
    cancel: 'Abbrechen',
    update: 'Filter aktualisieren',
    updateOf: (name) => `Filter aktualisieren: ${name}`,
    updated: (name) => `Segment „${name}“ hat jetzt die Filter dieser Seite.`,
    remove: 'Löschen',
    removeOf: (name) => `${name} löschen`,
    reallyRemove: 'Wirklich löschen?',
    removed: 'Segment gelöscht.',
    close: 'Schließen',
  },
};
