import type { Page } from 'playwright-core';
import { assertDocumented, assertListed } from '../../server/test/support/assert-documented.ts';

/** Checks every statistics answer that a page gets from a real server against its schema. */
export function checkPageAnswers(page: Page, onFault: (fault: string) => void): void {
  page.on('response', async (response) => {
    const { pathname: path } = new URL(response.url());
    if (!path.startsWith('/api/stats/')) return;
    const method = response.request().method();
    const status = response.status();
    const type = response.headers()['content-type'] ?? null;
    // A page that is left or closed aborts its requests, and then there is nothing to check.
    const text = await response.text().catch(() => '');
    try {
      assertListed({ method, path, status, type });
      assertDocumented({ method, path, status, type, text });
    } catch (error) {
      onFault(String(error));
    }
  });
}
