import type { Funnel } from '#api/shapes.ts';
import { Icon } from '#design/display/icon.tsx';
import { Menu } from '#design/overlays/menu.tsx';
import './funnel-steps.css';

type Props = { funnels: readonly Funnel[]; selected: Funnel; onSelect: (id: number) => void };

/** The choice among many funnels. */
export function FunnelMenu({ funnels, selected, onSelect }: Props) {
  return (
    <Menu
      label="Funnels"
      buttonClass="button button-ghost button-small funnel-button"
      button={
        <>
          <span class="unseen">Switch funnel, now </span>
          <span class="cut">{selected.name}</span>
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
