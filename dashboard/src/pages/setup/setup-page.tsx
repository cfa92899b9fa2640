import { useApi } from '#api/api-context.ts';
import { useResource } from '#api/use-resource.ts';
import { FrontDoor } from '#app/frame/front-door.tsx';
import { Loaded } from '#app/frame/loaded.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { usePlace } from '#app/routing/router.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { fill } from '#words/fill.ts';
import { SetupForm } from './setup-form.tsx';
import { useSetupWords } from './setup-words.ts';

/**
 * Creates the first user. The token follows the hash of the address, which a browser never sends to a server.
 */
export function SetupPage({ path }: PageProps) {
  const words = useSetupWords();
  const api = useApi();
  const setup = useResource('setup', api.setup);
  const token = usePlace(path).hash.slice(1);
  const isDone = setup.value?.isNeeded === false;
  const title = isDone ? words.doneTitle : words.title;
  return (
    <FrontDoor title={title} about={isDone ? undefined : words.about}>
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
  const words = useSetupWords();
  return (
    <div class="stack">
      <p>{words.done}</p>
      <LinkButton kind="primary" href="/sign-in">
        {words.signIn}
      </LinkButton>
    </div>
  );
}

function NoToken() {
  const words = useSetupWords();
  return (
    <div class="stack-tight">
      <p>{words.linkCut}</p>
      <p class="muted">{fill(words.linkCutHint, { hash: <code>#</code> })}</p>
    </div>
  );
}
