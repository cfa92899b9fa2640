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

export function SignInPage({ path }: PageProps) {
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
      title="Sign in"
      foot={
        <>
          Forgot your password? An admin can set a new one under Users, or on the server:{' '}
          <code>trackside user set-password</code>
        </>
      }
    >
      <div class="stack">
        {setup.value?.isNeeded && (
          <Banner kind="warn">
            Nobody can sign in yet. The server prints a setup link when it starts: open that one first.
          </Banner>
        )}
        <SignInForm email="" signIn={api.signIn} onDone={begin} />
      </div>
    </FrontDoor>
  );
}
