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
import { fill } from '#words/fill.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { useSetupWords } from './setup-words.ts';

export function SetupForm({ token }: { token: string }) {
  const words = useSetupWords();
  const { email: emailWords, password: passwordWords } = useSharedWords();
  const api = useApi();
  const router = useRouter();
  const { begin } = useSession();
  const [isRefused, setIsRefused] = useState(false);
  const form = useForm({
    initial: { email: '', password: '' },
    check: ({ email, password }) => ({
      ...(email.trim() === '' && { email: words.emailMissing }),
      ...(password === '' && { password: words.passwordMissing }),
    }),
    refused: { email: emailWords.invalid, password: passwordWords.refused },
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
          <Banner kind="bad">{fill(words.linkRefused, { command: <code>trackside user add</code> })}</Banner>
        </div>
      )}
      <TextField
        label={emailWords.label}
        inputMode="email"
        autocomplete="username"
        hasFocusFirst
        {...form.field('email')}
      />
      <PasswordField isNew label={passwordWords.label} {...form.field('password')} />
      <Button type="submit" kind="primary" isBusy={form.isBusy}>
        {words.create}
      </Button>
    </form>
  );
}
