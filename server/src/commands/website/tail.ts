import { setTimeout as delay } from 'node:timers/promises';
import type { RecentRequestAnswer, RecentRequestsAnswer } from '@trackside/contract/app/answers.ts';
import { escapeControls } from '../../text/escape-controls.ts';
import { type Command, CommandError, type CommandInput } from '../command.ts';
import { findServer } from '../parts/find-server.ts';
import { withControl } from '../parts/with-control.ts';
import { describeRequest, paintRequest } from './describe-request.ts';
import { findWebsite } from './find-website.ts';

const lookEveryMs = 500;
const renewProofMs = 30_000;

export const tailCommand: Command = {
  usage: 'tail WEBSITE [--refused] [--events | --page-views] [--grep TEXT] [--once]',
  help:
    'Prints requests for a website as the server receives them, each with its answer and with what was\n' +
    'understood of it. Starts with the ones that the server remembers. IP addresses and ClientIds are never\n' +
    'shown. With --json, each line is a JSON object. Press Ctrl+C to stop.',
  words: { min: 1, max: 1 },
  flags: {
    refused: { type: 'boolean', help: 'only requests that were refused' },
    events: { type: 'boolean', help: 'only events' },
    'page-views': { type: 'boolean', help: 'only page views' },
    grep: { type: 'string', help: 'only lines that contain this text, in any letter case' },
    once: { type: 'boolean', help: 'print what the server remembers, and stop' },
  },
  async run(input) {
    const { flags, print, progress } = input;
    const ask = await createAsker(input);
    const isShown = createFilter(flags);
    const show = (request: RecentRequestAnswer) => {
      const text = escapeControls(describeRequest(request));
      if (!isShown(request, text)) return;
      if (flags.json === true) print(escapeControls(JSON.stringify(request)));
      else print(input.isColored ? paintRequest(request, text) : text);
    };
    let lastMs = Number.NEGATIVE_INFINITY;
    let shownAtLast = new Set<string>();
    let skipped: number | undefined;
    for (;;) {
      const came = await ask(lastMs);
      if (came === undefined) progress('The server is away. Waiting for it…', { isPassing: true });
      for (const request of came?.requests.toReversed() ?? []) {
        const atMs = Date.parse(request.at);
        const key = JSON.stringify(request);
        if (atMs === lastMs && shownAtLast.has(key)) continue;
        if (atMs !== lastMs) shownAtLast = new Set();
        shownAtLast.add(key);
        lastMs = atMs;
        show(request);
      }
      const more = came === undefined || skipped === undefined ? 0 : came.skipped - skipped;
      if (more > 0) progress(`${more} more came too fast to be listed.`);
      skipped = came?.skipped ?? skipped;
      if (flags.once === true) return undefined;
      await delay(lookEveryMs);
    }
  },
};

/**
 * Returns a function that asks the running server for the requests from a moment on. It returns undefined
 * while the server is away.
 */
async function createAsker(input: CommandInput) {
  const { config } = input;
  const website = await withControl(input, (control) => findWebsite(control, input.words[0]!));
  const { origin } = await findServer(config);
  if (origin === undefined)
    throw new CommandError(
      `${config.dataDir}: no server is running on this folder. Start it with \`trackside serve\`.`,
    );
  let proof = { text: '', untilMs: Number.NEGATIVE_INFINITY };
  return async (fromMs: number): Promise<RecentRequestsAnswer | undefined> => {
    const url = new URL(`/api/websites/${website.id}/requests`, origin);
    // Those of the last moment are requested again, because more may have arrived in the same millisecond.
    if (Number.isFinite(fromMs)) url.searchParams.set('after', new Date(fromMs - 1).toISOString());
    if (input.clock.monotonicMs() >= proof.untilMs) {
      const text = await withControl(input, async (control) => control.operatorProofs.make());
      proof = { text, untilMs: input.clock.monotonicMs() + renewProofMs };
    }
    const response = await fetch(url, {
      headers: { 'Trackside-Operator': proof.text },
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    if (response === undefined || response.status >= 500) return undefined;
    const body = (await response.json()) as RecentRequestsAnswer & { message?: string };
    if (response.ok) return body;
    throw new CommandError(body.message ?? `${origin}: expected 200, got ${response.status}`);
  };
}

function createFilter(flags: CommandInput['flags']) {
  const wanted = typeof flags.grep === 'string' ? flags.grep.toLowerCase() : '';
  if (flags.events === true && flags['page-views'] === true)
    throw new CommandError('--events and --page-views: expected one of them.');
  return ({ code, kind }: RecentRequestAnswer, text: string): boolean =>
    !(flags.refused === true && code === 200) &&
    !(flags.events === true && kind !== 'event') &&
    !(flags['page-views'] === true && kind !== 'page_view') &&
    text.toLowerCase().includes(wanted);
}
