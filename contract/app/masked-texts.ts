/**
 * What the server writes in place of the values of a refused body. The pages read it back, to say the same in
 * the reader's language.
 */
export const maskedTexts = {
  text: (count: number) => `text with ${characters(count)}`,
  /** In place of a member's name that may be someone's data. */
  name: (count: number) => `name with ${characters(count)}`,
  notJson: (count: number) => `not JSON, ${count} bytes`,
  more: (count: number) => `${count} more`,
};

export type MaskedKind = keyof typeof maskedTexts;

const kinds = Object.keys(maskedTexts) as MaskedKind[];

/** Returns what a text stands for. Undefined for other texts, such as the name of a type. */
export function readMasked(text: string): { kind: MaskedKind; count: number } | undefined {
  const count = Number(/\d+/.exec(text)?.[0]);
  const kind = kinds.find((one) => maskedTexts[one](count) === text);
  return kind && { kind, count };
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
