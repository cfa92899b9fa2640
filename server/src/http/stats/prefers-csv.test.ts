import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersCsv } from './prefers-csv.ts';

test('sends CSV to those who ask for it', () => {
  const wanting = [
    'text/csv',
    'TEXT/CSV; charset=utf-8',
    'text/*',
    'text/csv, application/json',
    'text/csv, */*',
    'application/json;q=0.5, text/csv;q=0.9',
    'application/json; q=0.9 , text/csv',
    'application/json;q=0, */*',
    '*/*;q=0.8, text/csv;q=0.8',
    'text/csv;header=present;q=0.4, application/json;q=0.399',
  ];
  for (const accept of wanting) assert.equal(prefersCsv(accept), true, accept);
});

test('sends JSON to everybody else', () => {
  const others = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/csv',
    'application/json, text/plain, */*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/csv;q=0',
    'text/csv;q=0.0, */*',
    'text/csv;q=0.5, application/json',
    'text/*;q=0.9, application/*',
    'text/csvx',
    'application/csv',
  ];
  for (const accept of others) assert.equal(prefersCsv(accept), false, String(accept));
});
