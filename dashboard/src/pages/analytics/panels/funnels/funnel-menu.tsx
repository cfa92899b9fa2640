import type { Funnel } from '#api/shapes.ts';
import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import { useFunnelsWords } from './funnels-words.ts';
import './funnel-steps.css';

type Props = { funnels: readonly Funnel[]; selected: Funnel; onSelect: (id: number) => void };

/** The choice among many funnels. */
export function FunnelMenu({ funnels, selected, onSelect }: Props) {
  const words = useFunnelsWords();
  return (
    <Menu
      label={words.title}
      buttonClass="button button-ghost button-small funnel-button"
      button={
        <>
          <span class="unseen">{words.switch(selected.name)}</span>
          <span class="cut" aria-hidden="true">
            {selected.name}
          </span>
          <Icon name="chevron" />
        </>
      }
      items={funnels.map(({ id, name }) => ({
        kind: 'action',
        label: name,
        onSelect: () => onSelect(id),
      }))}
    />
  );
}
