import { useEffect } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { useResource } from '#api/use-resource.ts';
import { FrontDoor } from '#app/frame/front-door.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { usePlace, useRouter } from '#app/routing/router.ts';
import { safeNext } from '#app/routing/safe-next.ts';
import { useSession } from '#app/session/session-context.ts';
import { SignInForm } from '#app/session/sign-in-form.tsx';
import { Banner } from '#design/display/banner.tsx';
import { fill } from '#words/fill.ts';
import { useSignInWords } from './sign-in-words.ts';

export function SignInPage({ path }: PageProps) {
  const words = useSignInWords();
  const api = useApi();
  const router = useRouter();
  const { session, begin } = useSession();
  const setup = useResource('setup', api.setup);
  const next = safeNext(new URLSearchParams(usePlace(path).search).get('next'), location.origin);
  useEffect(() => {
    if (session !== undefined) router.go(next, { replace: true });
  }, [session, next, router]);

  return (
    <FrontDoor
      title={words.title}
      foot={fill(words.forgot, { command: <code>trackside user set-password</code> })}
    >
      <div class="stack">
        {setup.value?.isNeeded && <Banner kind="warn">{words.noUser}</Banner>}
        <SignInForm email="" signIn={api.signIn} onDone={begin} />
      </div>
    </FrontDoor>
  );
}
