import type { AuditEntry } from '#api/shapes.ts';
import type { AuditWords } from './audit-words.ts';
import type { EntryFacts } from './entry-facts.ts';

/** Names who acted. A user is called by their email address. */
export function nameActor(
  { actor }: Pick<AuditEntry, 'actor'>,
  { actors }: Pick<AuditWords, 'actors'>,
): string {
  return actors[actor] ?? actor;
}

/** Describes what somebody did, as the rest of a sentence that starts with their name. */
export function describeEntry(
  { action, subject, detail, actor }: AuditEntry,
  { actions }: Pick<AuditWords, 'actions'>,
  format: EntryFacts['format'],
): string {
  const spell = Object.hasOwn(actions, action) ? actions[action] : undefined;
  // An action that this version doesn't know yet is shown by its name.
  if (spell === undefined) return `${action.replace(/[.-]/g, ' ')}: ${subject}`;
  return spell({ subject, isSelf: subject === actor, detail, format });
}
