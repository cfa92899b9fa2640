/** Opens the filter builder, as its key does. */
export function FilterButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="button button-ghost" aria-keyshortcuts="/" onClick={onClick}>
      Filter
      <span class="tool-key" aria-hidden="true">
        /
      </span>
    </button>
  );
}
