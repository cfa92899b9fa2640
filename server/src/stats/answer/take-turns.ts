/** Runs no more than so many pieces of work of one owner at a time; the others wait in their order. */
export function createTurns(atOnce: number) {
  const owners = new Map<number, { running: number; waiting: (() => void)[] }>();

  return async <T>(owner: number, work: () => Promise<T>): Promise<T> => {
    const line = owners.get(owner) ?? { running: 0, waiting: [] };
    owners.set(owner, line);
    if (line.running >= atOnce) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running += 1;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // Who is next takes over the place, so that nobody who comes now gets in between.
      if (next !== undefined) next();
      else {
        line.running -= 1;
        if (line.running === 0) owners.delete(owner);
      }
    }
  };
}

export type TakeTurns = ReturnType<typeof createTurns>;
