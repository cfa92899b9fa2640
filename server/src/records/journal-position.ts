/** A place in the journal: a segment's number and a byte offset in its file. */
export type JournalPosition = { segment: number; offset: number };

export function isBefore(a: JournalPosition, b: JournalPosition): boolean {
  return a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);
}
