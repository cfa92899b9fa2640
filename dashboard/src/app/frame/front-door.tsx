import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Mark } from './mark.tsx';
import './front-door.css';

type Props = {
  title: string;
  about?: ComponentChildren;
  children: ComponentChildren;
  foot?: ComponentChildren;
};

/** The layout of the pages before signing in: one small form in the middle. */
export function FrontDoor({ title, about, children, foot }: Props) {
  useEffect(() => {
    document.title = `${title} · Trackside`;
  }, [title]);
  return (
    <div class="door">
      <Mark size={40} />
      <h1 tabIndex={-1}>{title}</h1>
      {about && <p class="door-about">{about}</p>}
      <div class="card door-card">{children}</div>
      {foot && <p class="door-foot">{foot}</p>}
    </div>
  );
}
