import type { Language } from '@trackside/contract/app/languages.ts';
import type { User } from '../control/accounts/user-row.ts';
import type { Control } from '../control/open-control.ts';

/** Changes the language in which a user reads the pages. Null means that of the browser. */
export async function chooseLanguage(
  control: Pick<Control, 'users'>,
  user: User,
  language: Language | null,
): Promise<User> {
  return await control.users.setLanguage(user.id, language);
}
