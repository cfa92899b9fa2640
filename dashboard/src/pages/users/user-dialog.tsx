import { useApi } from '#api/api-context.ts';
import type { Role, User } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { PasswordField } from '#design/forms/password-field.tsx';
import { RadioGroup } from '#design/forms/radio-group.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { WebsitesField } from './websites-field.tsx';

type Props = {
  /** Undefined for a new user. */
  user: User | undefined;
  onClose: () => void;
  onDone: () => void;
};

export function UserDialog({ user, onClose, onDone }: Props) {
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
      ...(email.trim() === '' && { email: 'Enter the address that they will sign in with.' }),
      ...(user === undefined && password === '' && { password: 'Enter a first password.' }),
    }),
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
      say(user === undefined ? `${email} can sign in now.` : `${email} saved.`);
      onDone();
    },
  });
  return (
    <Dialog title={user === undefined ? 'Add user' : `Edit ${user.email}`} onClose={onClose}>
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        {user === undefined && (
          <TextField
            label="E-mail"
            inputMode="email"
            autocomplete="off"
            hasFocusFirst
            {...form.field('email')}
          />
        )}
        <PasswordField
          isNew
          label={user === undefined ? 'First password' : 'New password, if it is to change'}
          {...form.field('password')}
        />
        <RadioGroup
          legend="Role"
          {...form.field('role')}
          choices={[
            {
              value: 'viewer',
              label: 'Viewer',
              hint: 'Sees the analytics of some websites.',
              more: <WebsitesField {...form.field('websites')} />,
            },
            { value: 'admin', label: 'Admin', hint: 'May do everything, on all websites.' },
          ]}
        />
        <FormMessage message={form.fault?.message} />
        <div class="dialog-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            {user === undefined ? 'Add user' : 'Save user'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
