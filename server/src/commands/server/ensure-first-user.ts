import { addUser } from '../../actions/add-user.ts';
import { ConfigError } from '../../config/config-error.ts';
import { settings } from '../../config/settings.ts';
import { adminPasswordVariable } from '../../config/variables.ts';
import { checkPassword } from '../../control/accounts/check-password.ts';
import { parseEmail } from '../../control/accounts/parse-email.ts';
import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import type { Log } from '../../log.ts';

const emailVariable = settings.adminEmail.variable;

type Given = { email: string | undefined; password: string | undefined };

/** Refuses settings of the first user that can't be used, before anything is created. */
export function checkFirstUser({ email, password }: Given): void {
  if (email === undefined && password === undefined) return;
  if (email === undefined) throw missing(emailVariable, adminPasswordVariable);
  if (password === undefined) throw missing(adminPasswordVariable, emailVariable);
  naming(() => checkPassword(password, parseEmail(email)));
}

/**
 * Adds the admin that the settings name if there is no user yet. Changing the settings later changes no user.
 */
export async function ensureFirstUser(
  options: Given & { control: Pick<Control, 'users' | 'transact'>; log: Log },
): Promise<void> {
  const { control, email, password, log } = options;
  checkFirstUser({ email, password });
  if (email === undefined || password === undefined) return;
  if ((await control.users.count()) > 0) {
    log.info(`users already exist: ${emailVariable} and ${adminPasswordVariable} are ignored`);
    return;
  }
  const admin = { email, password, role: 'admin', websites: [] } as const;
  const user = await addUser(control, 'environment', admin);
  log.info({ email: user.email }, 'first user added');
}

/** Names the setting in a complaint about its value. */
function naming(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    const variable = error.field === 'password' ? adminPasswordVariable : emailVariable;
    throw new ConfigError(`${variable}: ${error.message}`);
  }
}

const missing = (unset: string, set: string) =>
  new ConfigError(`${unset}: expected a value, because ${set} is set. Set both or neither.`);
