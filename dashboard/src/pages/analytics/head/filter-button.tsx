import { useHeadWords } from './head-words.ts';

/** Opens the filter dialog, like the key that it shows. */
export function FilterButton({ onClick }: { onClick: () => void }) {
  const words = useHeadWords().filter;
  return (
    <button type="button" class="button button-ghost" aria-keyshortcuts="/" onClick={onClick}>
      {words.button}
      <span class="tool-key" aria-hidden="true">
        /
      </span>
    </button>
  );
}
