import { useApi } from '#api/api-context.ts';
import { useResource } from '#api/use-resource.ts';
import { FrontDoor } from '#app/frame/front-door.tsx';
import { Loaded } from '#app/frame/loaded.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { usePlace } from '#app/routing/router.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { SetupForm } from './setup-form.tsx';

/**
 * Creates the first user. The token follows the hash of the address, which a browser never sends to a server.
 */
export function SetupPage({ path }: PageProps) {
  const api = useApi();
  const setup = useResource('setup', api.setup);
  const token = usePlace(path).hash.slice(1);
  const isDone = setup.value?.isNeeded === false;
  const title = isDone ? 'Trackside is set up' : 'Welcome to Trackside';
  return (
    <FrontDoor title={title} about={isDone ? undefined : 'Make your account. It will be the first admin.'}>
      <Loaded resource={setup} skeleton={<Skeleton height={236} />}>
        {({ isNeeded }) => {
          if (!isNeeded) return <AlreadyDone />;
          return token === '' ? <NoToken /> : <SetupForm token={token} />;
        }}
      </Loaded>
    </FrontDoor>
  );
}

function AlreadyDone() {
  return (
    <div class="stack">
      <p>The first account has been made, and the link for it no longer works.</p>
      <LinkButton kind="primary" href="/sign-in">
        Sign in
      </LinkButton>
    </div>
  );
}

function NoToken() {
  return (
    <div class="stack-tight">
      <p>This address is only a part of the setup link.</p>
      <p class="muted">
        The server prints the whole link when it starts: copy all of it, also what stands behind the{' '}
        <code>#</code>.
      </p>
    </div>
  );
}
