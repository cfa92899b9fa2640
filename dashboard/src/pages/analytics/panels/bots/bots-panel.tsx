import { useState } from 'preact/hooks';
import { Icon } from '#design/display/icon.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useAnalytics } from '../../analytics-context.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { useNear } from '../../ask/use-near.ts';
import { BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { Panel } from '../panel.tsx';
import { useReportsWords } from '../reports-words.ts';
import { usePanelTab } from '../use-panel-tab.ts';
import { isPartOfDays, wholeDays } from '../whole-days.ts';
import { AllBotsDialog } from './all-bots-dialog.tsx';
import { BotDialog } from './bot-dialog.tsx';
import { isAiBot } from './is-ai-bot.ts';
import { useBotRows } from './use-bot-rows.ts';

const limit = 8;
const asked = 200;
const botTabs = ['all', 'ai'] as const;

/** Bots and AI crawlers, which a script in the page would never see. */
export function BotsPanel() {
  const { shown, isShared } = useAnalytics();
  const format = useFormat();
  const words = useReportsWords().bots;
  const tabs = botTabs.map((id) => ({ id, label: words[id] }));
  const [ref, isNear] = useNear();
  const [tab, setTab] = usePanelTab('bots', botTabs);
  const [openKey, setOpenKey] = useState<string>();
  const [isAllOpen, setIsAllOpen] = useState(false);
  const { answer, fault, isBusy, retry } = useAnswer('bots', (_view, period) =>
    isNear ? { period: wholeDays(period), dimensions: ['bot'], limit: asked } : undefined,
  );
  const all = useBotRows(answer);
  const rows = tab === 'all' ? all : all?.filter(({ key }) => isAiBot(key));
  const bot = all?.find(({ key }) => key === openKey);
  const total = tab === 'all' ? answer?.totalRows : rows?.length;
  const about = [
    ...(isPartOfDays(shown.period) ? [words.wholeDays] : []),
    ...(shown.filters.length > 0 ? [words.unfiltered] : []),
    words.about,
  ];
  return (
    <Panel
      title={words.title}
      tabs={tabs}
      selected={tab}
      onSelect={setTab}
      isWide={isShared}
      // Rendered all at once, because the content would make way for the button.
      foot={
        total === undefined && fault === undefined ? null : (
          <>
            <span class="faint">{about.join(' ')}</span>
            {total !== undefined && total > limit && (
              <button type="button" class="panel-more" onClick={() => setIsAllOpen(true)}>
                {words.allBots(format.number(total))} <Icon name="arrow" />
              </button>
            )}
          </>
        )
      }
    >
      <div ref={ref}>
        {answer === undefined && fault !== undefined ? (
          <ListFault fault={fault} limit={limit} onRetry={retry} />
        ) : (
          <BarList
            heading={words.bot}
            unit={words.unit}
            rows={rows}
            limit={limit}
            isBusy={isBusy}
            onSelect={setOpenKey}
            empty={tab === 'all' ? words.noBots : words.noAi}
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
