import { useWebsites } from '#app/frame/websites-context.tsx';
import { CheckBox } from '#design/forms/check-box.tsx';
import type { FieldWiring } from '#design/forms/field.tsx';
import { useUsersWords } from './users-words.ts';

/** The choice of websites that a viewer can see. */
export function WebsitesField({ value, onValue }: FieldWiring<number[]>) {
  const { dialog: words } = useUsersWords();
  const websites = useWebsites().value?.websites ?? [];
  if (websites.length === 0) return <p class="faint note">{words.noWebsites}</p>;
  return (
    <fieldset class="radios user-websites">
      <legend class="unseen">{words.websites}</legend>
      {websites.map(({ id, name }) => (
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
    </fieldset>
  );
}
