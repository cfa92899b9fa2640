import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { houses } from './layers/houses.ts';
import { findCycle, readHouse, roomOf, wrongImports } from './layers/read-house.ts';

for (const house of houses) {
  const { files, imports, others, climbing } = readHouse(house);

  test(`${house.folder}: imports only go down the rooms`, () => {
    assert.ok(imports.length > 5, 'expected to find the imports');
    assert.deepEqual(wrongImports(house, imports), []);
  });

  test(`${house.folder}: every room is listed, and every listed room exists`, () => {
    const found = [...new Set(files.map(roomOf))].toSorted();
    assert.deepEqual(found, Object.keys(house.rooms).toSorted());
  });

  test(`${house.folder}: no files import each other in a cycle`, () => {
    assert.equal(findCycle(imports)?.join(' → '), undefined);
  });

  test(`${house.folder}: imports only shared parts of other houses`, () => {
    assert.deepEqual(
      others.filter((target) => !house.others.test(target)),
      [],
    );
  });

  test(`${house.folder}: no import reaches into another room by a path where rooms have names`, () => {
    assert.deepEqual(climbing, []);
  });
}

const [server] = houses;
const { root, files } = readHouse(server!);

/** Returns the files of the server outside these rooms whose text matches. */
function filesWith(pattern: RegExp, { except }: { except: readonly string[] }): string[] {
  return files.filter(
    (file) => !except.includes(roomOf(file)) && pattern.test(readFileSync(join(root, file), 'utf8')),
  );
}

test('people’s changes go through actions, with an entry in the audit log', () => {
  // The type of Control has no other way to write. This checks that nothing uses a wider type.
  assert.deepEqual(filesWith(/\btransact\(/, { except: ['actions', 'removal', 'control'] }), []);
  assert.deepEqual(filesWith(/\bWritableControl\b/, { except: ['control'] }), []);
  assert.deepEqual(filesWith(/\bopenControl\(/, { except: ['control'] }), [
    'node/workers/start-worker.ts',
    'commands/parts/open-own-control.ts',
  ]);
  assert.ok(filesWith(/\btransact\(/, { except: [] }).length > 20, 'expected to find the actions');
});

test('finds an import in the wrong direction, between siblings, or in a cycle', () => {
  const wrong = (from: string, to: string) => wrongImports(server!, [{ from, to }]);
  assert.deepEqual(wrong('time/clock.ts', 'http/answer.ts'), ['time/clock.ts → http/answer.ts']);
  assert.deepEqual(wrong('journal/frame.ts', 'store/open-store.ts'), [
    'journal/frame.ts → store/open-store.ts',
  ]);
  assert.deepEqual(wrong('node/start-node.ts', 'engine/main.ts'), ['node/start-node.ts → engine/main.ts']);
  assert.deepEqual(wrong('http/server/answer.ts', 'control/open-control.ts'), []);
  const ring = [
    { from: 'time/a.ts', to: 'time/b.ts' },
    { from: 'time/b.ts', to: 'time/a.ts' },
  ];
  assert.deepEqual(findCycle(ring), ['time/a.ts', 'time/b.ts', 'time/a.ts']);
});
