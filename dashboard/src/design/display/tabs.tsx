import { useRef } from 'preact/hooks';
import { useChosenInSight } from '#browser/use-chosen-in-sight.ts';
import { useMoreBeside } from '#browser/use-more-beside.ts';
import './tabs.css';

export type Tab<Id extends string> = { id: Id; label: string };

type Props<Id extends string> = {
  label: string;
  tabs: readonly Tab<Id>[];
  selected: Id;
  onSelect: (id: Id) => void;
  /** The id of the panel that the tabs switch. */
  panelId: string;
};

export function Tabs<Id extends string>({ label, tabs, selected, onSelect, panelId }: Props<Id>) {
  const list = useRef<HTMLDivElement>(null);
  useChosenInSight(list, '[aria-selected=true]', selected);
  useMoreBeside(list);

  function onKeyDown(event: KeyboardEvent): void {
    const index = tabs.findIndex(({ id }) => id === selected);
    const steps: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index + tabs.length - 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(tabs[to % tabs.length]!.id);
    const next = list.current?.children[to % tabs.length] as HTMLElement | undefined;
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${panelId}-${tab.id}`}
          class="tab"
          aria-selected={tab.id === selected}
          aria-controls={panelId}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
