import { useEffect, useState } from 'preact/hooks';
import { useApi, useApiParts } from '#api/api-context.ts';
import type { Session } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { useRouter } from '../routing/router.ts';
import { signInPath } from '../routing/safe-next.ts';
import { useSession } from './session-context.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Shown over a page whose session has expired, so that nothing on the page is lost. */
export function SignInAgain() {
  const { gate } = useApiParts();
  const api = useApi();
  const { session, begin, end } = useSession();
  const router = useRouter();
  const { signIn: words } = useSharedWords();
  const [isAsking, setIsAsking] = useState(() => gate.isAsking());
  useEffect(() => gate.listen(() => setIsAsking(gate.isAsking())), [gate]);
  if (!isAsking || session === undefined) return null;

  function onSignedIn(next: Session): void {
    // A different user has signed in, who may not be allowed to see this page.
    if (next.user.id !== session?.user.id) location.assign('/websites');
    else {
      begin(next);
      gate.settle(true);
    }
  }
  function leave(): void {
    const { path, search } = router.place();
    gate.settle(false);
    end();
    router.go(signInPath(path + search));
  }
  return (
    <Dialog title={words.againTitle}>
      <p class="muted">{words.again}</p>
      <SignInForm email={session.user.email} signIn={api.signIn} onDone={onSignedIn}>
        <Button kind="quiet" onClick={leave}>
          {words.leave}
        </Button>
      </SignInForm>
    </Dialog>
  );
}
