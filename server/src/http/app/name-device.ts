import { describeAgent } from '../../intake/describe/describe-agent.ts';

const maxAgentLength = 1_000;

/** Names the browser and the system of somebody who signs in. All names come from our own lists. */
export function nameDevice(userAgent: string): string {
  const { browser, os } = describeAgent(userAgent.slice(0, maxAgentLength));
  return [browser, os].filter((name) => name !== '').join(' on ');
}
