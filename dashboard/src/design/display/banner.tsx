import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import './banner.css';

type Kind = 'info' | 'warn' | 'bad' | 'good';

const icons: Record<Kind, IconName> = { info: 'info', warn: 'alert', bad: 'alert', good: 'check' };

export function Banner({ kind, children }: { kind: Kind; children: ComponentChildren }) {
  return (
    <div class={`banner banner-${kind}`}>
      <Icon name={icons[kind]} />
      <div class="grow">{children}</div>
    </div>
  );
}
