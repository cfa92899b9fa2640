import { useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import type { Tab } from '#design/display/tabs.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useNear } from '../../ask/use-near.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { isPartOfDays, wholeDays } from '../whole-days.ts';
import { AllBotsDialog } from './all-bots-dialog.tsx';
import { BotDialog } from './bot-dialog.tsx';
import { isAiBot } from './is-ai-bot.ts';
import { useBotRows } from './use-bot-rows.ts';

const limit = 8;
const asked = 200;
const tabs: readonly Tab<'all' | 'ai'>[] = [
  { id: 'all', label: 'All' },
  { id: 'ai', label: 'AI crawlers' },
];

/** Bots and AI crawlers, which a script in the page would never see. */
export function BotsPanel() {
  const { shown, isShared } = useAnalytics();
  const format = useFormat();
  const [ref, isNear] = useNear();
  const [tab, setTab] = useState<'all' | 'ai'>('all');
  const [openKey, setOpenKey] = useState<string>();
  const [isAllOpen, setIsAllOpen] = useState(false);
  const { answer, fault, isBusy, retry } = useAnswer('bots', (_view, period) =>
    isNear ? { period: wholeDays(period), dimensions: ['bot'], limit: asked } : undefined,
  );
  const all = useBotRows(answer);
  const rows = tab === 'all' ? all : all?.filter(({ key }) => isAiBot(key));
  const bot = all?.find(({ key }) => key === openKey);
  const total = tab === 'all' ? answer?.totalRows : rows?.length;
  return (
    <Panel
      title="Bots"
      tabs={tabs}
      selected={tab}
      onSelect={setTab}
      isWide={isShared}
      foot={
        <>
          <span class="faint">
            {isPartOfDays(shown.period) && 'Whole days. '}
            {shown.filters.length > 0 && 'Not filtered. '}
            Bots are excluded everywhere else.
          </span>
          {total !== undefined && total > limit && (
            <button type="button" class="panel-more" onClick={() => setIsAllOpen(true)}>
              All{'\u00a0'}
              {format.number(total)} <Icon name="arrow" />
            </button>
          )}
        </>
      }
    >
      <div ref={ref}>
        {answer === undefined && fault !== undefined ? (
          <ListFault fault={fault} limit={limit} onRetry={retry} />
        ) : (
          <BarList
            heading="Bot"
            unit="Records"
            rows={rows}
            limit={limit}
            isBusy={isBusy}
            onSelect={setOpenKey}
            empty={tab === 'all' ? 'No bots in this period' : 'No AI crawlers in this period'}
          />
        )}
      </div>
      {isAllOpen && rows !== undefined && bot === undefined && (
        <AllBotsDialog rows={rows} onSelect={setOpenKey} onClose={() => setIsAllOpen(false)} />
      )}
      {bot !== undefined && <BotDialog bot={bot} onClose={() => setOpenKey(undefined)} />}
    </Panel>
  );
}
