import type { RecentRequestAnswer } from '@trackside/contract/app/answers.ts';

/** Describes a request in one line: 14:02:11 200 page view /pricing · Firefox on Linux · DE · Google */
export function describeRequest(request: RecentRequestAnswer): string {
  const { at, code, kind, message, isRepeat, understood, shape } = request;
  const start = `${at.slice(11, 19)} ${code} ${kind.replace('_', ' ')}`;
  if (isRepeat === true) return `${start} repeated with its Idempotency-Key, not counted again`;
  if (understood === null) {
    const members = shape === null ? '' : ` · received ${JSON.stringify(shape)}`;
    return `${start} ${message}${members}`;
  }
  const { page, event, parameters, browser, os, country, source, bot, hasClientId } = understood;
  const about = [
    event === null ? page : `${event} on ${page}`,
    parameters > 0 && `${parameters} ${parameters === 1 ? 'parameter' : 'parameters'}`,
    bot === null ? [browser, os].filter(Boolean).join(' on ') : `bot: ${bot}`,
    country,
    source || 'direct',
    hasClientId && 'with ClientId',
  ].filter(Boolean);
  return `${start} ${about.join(' · ')}`;
}

const colors = { green: 32, yellow: 33, red: 31, dim: 2 } as const;

/** Colors a line by its verdict: accepted, repeated or from a bot, refused by the quota or a fault, invalid. */
export function paintRequest({ code, isRepeat, understood }: RecentRequestAnswer, line: string): string {
  const quiet = isRepeat === true || (understood !== null && understood.bot !== null);
  const color = code === 200 ? (quiet ? 'dim' : 'green') : code === 400 || code === 401 ? 'red' : 'yellow';
  const [time = '', verdict = ''] = line.split(' ', 2);
  const rest = line.slice(time.length + verdict.length + 2);
  return `${paint('dim', time)} ${paint(color, verdict)} ${quiet ? paint('dim', rest) : rest}`;
}

const paint = (color: keyof typeof colors, text: string) => `\u001b[${colors[color]}m${text}\u001b[0m`;
