import { addUser } from '../../actions/add-user.ts';
import { adminPasswordVariable, ConfigError, settings } from '../../config.ts';
import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import type { Log } from '../../log.ts';

const emailVariable = settings.adminEmail.variable;

/**
 * Adds the admin that the settings name if there is no user yet. Changing the settings later changes no user.
 */
export async function ensureFirstUser(options: {
  control: Pick<Control, 'users' | 'transact'>;
  email: string | undefined;
  password: string | undefined;
  log: Log;
}): Promise<void> {
  const { control, email, password, log } = options;
  if (email === undefined && password === undefined) return;
  if (email === undefined) throw missing(emailVariable, adminPasswordVariable);
  if (password === undefined) throw missing(adminPasswordVariable, emailVariable);
  if ((await control.users.count()) > 0) {
    log.info(`users already exist: ${emailVariable} and ${adminPasswordVariable} are ignored`);
    return;
  }
  const admin = { email, password, role: 'admin', websites: [] } as const;
  const user = await addUser(control, 'environment', admin).catch((error: unknown) => {
    if (!(error instanceof ControlError)) throw error;
    const variable = error.field === 'password' ? adminPasswordVariable : emailVariable;
    throw new ConfigError(`${variable}: ${error.message}`);
  });
  log.info({ email: user.email }, 'first user added');
}

const missing = (unset: string, set: string) =>
  new ConfigError(`${unset}: expected a value, because ${set} is set. Set both or neither.`);
