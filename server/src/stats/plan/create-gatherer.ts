type AnswerAll<Item, Answer> = (items: readonly Item[], signal: AbortSignal) => Promise<readonly Answer[]>;
type Member<Item, Answer> = {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

/** Long enough for the questions of one screen, which wait for the same days and go on together. */
const gatherMs = 1;

/**
 * Collects what is asked under the same key within a moment, and has it answered together, in the same order. Whoever goes
 * is let go at once; the signal for the answer is aborted when nobody is left who waits for it.
 */
export function createGatherer<Item, Answer>() {
  const groups = new Map<string, ReturnType<typeof createGroup<Item, Answer>>>();

  return (
    key: string,
    item: Item,
    answerAll: AnswerAll<Item, Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    const known = groups.get(key);
    if (known !== undefined) return known.join(item, signal);
    const group = createGroup<Item, Answer>();
    groups.set(key, group);
    setTimeout(() => {
      groups.delete(key);
      group.begin(answerAll);
    }, gatherMs);
    return group.join(item, signal);
  };
}

function createGroup<Item, Answer>() {
  const members = new Set<Member<Item, Answer>>();
  const nobodyLeft = new AbortController();
  let hasBegun = false;

  return {
    join(item: Item, signal: AbortSignal | undefined): Promise<Answer> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const leave = () => {
        members.delete(member);
        reject(signal!.reason);
        // Not before: until then others may join.
        if (hasBegun && members.size === 0) nobodyLeft.abort(signal!.reason);
      };
      const member: Member<Item, Answer> = {
        item,
        resolve(answer) {
          signal?.removeEventListener('abort', leave);
          resolve(answer);
        },
        reject(error) {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      members.add(member);
      signal?.addEventListener('abort', leave, { once: true });
      return promise;
    },

    begin(answerAll: AnswerAll<Item, Answer>): void {
      hasBegun = true;
      const asked = [...members];
      if (asked.length === 0) return;
      const items = asked.map(({ item }) => item);
      answerAll(items, nobodyLeft.signal).then(
        (answers) => {
          for (const [at, { resolve }] of asked.entries()) resolve(answers[at]!);
        },
        (error: unknown) => {
          for (const { reject } of asked) reject(error);
        },
      );
    },
  };
}
