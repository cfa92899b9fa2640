import { createContext } from 'preact';
import type { Session } from '#api/shapes.ts';
import { useProvided } from '#browser/use-provided.ts';

export type SessionState = {
  /** Undefined while nobody is signed in. */
  session: Session | undefined;
  begin: (session: Session) => void;
  /** Forgets the session after signing out. */
  end: () => void;
};

export const SessionContext = createContext<SessionState | undefined>(undefined);

export const useSession = (): SessionState => useProvided(SessionContext);

export const useIsAdmin = (): boolean => useSession().session?.user.role === 'admin';
