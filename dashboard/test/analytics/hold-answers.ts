import type { Page } from 'playwright-core';

/**
 * On pages that are opened from now on, holds back the server's answers about one dimension. The other lines
 * of the same response arrive as usual. Returns a function that releases them.
 */
export async function holdAnswers(page: Page, dimension: string): Promise<() => Promise<void>> {
  await page.addInitScript((held) => {
    const letGo = Promise.withResolvers<void>();
    Object.assign(window, { letGo: letGo.resolve });
    const send = window.fetch;
    window.fetch = async (address, options) => {
      const response = await send(address, options);
      const isBatch = String(address).endsWith('/api/stats/batch');
      if (!isBatch || !response.ok || response.body === null) return response;
      const { questions } = JSON.parse(String(options?.body));
      const isHeld = (line: string) => questions[JSON.parse(line).index].question.dimensions?.[0] === held;
      let text = '';
      const kept: string[] = [];
      const lines = new TransformStream<string, string>({
        transform(chunk, controller) {
          const whole = (text + chunk).split('\n');
          text = whole.pop() ?? '';
          for (const line of whole) {
            if (isHeld(line)) kept.push(line);
            else controller.enqueue(`${line}\n`);
          }
        },
        async flush(controller) {
          await letGo.promise;
          for (const line of kept) controller.enqueue(`${line}\n`);
        },
      });
      const body = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(lines)
        .pipeThrough(new TextEncoderStream());
      return new Response(body, response);
    };
  }, dimension);
  return async () => await page.evaluate(() => (window as unknown as { letGo: () => void }).letGo());
}
