import { useWebsites } from '#app/frame/websites-context.tsx';
import { CheckBox } from '#design/forms/check-box.tsx';

type Props = { value: readonly number[]; onValue: (value: number[]) => void };

/** Which websites a viewer sees. */
export function WebsitesField({ value, onValue }: Props) {
  const websites = useWebsites().value?.websites ?? [];
  if (websites.length === 0) return <p class="faint note">There is no website yet.</p>;
  return (
    <fieldset class="radios">
      <legend class="unseen">Websites</legend>
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
