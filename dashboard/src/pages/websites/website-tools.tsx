import { Icon } from '#design/display/icon.tsx';
import { isSorting, type Sorting, sortings } from './arrange-websites.ts';
import { useWebsitesWords } from './websites-words.ts';

type Props = {
  search: string;
  sorting: Sorting;
  onChange: (view: { search: string; sorting: Sorting }) => void;
};

/** Finds websites and puts them in order. */
export function WebsiteTools({ search, sorting, onChange }: Props) {
  const { tools: words } = useWebsitesWords();
  return (
    <search class="website-tools">
      <label class="website-search">
        <Icon name="search" />
        <input
          class="input"
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          autocomplete="off"
          spellcheck={false}
          value={search}
          onInput={(event) => onChange({ search: event.currentTarget.value, sorting })}
        />
      </label>
      <label class="website-sort">
        <span>{words.sort}</span>
        <select
          class="input"
          value={sorting}
          onChange={({ currentTarget: { value } }) =>
            isSorting(value) && onChange({ search, sorting: value })
          }
        >
          {sortings.map((one) => (
            <option key={one} value={one}>
              {words.sortings[one]}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}
