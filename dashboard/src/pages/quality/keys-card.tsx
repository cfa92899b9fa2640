import type { Ledger } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { Table } from '#design/display/table.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useQualityWords } from './quality-words.ts';

/** Shows that records still come in with an old API key. */
export function KeysCard({ keys }: Pick<Ledger, 'keys'>) {
  const { keys: words, releases } = useQualityWords();
  const format = useFormat();
  if (keys.every(({ isCurrent }) => isCurrent)) return null;
  return (
    <Card title={words.title} about={words.about}>
      <Table
        caption={words.title}
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: words.key,
            cell: ({ id, masked, isCurrent }) => (
              <>
                <code>{masked ?? id}</code> {isCurrent ? words.current : words.old}
              </>
            ),
          },
          {
            heading: releases.sent,
            isNumber: true,
            cell: ({ sent }) => format.number(sent),
          },
        ]}
      />
    </Card>
  );
}
