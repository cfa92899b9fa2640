/** The logo: a track that runs to the horizon, in the shape of a letter. */
export function Mark({ size }: { size: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="6" fill="var(--accent)" />
      <path
        d="M7 18 10 4M15 18 12 4M7.6 14h6.8M8.6 9.5h4.8"
        stroke="var(--accent-ink)"
        stroke-width="1.7"
        stroke-linecap="round"
        fill="none"
      />
    </svg>
  );
}
