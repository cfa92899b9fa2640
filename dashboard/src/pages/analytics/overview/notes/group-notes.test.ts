import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Note } from '#api/shapes.ts';
import { groupNotes } from './group-notes.ts';

type Shape = Parameters<typeof groupNotes>[1];

const note = (id: number, day: string): Note => ({
  id,
  day,
  text: `note ${id}`,
  author: 'owner@example.com',
  createdAt: '2026-11-01T00:00:00.000Z',
});
const indexes = (groups: ReturnType<typeof groupNotes>) =>
  groups.map(({ index, notes }) => [index, notes.map(({ id }) => id)]);

test('puts a note at its day, and several notes of a day together', () => {
  const series: Shape = {
    interval: 'day',
    times: ['2026-11-01', '2026-11-02', '2026-11-03'],
    period: { from: '2026-11-01', to: '2026-11-03' },
  };
  const notes = [note(1, '2026-11-03'), note(2, '2026-11-01'), note(3, '2026-11-03'), note(4, '2026-11-04')];
  assert.deepEqual(indexes(groupNotes(notes, series)), [
    [0, [2]],
    [2, [1, 3]],
  ]);
});

test('puts a note at its week, but only if its day is in the period', () => {
  const series: Shape = {
    interval: 'week',
    times: ['2026-10-26', '2026-11-02'],
    period: { from: '2026-10-28', to: '2026-11-05' },
  };
  const notes = [note(1, '2026-10-27'), note(2, '2026-11-04'), note(3, '2026-11-07')];
  assert.deepEqual(indexes(groupNotes(notes, series)), [[1, [2]]]);
});

test('puts a note at the first hour of its day', () => {
  const series: Shape = {
    interval: 'hour',
    times: ['2026-11-02T23:00', '2026-11-03T00:00', '2026-11-03T01:00'],
    period: { from: '2026-11-02', to: '2026-11-03' },
  };
  assert.deepEqual(indexes(groupNotes([note(1, '2026-11-03')], series)), [[1, [1]]]);
});
