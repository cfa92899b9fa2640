import { lookOfBrowser, lookOfSystem } from './agent-looks.ts';
import { DeviceMark } from './device-mark.tsx';
import { Flag } from './flag.tsx';
import type { Look } from './look.ts';
import { LookMark } from './look-mark.tsx';
import { lookOf } from './source-looks.ts';

/** The mark before a value, for dimensions that have marks. */
export function markOf(dimension: string, value: string) {
  switch (dimension) {
    case 'source':
      return <LookMark look={lookOf(value)} />;
    case 'country':
      return value === '' ? undefined : <Flag code={value} />;
    case 'browser':
    case 'browserVersion':
      return <LookMark look={lookOfBrowser(value) ?? lookOfOther(value)} />;
    case 'os':
    case 'osVersion':
      return <LookMark look={lookOfSystem(value) ?? lookOfOther(value)} />;
    case 'device':
      return <DeviceMark device={value} />;
    default:
      return undefined;
  }
}

const lookOfOther = (name: string): Look => (name === '' ? { letter: '?', colour: '#6b7772' } : lookOf(name));
