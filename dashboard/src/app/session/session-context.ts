import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from '#api/shapes.ts';

export type SessionState = {
  /** Undefined while nobody is signed in. */
  session: Session | undefined;
  begin: (session: Session) => void;
  /** Forgets the session after signing out. */
  end: () => void;
};

export const SessionContext = createContext<SessionState | undefined>(undefined);

export function useSession(): SessionState {
  const state = useContext(SessionContext);
  if (state === undefined) throw new Error('expected to be inside of SessionContext');
  return state;
}

export const useIsAdmin = (): boolean => useSession().session?.user.role === 'admin';
