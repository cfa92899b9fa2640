import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const urlOf = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

test('a signal that arrives when the start has just ended is not lost', () => {
  const script = `
    const { endAtSignal } = await import(${urlOf('./end-at-signal.ts')});
    const { firstSignal } = await import(${urlOf('./first-signal.ts')});
    const letSignalsPass = endAtSignal();
    setTimeout(() => console.log('lost'), 300_000);
    process.kill(process.pid, 'SIGTERM');
    await firstSignal(() => console.log('stopping'), letSignalsPass);
    process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(stdout, 'stopping\n');
});
