import { useState } from 'preact/hooks';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { CheckBox } from '#design/forms/check-box.tsx';
import type { FieldWiring } from '#design/forms/field.tsx';
import { useUsersWords } from './users-words.ts';

/** Of more websites, people look for one by its name. */
const manyWebsites = 8;

/** The choice of websites that a viewer can see. */
export function WebsitesField({ value, onValue }: FieldWiring<number[]>) {
  const { dialog: words } = useUsersWords();
  const websites = useWebsites().value?.websites ?? [];
  const [search, setSearch] = useState('');
  if (websites.length === 0) return <p class="faint note">{words.noWebsites}</p>;
  const wanted = search.trim().toLocaleLowerCase();
  const found = websites.filter(({ name, domain }) =>
    `${name}\n${domain}`.toLocaleLowerCase().includes(wanted),
  );
  const isMany = websites.length > manyWebsites;
  return (
    <fieldset class="radios user-websites" data-many={isMany}>
      <legend class="unseen">{words.websites}</legend>
      {isMany && (
        <input
          class="input"
          type="search"
          aria-label={words.findWebsite}
          placeholder={words.findWebsite}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          // Enter would save the user.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div class="user-websites-list">
        {found.map(({ id, name }) => (
          <CheckBox
            key={id}
            isChecked={value.includes(id)}
            onChange={(isChecked) =>
              onValue(isChecked ? [...value, id] : value.filter((other) => other !== id))
            }
          >
            {name}
          </CheckBox>
        ))}
        {found.length === 0 && <p class="faint note">{words.nothingFound}</p>}
      </div>
    </fieldset>
  );
}
