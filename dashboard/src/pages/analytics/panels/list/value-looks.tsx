import { DeviceMark } from './device-mark.tsx';
import { Flag } from './flag.tsx';
import { IconMark } from './icon-mark.tsx';
import { iconOfAgent } from './icon-of.ts';
import { SourceMark } from './source-mark.tsx';

/** The mark before a value, for dimensions that have marks. */
export function markOf(dimension: string, value: string) {
  switch (dimension) {
    case 'source':
      return <SourceMark source={value} />;
    case 'country':
      return <Flag code={value} />;
    case 'browser':
    case 'browserVersion':
      return <IconMark icon={iconOfAgent(value, 'otherbrowser')} />;
    case 'os':
    case 'osVersion':
      return <IconMark icon={iconOfAgent(value, 'othersystem')} />;
    case 'device':
      return <DeviceMark device={value} />;
    default:
      return undefined;
  }
}
