import { LookMark } from './look-mark.tsx';
import { lookOf } from './source-looks.ts';

/** A small icon or letter that makes a source easy to spot. */
export const SourceMark = ({ source }: { source: string }) => <LookMark look={lookOf(source)} />;
