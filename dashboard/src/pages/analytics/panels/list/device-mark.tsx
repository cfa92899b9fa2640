import type { Device } from '@trackside/contract/stats/devices.ts';
import './source-mark.css';

/** Line drawings on a 16-pixel grid. */
const drawings: Readonly<Record<Device, string>> = {
  desktop: 'M3 3h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM5.5 13.5h5M8 11v2.5',
  mobile: 'M5.5 1.8h5a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1ZM7.4 12h1.2',
  tablet: 'M4 1.8h8a1 1 0 0 1 1 1v10.4a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V2.8a1 1 0 0 1 1-1ZM7.2 12h1.6',
  tv: 'M2.5 5h11a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM5.5 2 8 5l2.5-3',
  console:
    'M5 4.5h6A3.3 3.3 0 0 1 14.3 8c0 2.2-1 3.4-2 3.4-1.2 0-1.5-1.7-2.6-1.7H6.3c-1.1 0-1.4 1.7-2.6 1.7' +
    'C2.7 11.4 1.7 10.2 1.7 8A3.3 3.3 0 0 1 5 4.5ZM5.3 6.3v2M4.3 7.3h2M10.7 7.3h.05',
  unknown: 'M6.2 6.2A1.9 1.9 0 1 1 8 8.7v.8M8 11.6v.05',
};

/** The kind of a device. */
export function DeviceMark({ device }: { device: string }) {
  const drawing = Object.hasOwn(drawings, device) ? drawings[device as Device] : drawings.unknown;
  return (
    <svg class="device-mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={drawing} />
    </svg>
  );
}
