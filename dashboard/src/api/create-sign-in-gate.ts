/**
 * Holds requests back whose session has ended, until the person has signed in again. What was typed stays
 * where it is, and the request that failed is sent once more.
 */
export type SignInGate = {
  /** Resolves to whether somebody signed in. Many may ask; the person is asked once. */
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
