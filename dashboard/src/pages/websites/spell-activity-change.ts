import type { Activity, Website } from '#api/shapes.ts';
import type { Format } from '#format/create-format.ts';

export type ActivityChange = { text: string; tone: 'good' | 'bad' | 'even' };

const twoDaysMs = 2 * 86_400_000;
const mostShown = 9.99;

/**
 * How the visitors of 24 hours differ from those of the 24 hours before. Undefined where that would say
 * nothing: nobody came before, or the website is too new to have all of these hours.
 */
export function spellActivityChange(
  { visitors, visitorsBefore }: Activity,
  { createdAt }: Pick<Website, 'createdAt'>,
  nowMs: number,
  format: Pick<Format, 'percent'>,
): ActivityChange | undefined {
  if (visitorsBefore === 0 || nowMs - Date.parse(createdAt) < twoDaysMs) return undefined;
  const change = Math.round(100 * (visitors / visitorsBefore - 1)) / 100;
  const size = format.percent(Math.min(Math.abs(change), mostShown));
  if (change === 0) return { text: size, tone: 'even' };
  if (change < 0) return { text: `−${size}`, tone: 'bad' };
  return { text: `${change > mostShown ? '> ' : ''}+${size}`, tone: 'good' };
}
