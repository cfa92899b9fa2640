type Waiting<Item, Answer> = { item: Item; settle: (answer: Promise<Answer>) => void };

/** Long enough for the questions of one screen, which wait for the same days and go on together. */
const gatherMs = 1;

/** Collects what is asked under the same key within a moment, and has it answered together, in the same order. */
export function createGatherer<Item, Answer>() {
  const groups = new Map<string, Waiting<Item, Answer>[]>();

  return (
    key: string,
    item: Item,
    answerAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
  ): Promise<Answer> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const waiting = groups.get(key);
    if (waiting !== undefined) {
      waiting.push({ item, settle: resolve });
      return promise;
    }
    const group = [{ item, settle: resolve }];
    groups.set(key, group);
    setTimeout(() => {
      groups.delete(key);
      const answers = answerAll(group.map((one) => one.item));
      for (const [at, { settle }] of group.entries()) settle(answers.then((all) => all[at]!));
    }, gatherMs);
    return promise;
  };
}
