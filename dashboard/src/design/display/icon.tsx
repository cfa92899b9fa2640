/** Line drawings on a 16-pixel grid, in the color of the surrounding text. */
const drawings = {
  alert:
    'M8 5.75v3M8 11.2v.05M7.1 2.6 1.9 11.7a1 1 0 0 0 .9 1.55h10.4a1 1 0 0 0 .9-1.55L8.9 2.6' +
    'a1 1 0 0 0-1.8 0Z',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  check: 'm3 8.5 3.2 3L13 4.5',
  chevron: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  copy:
    'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6' +
    'a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z',
  cross: 'm4 4 8 8M12 4l-8 8',
  eye:
    'M1.8 8S4 3.7 8 3.7 14.2 8 14.2 8 12 12.3 8 12.3 1.8 8 1.8 8ZM8 9.8' +
    'a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  'eye-off':
    'M6.4 4C6.9 3.8 7.4 3.7 8 3.7c4 0 6.2 4.3 6.2 4.3a10 10 0 0 1-1.6 2.1' +
    'M10.7 11.7A6 6 0 0 1 8 12.3C4 12.3 1.8 8 1.8 8a10.4 10.4 0 0 1 2.7-3.1' +
    'M2.5 2.5l11 11M6.7 6.8a1.8 1.8 0 0 0 2.5 2.5',
  gear:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM13 8c0-.4 0-.7-.1-1l1.3-1-1.3-2.2-1.5.6a5 5 0 0 0-1.7-1' +
    'L9.4 1.8H6.7l-.3 1.6a5 5 0 0 0-1.7 1l-1.5-.6L1.8 6l1.3 1a5 5 0 0 0 0 2l-1.3 1 1.4 2.2 1.5-.6' +
    'a5 5 0 0 0 1.7 1l.3 1.6h2.7l.3-1.6a5 5 0 0 0 1.7-1l1.5.6L14.2 10l-1.3-1c.1-.3.1-.6.1-1Z',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.4v3.4M8 5.1v.05',
  moon: 'M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z',
  open: 'M6 3.5H3.5a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V10M9 2.5h4.5V7M13.2 2.8 7.5 8.5',
  plus: 'M8 3v10M3 8h10',
  screen: 'M3 3h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM5.5 13.5h5M8 11v2.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.2 3.2',
  sun:
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1M8 13.5v1' +
    'M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={drawings[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
