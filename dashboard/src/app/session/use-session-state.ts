import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useApiParts } from '#api/api-context.ts';
import type { Fault } from '#api/fault.ts';
import type { Session } from '#api/shapes.ts';
import { listenForReturn } from '#browser/listen-for-return.ts';
import type { SessionState } from './session-context.ts';

type Known = SessionState & {
  /** Whether the node has told who is signed in. */
  isKnown: boolean;
  /** Why the node could not tell. */
  fault: Fault | undefined;
  look: () => void;
};

/**
 * Tracks who is signed in. It asks again when the user returns to the page, because another tab may have
 * changed it.
 */
export function useSessionState(): Known {
  const { api, connection, gate } = useApiParts();
  const [known, setKnown] = useState<{ session: Session | undefined }>();
  const [fault, setFault] = useState<Fault>();
  const hasSession = useRef(false);
  const learn = useCallback((session: Session | undefined) => {
    hasSession.current = session !== undefined;
    setFault(undefined);
    setKnown({ session });
  }, []);

  const look = useCallback(async () => {
    const answer = await api.session();
    if (answer.isOk) learn(answer.value);
    else if (answer.fault.kind !== 'signed-out') setFault(answer.fault);
    // On an open page the user is asked to sign in again. Elsewhere there is nothing to keep.
    else if (hasSession.current) void gate.ask();
    else learn(undefined);
  }, [api, gate, learn]);

  useEffect(() => void look(), [look]);
  useEffect(() => listenForReturn(look), [look]);
  useEffect(() => connection.listen((isLost) => !isLost && void look()), [connection, look]);

  const session = known?.session;
  return useMemo(
    () => ({
      session,
      isKnown: known !== undefined,
      fault,
      look,
      begin: learn,
      end: () => learn(undefined),
    }),
    [known, session, fault, look, learn],
  );
}
