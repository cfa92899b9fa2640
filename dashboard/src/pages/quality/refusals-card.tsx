import type { Ledger, LedgerRefusal } from '#api/shapes.ts';
import { Ago } from '#design/display/ago.tsx';
import { Card } from '#design/display/card.tsx';
import { useFormat } from '#format/format-context.tsx';
import { spellPart } from '#format/spell-part.ts';
import { fill } from '#words/fill.ts';
import { findOrigin } from './find-origin.ts';
import { useQualityWords } from './quality-words.ts';

/** Lists why records were refused, by field. */
export function RefusalsCard({ ledger }: { ledger: Ledger }) {
  const { refusals: words } = useQualityWords();
  const { refusals } = ledger;
  return (
    <Card title={words.title} about={refusals.length === 0 ? words.none : words.about}>
      {refusals.length > 0 && (
        <ol class="refusals">
          {refusals.map((refusal) => (
            <Refusal
              key={`${refusal.code} ${refusal.field} ${refusal.expected} ${refusal.got}`}
              refusal={refusal}
              ledger={ledger}
            />
          ))}
        </ol>
      )}
    </Card>
  );
}

function Refusal({ refusal, ledger }: { refusal: LedgerRefusal; ledger: Ledger }) {
  const words = useQualityWords();
  const format = useFormat();
  const { field, expected, got, records, releases } = refusal;
  const origin = findOrigin(refusal, ledger.releases);
  return (
    <li>
      <div class="refusal-head">
        <h3 class="grow">{field === null ? words.refusals.other : <code>{field}</code>}</h3>
        <b>{format.number(records)}</b>
        <span class="faint refusal-share">{spellPart(records, ledger.totals.sent, format)}</span>
      </div>
      {origin !== undefined && (
        <p class="refusal-origin">
          {(got === 'nothing' ? words.refusals.lacking : words.refusals.wrong)(
            origin.release,
            spellPart(origin.records, origin.sent, format),
          )}
        </p>
      )}
      {expected !== null && (
        // As the API says it, so that it can be found in the logs of the backend.
        <p>
          <code lang="en">
            expected {expected}, got {got}
          </code>
        </p>
      )}
      <p class="muted note">
        {fill(words.refusals.seen, {
          first: <Ago at={refusal.firstAt} />,
          last: <Ago at={refusal.lastAt} />,
        })}{' '}
        {releases.some(({ release }) => release !== null) &&
          words.refusals.releases(
            releases.map((one) =>
              words.refusals.ofRelease(
                one.release ?? words.releases.without,
                format.number(one.records),
                format.number(one.sent),
              ),
            ),
          )}
      </p>
    </li>
  );
}
