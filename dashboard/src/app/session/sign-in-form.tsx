import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Api } from '#api/create-api.ts';
import type { Session } from '#api/shapes.ts';
import { Banner } from '#design/display/banner.tsx';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { PasswordField } from '#design/forms/password-field.tsx';
import { TextField } from '#design/forms/text-field.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import type { Format } from '#format/create-format.ts';
import { useFormat } from '#format/format-context.tsx';
import { useForm } from '#forms/use-form.ts';
import { fill } from '#words/fill.ts';
import { type SharedWords, useSharedWords } from '#words/shared-words.ts';

type Props = {
  email: string;
  signIn: Api['signIn'];
  onDone: (session: Session) => void;
  /** More buttons beside the submit button. */
  children?: ComponentChildren;
};

/** Email and password. After too many attempts it counts down until the next one is allowed. */
export function SignInForm({ email, signIn, onDone, children }: Props) {
  const { signIn: words, email: emailWords, password: passwordWords } = useSharedWords();
  const format = useFormat();
  const [waitSeconds, setWaitSeconds] = useState(0);
  const form = useForm({
    initial: { email, password: '' },
    check: ({ email, password }) => ({
      ...(email.trim() === '' && { email: words.emailMissing }),
      ...(password === '' && { password: words.passwordMissing }),
    }),
    send: signIn,
    onDone,
    onFault: (fault) => {
      if (fault.kind !== 'throttled') return false;
      setWaitSeconds(fault.waitSeconds);
      return true;
    },
  });
  useEffect(() => {
    if (waitSeconds === 0) return;
    const timer = setTimeout(() => setWaitSeconds(waitSeconds - 1), 1_000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);
  const isWaiting = waitSeconds > 0;

  return (
    <form class="stack" ref={form.ref} onSubmit={form.submit} noValidate>
      {isWaiting ? (
        <Banner kind="warn">
          {fill(words.wait, { time: <b>{spellWait(waitSeconds, words, format)}</b> })}
        </Banner>
      ) : (
        <FormMessage message={form.fault?.message} />
      )}
      <TextField
        label={emailWords.label}
        inputMode="email"
        autocomplete="username"
        hasFocusFirst={email === ''}
        {...form.field('email')}
      />
      <PasswordField label={passwordWords.label} hasFocusFirst={email !== ''} {...form.field('password')} />
      <DialogButtons>
        {children}
        <Button type="submit" kind="primary" isBusy={form.isBusy} isDisabled={isWaiting}>
          {words.action}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** 42 seconds, 3:05 minutes */
function spellWait(seconds: number, words: SharedWords['signIn'], format: Pick<Format, 'count'>): string {
  if (seconds < 60) return format.count(seconds, words.seconds);
  return words.minutes(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
}
