/**
 * Who acts: a user, or somebody of whom no more is known than where they act. A command doesn't know who
 * typed it: whoever can read the data folder can.
 */
export type Actor = { email: string } | 'command line' | 'environment' | 'server';

/** As the audit log has it. */
export const nameOf = (actor: Actor): string => (typeof actor === 'string' ? actor : actor.email);
