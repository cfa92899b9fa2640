/**
 * Rejects when the work takes longer; `what` names it in the error. The work itself goes on, and may fail
 * unheard.
 */
export async function withinMs<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what}: expected it within ${limitMs} ms, still waiting`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
