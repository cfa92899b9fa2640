import type { Scene } from './scene.ts';

/** A record with a key, which may be sent again at any time, to any node. */
export type Keyed = { key: string; path: string };

/** What was sent in a round, and what the nodes have promised. */
export type Round = Awaited<ReturnType<typeof openRound>>;

/** Adds the websites of a round: one without a limit, and one whose contingent is used up in it. */
export async function openRound({ control, settleMs }: Scene, name: string, limit: number) {
  const add = async (domain: string, contingent: number | null) => {
    const { website, apiKey } = await control.websites.add({ domain, timezone: 'UTC', contingent });
    return { id: website.id, apiKey };
  };
  const free = await add(`free-${name}.test`, null);
  const limited = await add(`limited-${name}.test`, limit);
  const { token } = await control.readTokens.add(free.id, 'torture');
  return {
    limit,
    free,
    limited,
    token,
    /** Whether a record may be in the store twice for a while, and in the statistics as well. */
    mayBeTwice: settleMs !== undefined,
    sent: { free: new Set<string>(), limited: new Set<string>() },
    /** Those that were answered with 200. */
    accepted: { free: new Set<string>(), limited: new Set<string>() },
    /** Those without a key that were answered with 503. */
    refused: { free: new Set<string>(), limited: new Set<string>() },
    keyed: [] as Keyed[],
    counts: { accepted: 0, counted: 0, repeats: 0, usedUp: 0, later: 0, unanswered: 0, questions: 0 },
    /** Answers that nobody may get, whatever is killed. */
    wrong: [] as string[],
    /** Websites that were deleted, and commands that could not be completed. */
    deleted: [] as number[],
    incomplete: [] as string[],
  };
}
