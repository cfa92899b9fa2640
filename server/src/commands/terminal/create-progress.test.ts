import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from './create-progress.ts';

function openTerminal(isTTY = true) {
  const texts: string[] = [];
  return { isTTY, columns: 20, texts, write: (text: string) => texts.push(text) };
}
const clear = '\r\u001b[K';

test('writes lines one below the other', () => {
  const terminal = openTerminal();
  const { show, end } = createProgress({ terminal, isSilent: false });
  show('one');
  show('two');
  end();
  assert.deepEqual(terminal.texts, ['one\n', 'two\n']);
});

test('replaces a passing line with the next one', () => {
  const terminal = openTerminal();
  const { show, end } = createProgress({ terminal, isSilent: false });
  show('1 %', { isPassing: true });
  show('2 %', { isPassing: true });
  show('done');
  end();
  assert.deepEqual(terminal.texts, ['1 %', clear, '2 %', clear, 'done\n']);
});

test('removes the last passing line at the end', () => {
  const terminal = openTerminal();
  const { show, end } = createProgress({ terminal, isSilent: false });
  show('99 %', { isPassing: true });
  end();
  end();
  assert.deepEqual(terminal.texts, ['99 %', clear]);
});

test('cuts off a passing line that the terminal would wrap', () => {
  const terminal = openTerminal();
  createProgress({ terminal, isSilent: false }).show('x'.repeat(30), { isPassing: true });
  assert.deepEqual(terminal.texts, ['x'.repeat(19)]);
});

test('writes nothing with --json, or when nobody is watching', () => {
  for (const [terminal, isSilent] of [
    [openTerminal(), true],
    [openTerminal(false), false],
  ] as const) {
    const { show, end } = createProgress({ terminal, isSilent });
    show('one');
    show('two', { isPassing: true });
    end();
    assert.deepEqual(terminal.texts, []);
  }
});
