import type { Ledger } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { Card } from '#design/display/card.tsx';
import { Table } from '#design/display/table.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useQualityWords } from './quality-words.ts';

/** Lists the numbers that never arrived, or says how to find out. */
export function MissingCard({ ledger: { gaps, numbered } }: { ledger: Ledger }) {
  const { missing: words } = useQualityWords();
  const format = useFormat();
  if (gaps.length === 0)
    return (
      <Card
        title={words.title}
        about={
          numbered > 0 ? words.none : fill(words.unnumbered, { header: <code>Trackside-Sequence</code> })
        }
      />
    );
  return (
    <Card title={words.title} about={words.about}>
      <Table
        caption={words.title}
        rows={gaps}
        keyOf={({ stream, from }) => `${stream} ${from}`}
        columns={[
          { heading: words.sender, cell: ({ stream }) => <code>{stream}</code> },
          { heading: words.hour, isLabelled: true, cell: ({ hour }) => <Ago at={hour} /> },
          {
            heading: words.numbers,
            isNumber: true,
            cell: ({ from, to }) => (from === to ? from : `${from}–${to}`),
          },
          {
            heading: words.records,
            isNumber: true,
            cell: ({ records }) => format.number(records),
          },
        ]}
      />
    </Card>
  );
}
