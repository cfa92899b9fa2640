import { useMemo, useRef } from 'preact/hooks';
import { listTimeZones, offsetOf, searchTimeZones, type TimeZone } from '#format/list-time-zones.ts';
import { Combobox } from './combobox.tsx';

type Props = { value: string; onValue: (value: string) => void; error?: string | undefined };

/** All timezones, found by city, region or offset. */
export function TimeZoneField({ value, onValue, error }: Props) {
  // Four hundred offsets take a moment: they are worked out when the list is opened first.
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
      name="timezone"
      hint={`${offset === undefined ? '' : `Now ${offset}. `}Days begin and end at midnight there.`}
      value={value}
      onValue={onValue}
      error={error}
      find={find}
      nothing="No timezone has that in its name. Try a large city near by."
    />
  );
}
