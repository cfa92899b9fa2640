/**
 * Holds back requests whose session has expired until the user has signed in again. The page keeps what was
 * typed, and the failed request is sent once more.
 */
export type SignInGate = {
  /** Resolves to whether the user signed in. Any number of requests may ask; the user is asked once. */
  ask(): Promise<boolean>;
  settle(isSignedIn: boolean): void;
  isAsking(): boolean;
  listen(listener: () => void): () => void;
};

export function createSignInGate(): SignInGate {
  const listeners = new Set<() => void>();
  let pending: PromiseWithResolvers<boolean> | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    ask() {
      if (pending === undefined) {
        pending = Promise.withResolvers();
        tell();
      }
      return pending.promise;
    },
    settle(isSignedIn) {
      const settled = pending;
      pending = undefined;
      settled?.resolve(isSignedIn);
      tell();
    },
    isAsking: () => pending !== undefined,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
