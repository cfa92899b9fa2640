import type { Answers } from '@trackside/contract/stats/answers.ts';
import { VisitorText } from '#design/display/visitor-text.tsx';
import { useFormat } from '#format/format-context.tsx';
import { fill } from '#words/fill.ts';
import { spellShare } from '../list/spell-share.ts';
import { describeStep } from './describe-step.ts';
import { useFunnelsWords } from './funnels-words.ts';
import '../bar-list.css';
import './funnel-steps.css';

type Step = Answers['funnel']['steps'][number];

/** The steps as bars, with the number of visitors who dropped off between them. */
export function FunnelSteps({ steps, isBusy }: { steps: readonly Step[]; isBusy: boolean }) {
  const words = useFunnelsWords();
  const first = steps[0]?.visitors ?? 0;
  return (
    <div class="bar-list" data-busy={isBusy ? '' : undefined} aria-busy={isBusy}>
      <div class="bar-head" aria-hidden="true">
        <span>{words.step}</span>
        <span>{words.visitors}</span>
      </div>
      <ol class="funnel-steps">
        {steps.map((step, index) => (
          <li key={index}>
            {index > 0 && steps[index - 1]!.visitors > 0 && (
              <Loss from={steps[index - 1]!.visitors} to={step.visitors} />
            )}
            <StepBar number={index + 1} step={step} first={first} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepBar({ number, step, first }: { number: number; step: Step; first: number }) {
  const format = useFormat();
  const words = useFunnelsWords();
  const { kind, name } = describeStep(step.step, words);
  const shown = <VisitorText text={name} />;
  return (
    <div class="bar-row">
      <span class="bar-fill" style={{ width: `${(step.shareOfFirst ?? 0) * 100}%` }} />
      <div class="bar-button" title={name}>
        <span class="funnel-number" aria-hidden="true">
          {number}
        </span>
        <span class="bar-label cut">
          {kind === 'page'
            ? shown
            : fill(words.event, { kind: <span class="muted">{words.eventKind}</span>, name: shown })}
        </span>
        <span class="bar-note">{spellShare(step.visitors, first, format)}</span>
        <span class="bar-value">{format.number(step.visitors)}</span>
      </div>
    </div>
  );
}

function Loss({ from, to }: { from: number; to: number }) {
  const format = useFormat();
  const words = useFunnelsWords();
  const lost = from - to;
  return (
    <p class="funnel-loss">
      {lost === 0
        ? words.nobodyDroppedOff
        : words.droppedOff({ count: format.number(lost), share: spellShare(lost, from, format) })}
    </p>
  );
}
