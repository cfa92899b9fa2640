import type { AuditLog } from '../../control/accounts/audit-log.ts';
import type { Control } from '../../control/open-control.ts';

type Entry = Omit<Parameters<AuditLog['add']>[0], 'actor'>;

/** A command does not know who typed it: whoever can read the data folder can. */
export async function auditCommand(control: Pick<Control, 'auditLog'>, entry: Entry): Promise<void> {
  await control.auditLog.add({ actor: 'command line', ...entry });
}
