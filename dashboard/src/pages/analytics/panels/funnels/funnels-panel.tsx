import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Funnel } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Button } from '#design/forms/button.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { useNear } from '../../ask/use-near.ts';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { usePanelTab } from '../use-panel-tab.ts';
import { FunnelDialog } from './funnel-dialog.tsx';
import { FunnelMenu } from './funnel-menu.tsx';
import { FunnelSkeleton } from './funnel-skeleton.tsx';
import { FunnelView } from './funnel-view.tsx';
import { useFunnelsWords } from './funnels-words.ts';
import { NoFunnels } from './no-funnels.tsx';
import { OrderDialog } from './order-dialog.tsx';
import { RemoveFunnelDialog } from './remove-funnel-dialog.tsx';

/** With more funnels or longer names than this, a menu replaces the tabs. */
const mostTabs = 3;
const mostTabLetters = 40;

/** How far visitors get in each funnel. Public pages don't show funnels, because they belong to the owner. */
export function FunnelsPanel() {
  return useAnalytics().isShared ? null : <OwnFunnels />;
}

function OwnFunnels() {
  const api = useApi();
  const words = useFunnelsWords();
  const { website, canEdit } = useAnalytics();
  const [ref, isNear] = useNear();
  const saved = useResource(`funnels ${website.id}`, (signal) => api.funnels(website.id, signal));
  const funnels = saved.value?.funnels;
  const [selectedId, setSelectedId] = usePanelTab('funnel', funnels?.map(({ id }) => String(id)) ?? []);
  const [open, setOpen] = useState<'new' | 'edit' | 'order' | 'remove'>();
  const funnel = funnels?.find(({ id }) => String(id) === selectedId) ?? funnels?.[0];

  function onSaved(one: Funnel): void {
    const others = funnels ?? [];
    const isNew = others.every(({ id }) => id !== one.id);
    saved.set({
      funnels: isNew ? [...others, one] : others.map((last) => (last.id === one.id ? one : last)),
    });
    setSelectedId(String(one.id));
    setOpen(undefined);
  }
  function onRemoved(removed: Funnel): void {
    saved.set({ funnels: (funnels ?? []).filter(({ id }) => id !== removed.id) });
    setOpen(undefined);
  }
  const letters = funnels?.reduce((sum, { name }) => sum + name.length, 0) ?? 0;
  const hasTabs =
    funnels !== undefined && funnel !== undefined && funnels.length <= mostTabs && letters <= mostTabLetters;
  return (
    <Panel
      title={words.title}
      {...(hasTabs && {
        tabs: funnels.map(({ id, name }) => ({ id: String(id), label: name })),
        selected: String(funnel.id),
        onSelect: setSelectedId,
      })}
      aside={
        <>
          {funnels !== undefined && funnel !== undefined && !hasTabs && (
            <FunnelMenu funnels={funnels} selected={funnel} onSelect={(id) => setSelectedId(String(id))} />
          )}
          {canEdit && funnel !== undefined && (
            <Button
              kind="quiet"
              isSmall
              isIconOnly
              icon="plus"
              title={words.new}
              onClick={() => setOpen('new')}
            >
              {words.new}
            </Button>
          )}
        </>
      }
      // Its line is there while the funnels load, so that nothing moves when they do.
      foot={
        canEdit && funnels?.length !== 0 ? (
          funnel === undefined ? null : (
            <>
              <button type="button" class="panel-more" onClick={() => setOpen('edit')}>
                {words.edit}
              </button>
              {funnels !== undefined && funnels.length > 1 && (
                <button type="button" class="panel-more" onClick={() => setOpen('order')}>
                  {words.reorder}
                </button>
              )}
              <button type="button" class="panel-more" onClick={() => setOpen('remove')}>
                {words.remove}
              </button>
            </>
          )
        ) : undefined
      }
    >
      <div ref={ref}>
        {funnels === undefined &&
          (saved.fault === undefined ? (
            <FunnelSkeleton steps={4} />
          ) : (
            <ListFault fault={saved.fault} limit={8} onRetry={saved.reload} />
          ))}
        {funnels?.length === 0 && <NoFunnels canEdit={canEdit} onAdd={() => setOpen('new')} />}
        {funnel !== undefined && <FunnelView key={JSON.stringify(funnel)} funnel={funnel} isNear={isNear} />}
      </div>
      {(open === 'new' || open === 'edit') && (
        <FunnelDialog
          funnel={open === 'edit' ? funnel : undefined}
          onSaved={onSaved}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'order' && funnels !== undefined && (
        <OrderDialog
          funnels={funnels}
          onArranged={(arranged) => {
            saved.set({ funnels: [...arranged] });
            setOpen(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'remove' && funnel !== undefined && (
        <RemoveFunnelDialog funnel={funnel} onRemoved={onRemoved} onClose={() => setOpen(undefined)} />
      )}
    </Panel>
  );
}
