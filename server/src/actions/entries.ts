import type { AuditAction, NewAuditEntry } from '../control/accounts/audit-log.ts';
import type { SavedGoal } from '../control/websites/goals.ts';
import type { SavedSegment } from '../control/websites/saved-segments.ts';
import { type Actor, nameOf } from './actor.ts';

type Detail = Record<string, unknown>;

/** Returns an audit log entry about something that was done to a website. */
export function websiteEntry(
  actor: Actor,
  action: AuditAction,
  website: { id: number; domain: string },
  detail: Detail = {},
): NewAuditEntry {
  return { actor: nameOf(actor), action, websiteId: website.id, subject: website.domain, detail };
}

/** Returns an audit log entry about something that was done to a user. */
export function userEntry(
  actor: Actor,
  action: AuditAction,
  user: { email: string },
  detail: Detail = {},
): NewAuditEntry {
  return { actor: nameOf(actor), action, subject: user.email, detail };
}

/** Returns an audit log entry about a segment. The name of a personal segment is not written down. */
export function segmentEntry(
  actor: Actor,
  action: AuditAction,
  website: { id: number; domain: string },
  { name, userId }: Pick<SavedSegment, 'name' | 'userId'>,
): NewAuditEntry {
  return websiteEntry(actor, action, website, userId === null ? { name } : { isPersonal: true });
}

/** Returns an audit log entry about a goal, with what it is called. */
export function goalEntry(
  actor: Actor,
  action: AuditAction,
  website: { id: number; domain: string },
  { name, goal }: Pick<SavedGoal, 'name' | 'goal'>,
): NewAuditEntry {
  return websiteEntry(actor, action, website, { name: name ?? ('page' in goal ? goal.page : goal.event) });
}
