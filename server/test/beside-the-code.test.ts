import { importTests } from './support/import-tests.ts';
import { recordRooms } from './support/record-rooms.ts';

// Tests that start processes and engines are left to the runner, which gives each file its own process and
// runs several at a time.
importTests(new URL('../src/', import.meta.url), { except: ['commands', 'demo', 'node', ...recordRooms] });
importTests(new URL('../../contract/', import.meta.url));
