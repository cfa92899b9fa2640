import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type Tab, Tabs } from '#design/display/tabs.tsx';
import { useHeldHeight } from './use-held-height.ts';
import './panel.css';

type Props<Id extends string> = {
  title: string;
  /** The views of the panel. One of them is `selected`. */
  tabs?: readonly Tab<Id>[] | undefined;
  selected?: Id | undefined;
  onSelect?: ((id: Id) => void) | undefined;
  /** Whether the panel takes the whole width of the page. */
  isWide?: boolean | undefined;
  /** Shown at the right of the head. */
  aside?: ComponentChildren;
  children: ComponentChildren;
  /** Shown at the bottom: a link to more. Null leaves room for what is still loading. */
  foot?: ComponentChildren;
};

/**
 * A card of the analytics page, with a title, tabs beside it, and a body that keeps its size while it loads.
 */
export function Panel<Id extends string>(props: Props<Id>) {
  const { title, tabs, selected, onSelect, isWide, aside, children, foot } = props;
  const id = useId();
  const [ref, letGo] = useHeldHeight(`${title} ${selected ?? ''}`);
  const hasTabs = tabs !== undefined && selected !== undefined && onSelect !== undefined;
  return (
    <section
      ref={ref}
      class={isWide ? 'card panel panel-wide' : 'card panel'}
      aria-labelledby={`${id}-title`}
    >
      <div class="panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {hasTabs && (
          <Tabs
            label={title}
            tabs={tabs}
            selected={selected}
            onSelect={(tab) => {
              letGo();
              onSelect(tab);
            }}
            panelId={id}
          />
        )}
        {aside !== undefined && <div class="panel-aside">{aside}</div>}
      </div>
      <div
        class="panel-body"
        {...(hasTabs && { id, role: 'tabpanel', 'aria-labelledby': `${id}-${selected}` })}
      >
        {children}
      </div>
      {foot !== undefined && <div class="panel-foot">{foot}</div>}
    </section>
  );
}
