import type { Answers } from '@trackside/contract/stats/answers.ts';
import { useFormat } from '#format/format-context.tsx';
import { spellShare } from '../list/spell-share.ts';
import { describeStep } from './describe-step.ts';
import '../bar-list.css';
import './funnel-steps.css';

type Step = Answers['funnel']['steps'][number];

/** The steps as bars, with the number of visitors who dropped off between them. */
export function FunnelSteps({ steps, isBusy }: { steps: readonly Step[]; isBusy: boolean }) {
  const first = steps[0]?.visitors ?? 0;
  return (
    <div class="bar-list" data-busy={isBusy ? '' : undefined} aria-busy={isBusy}>
      <div class="bar-head" aria-hidden="true">
        <span>Step</span>
        <span>Visitors</span>
      </div>
      <ol class="funnel-steps">
        {steps.map((step, index) => (
          <li key={index}>
            {index > 0 && <Loss from={steps[index - 1]!.visitors} to={step.visitors} />}
            <StepBar number={index + 1} step={step} first={first} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function StepBar({ number, step, first }: { number: number; step: Step; first: number }) {
  const format = useFormat();
  const { kind, name } = describeStep(step.step);
  return (
    <div class="bar-row">
      <span class="bar-fill" style={{ width: `${(step.shareOfFirst ?? 0) * 100}%` }} />
      <div class="bar-button" title={name}>
        <span class="funnel-number" aria-hidden="true">
          {number}
        </span>
        <span class="bar-label cut">
          {kind === 'Event' && <span class="muted">Event </span>}
          {name}
        </span>
        <span class="bar-note">{spellShare(step.visitors, first)}</span>
        <span class="bar-value">{format.number(step.visitors)}</span>
      </div>
    </div>
  );
}

function Loss({ from, to }: { from: number; to: number }) {
  const format = useFormat();
  const lost = from - to;
  return (
    <p class="funnel-loss">
      {lost === 0 ? 'nobody lost' : `${format.number(lost)} lost, ${spellShare(lost, from)}`}
    </p>
  );
}
