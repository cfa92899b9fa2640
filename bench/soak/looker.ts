/** What those who look at statistics have seen. */
export type Seen = {
  /** How long each screen took, and when it was there. */
  screens: { atMs: number; tookMs: number }[];
  /** How many answers there were to a read token, scenes in live views, and views opened. */
  counts: { tokenAnswers: number; scenes: number; opened: number };
  /** Faults that pass, by their code. */
  later: Record<string, number>;
  /** Answers that nobody may get. */
  wrong: string[];
};

export const createSeen = (): Seen => ({
  screens: [],
  counts: { tokenAnswers: 0, scenes: 0, opened: 0 },
  later: {},
  wrong: [],
});

/** What a busy server may answer. */
const passing = new Set(['busy', 'being-calculated', 'website-not-ready']);
const maxWrong = 20;

/** Notes a fault: one that passes is counted, any other is wrong. */
export function noteFault(seen: Seen, about: string, text: string): void {
  const fault = /"fault":"([\w-]+)"/.exec(text)?.[1] ?? '';
  if (passing.has(fault)) seen.later[fault] = (seen.later[fault] ?? 0) + 1;
  else if (seen.wrong.length < maxWrong) seen.wrong.push(`${about}: ${text.slice(0, 300)}`);
}
