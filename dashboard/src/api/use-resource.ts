import { useCallback, useEffect, useState } from 'preact/hooks';
import { listenForReturn } from '#browser/listen-for-return.ts';
import { useApiParts } from './api-context.ts';
import type { Answer, Fault } from './fault.ts';

export type Resource<Value> = {
  /** Keeps its last value while it is reloading. */
  value: Value | undefined;
  /** Why there is no value, or why it could not be reloaded. */
  fault: Fault | undefined;
  reload: () => void;
  set: (value: Value) => void;
};

type Load<Value> = (signal: AbortSignal) => Promise<Answer<Value>>;

const enginePauseMs = 4_000;

/**
 * Loads something from the node. It is loaded again when the user returns to the page, when the connection is
 * back, a while after the engine was away, and every `everyMs` if that is given. `key` identifies the value:
 * the value of another key is never returned.
 */
export function useResource<Value>(key: string, load: Load<Value>, everyMs?: number): Resource<Value> {
  const { connection } = useApiParts();
  const [state, setState] = useState<{ key: string; value?: Value; fault?: Fault }>({ key });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const set = (value: Value) => {
    setState({ key, value });
    // What is on its way may be from before the change.
    reload();
  };

  useEffect(() => {
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = (answer: Answer<Value>) => {
      if (aborter.signal.aborted) return;
      if (answer.isOk) return setState({ key, value: answer.value });
      const { fault } = answer;
      // What was deleted, or is hidden from this user by now, is no longer shown.
      const isGone = fault.kind === 'not-found' || fault.kind === 'forbidden';
      setState((last) => (last.key === key && !isGone ? { ...last, fault } : { key, fault }));
      if (fault.kind === 'unavailable') timer = setTimeout(reload, enginePauseMs);
    };
    load(aborter.signal).then(settle, (error) => {
      if (!aborter.signal.aborted) throw error;
    });
    return () => {
      aborter.abort();
      clearTimeout(timer);
    };
  }, [key, round]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  useEffect(() => listenForReturn(reload), [reload]);
  useEffect(() => connection.listen((isLost) => !isLost && reload()), [connection, reload]);

  const current = state.key === key ? state : undefined;
  return { value: current?.value, fault: current?.fault, reload, set };
}
