import { isStorableDay } from '../../time/is-storable-day.ts';
import { ControlError } from '../database/control-error.ts';

export function parseDay(text: string): string {
  const day = text.trim();
  if (isStorableDay(day)) return day;
  throw new ControlError('invalid', 'Day: expected a calendar day such as 2026-11-03.');
}
