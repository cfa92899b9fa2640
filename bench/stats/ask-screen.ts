/** Asks by one request, as the dashboard asks for a screen. An answer with another code is a fault. */
export async function askScreen(
  origin: string,
  token: string,
  questions: unknown[],
  codes = [200],
): Promise<{ asOf: string }[]> {
  const response = await fetch(`${origin}/api/stats/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ questions: questions.map((question) => ({ kind: 'query', question })) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { code, answer } = JSON.parse(line) as { code: number; answer: { asOf: string } };
      if (!codes.includes(code)) throw new Error(line);
      return answer;
    });
}
