import { setTimeout as delay } from 'node:timers/promises';
import { buildMark } from '../../store/build-fences.ts';
import { openOutsideHost } from '../../store/open-outside-host.ts';
import type { OutsideStore } from '../../store/store-address.ts';

const lookMs = 100;
const patienceMs = 10_000;

/** Ends the statements of an earlier owner of builds. Those that come later are refused by the store. */
export async function killBuilds(outside: OutsideStore): Promise<void> {
  const hosts = outside.hosts.urls.map((url) => openOutsideHost(outside, url));
  try {
    for (let waitedMs = 0; ; waitedMs += lookMs) {
      const answers = await Promise.allSettled(hosts.map((host) => host.killInserts(buildMark)));
      const running = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      // A host that doesn't answer can't be asked. If it comes back, it knows the new fence.
      if (running.length > 0 && running.every((count) => count === 0)) return;
      if (waitedMs >= patienceMs)
        throw new Error('statements of an earlier owner of builds are still running');
      await delay(lookMs);
    }
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}
