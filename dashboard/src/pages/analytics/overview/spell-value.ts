import type { Format } from '#format/create-format.ts';
import type { ValueKind } from './metric-traits.ts';

type Numbers = Pick<Format, 'number' | 'decimal' | 'percent' | 'compact' | 'unit'>;

const mostExact = 9_999_999;

/** Formats a value for reading. It is exact, except for counts that nobody reads to the last digit. */
export function spellValue(kind: ValueKind, value: number | null, format: Numbers): string {
  if (value === null) return '–';
  if (kind === 'count' && value > mostExact) return `≈${format.compact(value)}`;
  if (kind === 'ratio') return format.decimal(value, 2);
  if (kind === 'rate') return format.percent(value, 1);
  return kind === 'count' ? format.number(value) : spellShort(kind, value, format);
}

/** Formats a value that `spellValue` rounds to its last digit. Undefined for other values. */
export function spellExact(kind: ValueKind, value: number | null, format: Numbers): string | undefined {
  return kind === 'count' && value !== null && value > mostExact ? format.number(value) : undefined;
}

/** Formats a value for an axis: 1.3K, 45%, 1m 30s. */
export function spellShort(kind: ValueKind, value: number, format: Numbers): string {
  if (kind === 'share') return format.percent(value);
  // Most rates are below a few percent.
  if (kind === 'rate') return format.percent(value, value < 0.1 ? 1 : 0);
  if (kind === 'seconds') return spellSeconds(Math.round(value), format);
  return format.compact(value);
}

function spellSeconds(seconds: number, { unit }: Numbers): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts: [number, Parameters<Format['unit']>[1]][] =
    hours > 0
      ? [
          [hours, 'hour'],
          [minutes, 'minute'],
        ]
      : [
          [minutes, 'minute'],
          [seconds % 60, 'second'],
        ];
  const told = parts.filter(([value]) => value > 0).map(([value, of]) => unit(value, of));
  return told.length === 0 ? unit(0, 'second') : told.join(' ');
}
