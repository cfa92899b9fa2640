/** Shared by the tests of actions. */
import type { Control } from '../control/open-control.ts';

export const ada = { email: 'ada@example.com' };
export const password = 'tea at eleven';
export const newPassword = 'coffee at three';
export const aTest = { id: 1, domain: 'a.test' };

/** Returns all entries of the audit log, oldest first. */
export async function readEntries({ auditLog }: Pick<Control, 'auditLog'>) {
  const entries = (await auditLog.list({ limit: 100 })).reverse();
  return entries.map(({ actor, action, websiteId, subject, detail }) => ({
    actor,
    action,
    websiteId,
    subject,
    detail,
  }));
}
