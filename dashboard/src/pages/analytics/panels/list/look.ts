/** How something is marked in a list: by its icon on a tile in its color, or by a letter. */
export type Look = { letter: string; colour: string; icon?: string | undefined };

/** What is known about the looks of something. White is readable on each color. */
export type KnownLooks = Readonly<Record<string, readonly [letter: string, colour: string, icon?: string]>>;

export function findLook(known: KnownLooks, name: string): Look | undefined {
  const look = Object.hasOwn(known, name) ? known[name] : undefined;
  return look && { letter: look[0], colour: look[1], icon: look[2] };
}
