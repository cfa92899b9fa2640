import { useEffect, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { Progress } from '#design/display/progress.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useLocale } from '#words/words-context.ts';
import { FirstRecord } from '../integrate/first-record.tsx';
import type { DemoControl } from './use-demo.ts';
import { useWebsiteWords } from './website-words.ts';
import './first-run.css';

type Props = { website: Website; control: DemoControl; open: () => void };

/** Two ways to see the dashboard at work before any code is written. */
export function FirstRun({ website, control, open }: Props) {
  const { firstRun: words } = useWebsiteWords();
  return (
    <Card title={words.title} about={words.about}>
      <div class="first-run">
        <TestView website={website} />
        <LoadDemo control={control} open={open} />
      </div>
    </Card>
  );
}

function TestView({ website: { id } }: { website: Website }) {
  const { firstRun: words } = useWebsiteWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const language = useLocale().slice(0, 2);
  const [state, setState] = useState<'ready' | 'busy' | 'sent'>('ready');
  async function send(): Promise<void> {
    setState('busy');
    const answer = await api.sendTestView(id, { userAgent: navigator.userAgent, language });
    setState(answer.isOk ? 'sent' : 'ready');
    if (!answer.isOk) say(spellFault(answer.fault), { isBad: true });
  }
  return (
    <div class="first-way">
      <h3>{words.test}</h3>
      <p class="muted">{words.testAbout}</p>
      <div class="row">
        <Button kind="primary" isBusy={state === 'busy'} onClick={send}>
          {words.sendTest}
        </Button>
      </div>
      {state === 'sent' && <FirstRecord websiteId={id} />}
    </div>
  );
}

function LoadDemo({ control: { demo, load }, open }: Omit<Props, 'website'>) {
  const { firstRun: words } = useWebsiteWords();
  const format = useFormat();
  const say = useToast();
  const spellFault = useSpellFault();
  const [isBusy, setIsBusy] = useState(false);
  const isLoaded = demo?.state === 'loaded';
  useEffect(() => {
    if (isLoaded) open();
  }, [isLoaded, open]);
  async function begin(): Promise<void> {
    setIsBusy(true);
    const answer = await load();
    setIsBusy(false);
    if (!answer.isOk) say(spellFault(answer.fault), { isBad: true });
  }
  const isLoading = demo?.state === 'loading' || isLoaded;
  const percent = format.number(Math.floor((isLoaded ? 1 : (demo?.done ?? 0)) * 100));
  return (
    <div class="first-way">
      <h3>{words.demo}</h3>
      <p class="muted">{words.demoAbout}</p>
      {isLoading ? (
        <div class="stack-tight" role="status">
          <Progress
            label={words.loading}
            done={isLoaded ? 1 : demo.done}
            all={1}
            valueText={words.loaded(percent)}
          />
          <p class="faint small">{words.loaded(percent)}</p>
        </div>
      ) : (
        <div class="row">
          <Button isBusy={isBusy} onClick={begin}>
            {words.loadDemo}
          </Button>
        </div>
      )}
    </div>
  );
}
