import type { Ledger } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { Card } from '#design/display/card.tsx';
import { Table } from '#design/display/table.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { useQualityWords } from './quality-words.ts';

/** Compares the releases of the customer's backend. */
export function ReleasesCard({ releases }: Pick<Ledger, 'releases'>) {
  const { releases: words, counts } = useQualityWords();
  const format = useFormat();
  if (releases.every(({ release }) => release === null))
    return <Card title={words.title} about={fill(words.none, { header: <code>Trackside-Release</code> })} />;
  return (
    <Card title={words.title}>
      <Table
        caption={words.title}
        rows={releases}
        keyOf={({ release }) => release ?? ''}
        columns={[
          { heading: words.release, cell: ({ release }) => <b>{release ?? words.without}</b> },
          { heading: words.first, isLabelled: true, cell: ({ firstAt }) => <Ago at={firstAt} /> },
          { heading: words.sent, isNumber: true, cell: ({ sent }) => format.number(sent) },
          ...(['refused', 'missing'] as const).map((kind) => ({
            heading: counts[kind],
            isNumber: true,
            cell: (release: Ledger['releases'][number]) => format.number(release[kind]),
          })),
        ]}
      />
    </Card>
  );
}
