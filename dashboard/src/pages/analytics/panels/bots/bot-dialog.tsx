import { Button } from '#design/forms/button.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useFormat } from '#format/format-context.tsx';
import { showPath } from '#format/show-value.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import { type BarItem, BarList } from '../bar-list.tsx';
import { ListFault } from '../list/list-fault.tsx';
import { useReportsWords } from '../reports-words.ts';
import { wholeDays } from '../whole-days.ts';

const asked = 100;
const room = 8;

/** The pages that one bot requested. */
export function BotDialog({ bot, onClose }: { bot: BarItem; onClose: () => void }) {
  const format = useFormat();
  const words = useReportsWords().bots;
  const { answer, fault, retry } = useAnswer('bots', (_view, period) => ({
    period: wholeDays(period),
    bot: bot.key,
    dimensions: ['page'],
    limit: asked,
  }));
  const rows = answer?.rows.map(({ dimensions: { page = '' }, records }) => ({
    key: page,
    label: showPath(page),
    value: records,
  }));
  return (
    <Dialog title={bot.label} onClose={onClose}>
      <p class="muted">
        {format.count(bot.value, words.records)} · {bot.note}
      </p>
      {answer === undefined && fault !== undefined ? (
        <ListFault fault={fault} limit={room} onRetry={retry} />
      ) : (
        <BarList
          heading={words.page}
          unit={words.unit}
          rows={rows}
          total={bot.value}
          limit={Math.max(room, rows?.length ?? 0)}
          isWhole
        />
      )}
      {answer !== undefined && answer.totalRows > asked && (
        <p class="faint note">
          {words.mostRequested({ shown: format.number(asked), all: format.number(answer.totalRows) })}
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}
