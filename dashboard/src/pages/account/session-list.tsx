import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { SessionItem } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { Ago } from '#design/display/ago.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { fill } from '#words/fill.ts';
import { useAccountWords } from './account-words.ts';
import { spellDevice } from './spell-device.ts';
import './session-list.css';

/** Where the user is signed in, each with a way to sign out there. */
export function SessionList() {
  const { sessions: words } = useAccountWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const format = useFormat();
  const sessions = useResource('sessions', api.sessions);
  const [ending, setEnding] = useState<string>();

  async function end({ id }: SessionItem): Promise<void> {
    setEnding(id);
    const answer = await api.endSession(id);
    setEnding(undefined);
    // It may have ended in the meantime, which is what the user wanted.
    if (answer.isOk || answer.fault.kind === 'not-found') say(words.ended);
    else say(spellFault(answer.fault), { isBad: true });
    sessions.reload();
  }

  return (
    <Loaded resource={sessions} skeleton={<Skeleton height={44} />}>
      {({ sessions }) => (
        <ul class="sessions">
          {sessions.map((session) => {
            const device = spellDevice(session.device, format.words) ?? words.unknownDevice;
            return (
              <li class="session" key={session.id}>
                <div class="grow">
                  <div class="cut">{device}</div>
                  <div class="faint small">
                    {session.isCurrent
                      ? words.here
                      : fill(words.lastUsed, { ago: <Ago at={session.lastUsedAt} /> })}
                  </div>
                </div>
                {!session.isCurrent && (
                  <Button
                    isSmall
                    kind="danger-ghost"
                    isBusy={ending === session.id}
                    aria-label={words.endOf(device)}
                    onClick={() => void end(session)}
                  >
                    {words.end}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Loaded>
  );
}
