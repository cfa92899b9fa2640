/** A funnel icon, which stands for filtering. */
export function FilterMark() {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d="M2.5 3h11L9.3 8.2v4L6.7 13.5V8.2L2.5 3Z"
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
        stroke-linejoin="round"
      />
    </svg>
  );
}
