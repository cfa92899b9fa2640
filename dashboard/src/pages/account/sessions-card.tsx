import { useState } from 'preact/hooks';
import { useSignOut } from '#app/session/use-sign-out.ts';
import { Card } from '#design/display/card.tsx';
import { Button } from '#design/forms/button.tsx';

export function SessionsCard() {
  const signOut = useSignOut();
  const [busy, setBusy] = useState<'here' | 'everywhere'>();
  const leave = (where: 'here' | 'everywhere') => {
    setBusy(where);
    void signOut(where).finally(() => setBusy(undefined));
  };
  return (
    <Card
      title="Sessions"
      about="A device that you no longer have, or a browser that is not yours: sign out everywhere."
    >
      <div class="row">
        <Button isBusy={busy === 'here'} onClick={() => leave('here')}>
          Sign out here
        </Button>
        <Button kind="danger-ghost" isBusy={busy === 'everywhere'} onClick={() => leave('everywhere')}>
          Sign out everywhere
        </Button>
      </div>
    </Card>
  );
}
