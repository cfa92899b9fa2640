import { useState } from 'preact/hooks';
import { useSignOut } from '#app/session/use-sign-out.ts';
import { Card } from '#design/display/card.tsx';
import { Button } from '#design/forms/button.tsx';
import { useAccountWords } from './account-words.ts';
import { SessionList } from './session-list.tsx';

export function SessionsCard() {
  const { sessions: words } = useAccountWords();
  const signOut = useSignOut();
  const [busy, setBusy] = useState<'here' | 'everywhere'>();
  const leave = (where: 'here' | 'everywhere') => {
    setBusy(where);
    void signOut(where).finally(() => setBusy(undefined));
  };
  return (
    <Card title={words.title} about={words.about}>
      <SessionList />
      <div class="row">
        <Button isBusy={busy === 'here'} onClick={() => leave('here')}>
          {words.signOut}
        </Button>
        <Button kind="danger-ghost" isBusy={busy === 'everywhere'} onClick={() => leave('everywhere')}>
          {words.signOutEverywhere}
        </Button>
      </div>
    </Card>
  );
}
