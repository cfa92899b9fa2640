import { Banner } from '#design/display/banner.tsx';
import { useAnswerStatus } from '../ask/use-answer-status.ts';
import { explainDelay } from './explain-delay.ts';
import { useHeadWords } from './head-words.ts';
import './delay-banner.css';

/** Explains why numbers are delayed. They arrive without a reload. */
export function DelayBanner() {
  const { delay } = useAnswerStatus();
  const text = explainDelay(delay, useHeadWords().delay);
  return (
    <div class="delay" role="status">
      {text !== undefined && <Banner kind="warn">{text}</Banner>}
    </div>
  );
}
