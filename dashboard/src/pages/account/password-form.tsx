import { useApi } from '#api/api-context.ts';
import { useSession } from '#app/session/session-context.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { PasswordField } from '#design/forms/password-field.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { useAccountWords } from './account-words.ts';

const empty = { currentPassword: '', newPassword: '' };

export function PasswordForm() {
  const { password: words } = useAccountWords();
  const { password: passwordWords } = useSharedWords();
  const api = useApi();
  const say = useToast();
  const { session, begin } = useSession();
  const form = useForm({
    initial: empty,
    check: ({ currentPassword, newPassword }) => ({
      ...(currentPassword === '' && { currentPassword: words.currentMissing }),
      ...(newPassword === '' && { newPassword: words.newMissing }),
    }),
    refused: { currentPassword: words.currentWrong, newPassword: passwordWords.refused },
    send: async (values) => {
      const answer = await api.changePassword(values);
      if (answer.isOk || answer.fault.kind !== 'invalid') return answer;
      const { password, ...fields } = answer.fault.fields;
      // The server reports its rules about "password", which is the new password here.
      const named = password === undefined ? fields : { ...fields, newPassword: password };
      return { isOk: false, fault: { ...answer.fault, fields: named } };
    },
    onDone: (next) => {
      form.replace(empty);
      begin(next);
      say(words.changed);
    },
  });
  return (
    <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
      {/* Password managers store a password together with this user name. */}
      <input
        class="unseen"
        type="email"
        autocomplete="username"
        value={session?.user.email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField label={words.current} {...form.field('currentPassword')} />
      <PasswordField isNew label={words.new} {...form.field('newPassword')} />
      <FormMessage message={form.fault?.message} />
      <div class="row">
        <Button type="submit" kind="primary" isBusy={form.isBusy}>
          {words.change}
        </Button>
      </div>
    </form>
  );
}
