/**
 * Rejects if the work takes longer; `what` names it in the error. The work itself continues, and its failure
 * is ignored.
 */
export async function withinMs<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what}: expected a result within ${limitMs} ms, got none`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
