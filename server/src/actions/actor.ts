/**
 * Who is acting: a user, or the place where they act if nothing more is known. A command does not know who
 * typed it: it may be anyone who can read the data folder.
 */
export type Actor = { email: string } | 'command line' | 'environment' | 'server';

/** Returns the actor's name as the audit log shows it. */
export const nameOf = (actor: Actor): string => (typeof actor === 'string' ? actor : actor.email);
