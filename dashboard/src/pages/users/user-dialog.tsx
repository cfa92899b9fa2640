import { useApi } from '#api/api-context.ts';
import type { Role, User } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { PasswordField } from '#design/forms/password-field.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { useUsersWords } from './users-words.ts';
import { WebsitesField } from './websites-field.tsx';

type Props = {
  /** Undefined for a new user. */
  user: User | undefined;
  onClose: () => void;
  onDone: () => void;
};

export function UserDialog({ user, onClose, onDone }: Props) {
  const users = useUsersWords();
  const words = users.dialog;
  const { email: emailWords, password: passwordWords, roles } = useSharedWords();
  const api = useApi();
  const say = useToast();
  const form = useForm({
    initial: {
      email: user?.email ?? '',
      password: '',
      role: (user?.role ?? 'viewer') as Role,
      websites: user?.websites ?? [],
    },
    check: ({ email, password }) => ({
      ...(email.trim() === '' && { email: words.emailMissing }),
      ...(user === undefined && password === '' && { password: words.firstPasswordMissing }),
    }),
    refused: {
      email: emailWords.invalid,
      password: passwordWords.refused,
      websites: words.websitesRefused,
    },
    taken: { email: emailWords.taken },
    faults: { 'not-allowed': words.lastAdmin },
    send: ({ email, password, role, websites }) => {
      const granted = role === 'viewer' ? websites : [];
      if (user === undefined) return api.addUser({ email: email.trim(), password, role, websites: granted });
      return api.changeUser(user.id, {
        role,
        websites: granted,
        ...(password !== '' && { password }),
      });
    },
    onDone: ({ email }) => {
      say(user === undefined ? words.added(email) : words.saved(email));
      onDone();
    },
  });
  return (
    <Dialog title={user === undefined ? users.add : users.editUser(user.email)} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        {user === undefined && (
          <TextField
            label={emailWords.label}
            inputMode="email"
            autocomplete="off"
            hasFocusFirst
            {...form.field('email')}
          />
        )}
        <PasswordField
          isNew
          label={user === undefined ? words.firstPassword : words.newPassword}
          isOptional={user !== undefined}
          {...form.field('password')}
        />
        <RadioGroup
          legend={words.role}
          {...form.field('role')}
          choices={[
            {
              value: 'viewer',
              label: roles.viewer,
              hint: words.viewerHint,
              more: <WebsitesField {...form.field('websites')} />,
            },
            { value: 'admin', label: roles.admin, hint: words.adminHint },
          ]}
        />
        <FormMessage message={form.fault?.message} />
        <DialogButtons>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            {user === undefined ? users.add : words.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
