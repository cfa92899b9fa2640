import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToolOptions } from '../../bench/tool-options.ts';

const tool = {
  command: 'npm run tool',
  about: 'Does something.',
  options: {
    rounds: { fallback: 3, help: 'how often' },
    mode: { fallback: 'all', help: 'what' },
    folder: { help: 'where' },
  },
} as const;
const parse = (...words: string[]) => parseToolOptions(tool, words);

test('reads numbers and texts, and has a value for what is left out', () => {
  assert.deepEqual(parse(), { values: { rounds: 3, mode: 'all', folder: undefined } });
  assert.deepEqual(parse('--rounds', '12', '--folder=f', '--mode', ''), {
    values: { rounds: 12, mode: '', folder: 'f' },
  });
});

test('says what is wrong with a command line, and what it could be', () => {
  for (const words of [['--rounds', ''], ['--rounds', '1.5'], ['--rounds=-1'], ['--rounds', '1e3']]) {
    const read = parse(...words);
    assert.ok('code' in read && read.code === 2, words.join(' '));
    assert.match(
      read.text,
      /^--rounds: expected a whole number, got ".*"\.\n\nnpm run tool -- \[options\]\n/,
    );
  }
  for (const words of [['--round', '3'], ['3'], ['--folder']]) {
    const read = parse(...words);
    assert.ok('code' in read && read.code === 2, words.join(' '));
  }
});

test('explains itself', () => {
  const help = parse('--help', '--rounds', '2');
  assert.deepEqual(help, {
    code: 0,
    text: `npm run tool -- [options]

Does something.

Options:
  --rounds  how often (default: 3)
  --mode    what (default: all)
  --folder  where
`,
  });
});
