/** Opens the filter dialog, like the key that it shows. */
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
