import { useMemo, useRef } from 'preact/hooks';
import { listTimeZones, offsetOf, searchTimeZones, type TimeZone } from '#format/list-time-zones.ts';
import { Combobox } from './combobox.tsx';
import type { FieldWiring } from './field.tsx';

/** A choice of all timezones, searchable by city, region or offset. */
export function TimeZoneField(wiring: FieldWiring<string>) {
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
      label="Timezone"
      hint={`${offset === undefined ? '' : `Now ${offset}. `}Days begin and end at midnight there.`}
      {...wiring}
      find={find}
      nothing="No timezone has that in its name. Try a large city near by."
    />
  );
}
