import { useMemo, useRef } from 'preact/hooks';
import { listTimeZones, offsetOf, searchTimeZones, type TimeZone } from '#format/list-time-zones.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { Combobox } from './combobox.tsx';
import type { FieldWiring } from './field.tsx';

/** A choice of all timezones, searchable by city, region or offset. */
export function TimeZoneField(wiring: FieldWiring<string>) {
  const { timezone: words } = useSharedWords();
  const { value } = wiring;
  // Computing four hundred offsets takes a moment, so it is done when the list is first opened.
  const zones = useRef<TimeZone[]>(undefined);
  const find = useMemo(
    () => (search: string) => {
      zones.current ??= listTimeZones(new Date(), value);
      return searchTimeZones(zones.current, search).map(({ name, offset }) => ({
        value: name,
        label: name.replaceAll('_', ' '),
        detail: offset,
      }));
    },
    [value],
  );
  const offset = offsetOf(value, new Date());
  return (
    <Combobox
      label={words.label}
      hint={offset === undefined ? words.hint : words.hintWithOffset(offset)}
      {...wiring}
      find={find}
      nothing={words.nothing}
    />
  );
}
