import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { useRouter } from '#app/routing/router.ts';
import { useSession } from '#app/session/session-context.ts';
import { Banner } from '#design/display/banner.tsx';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { PasswordField } from '#design/forms/password-field.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { useForm } from '#forms/use-form.ts';

export function SetupForm({ token }: { token: string }) {
  const api = useApi();
  const router = useRouter();
  const { begin } = useSession();
  const [isRefused, setIsRefused] = useState(false);
  const form = useForm({
    initial: { email: '', password: '' },
    check: ({ email }) =>
      email.trim() === '' ? { email: 'Enter the address that you will sign in with.' } : {},
    send: (values) => api.setUp({ token, ...values }),
    onDone: (session) => {
      router.go('/websites', { replace: true });
      begin(session);
    },
    onFault: ({ kind }) => {
      setIsRefused(kind === 'forbidden');
      return kind === 'forbidden';
    },
  });
  return (
    <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
      <FormMessage message={form.fault?.message} />
      {isRefused && (
        <div role="alert">
          <Banner kind="bad">
            This link does not work: it was used, or the server has printed a newer one since. Start the
            server again for a fresh link, or run <code>trackside user add</code> on it.
          </Banner>
        </div>
      )}
      <TextField
        label="E-mail"
        inputMode="email"
        autocomplete="username"
        hasFocusFirst
        {...form.field('email')}
      />
      <PasswordField isNew label="Password" {...form.field('password')} />
      <Button type="submit" kind="primary" isBusy={form.isBusy}>
        Create account
      </Button>
    </form>
  );
}
