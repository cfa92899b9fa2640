import type { AuditAction, NewAuditEntry } from '../control/accounts/audit-log.ts';
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
