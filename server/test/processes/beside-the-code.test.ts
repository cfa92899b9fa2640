import { commandRooms } from '../support/command-rooms.ts';
import { importTests } from '../support/import-tests.ts';
import { recordRooms } from '../support/record-rooms.ts';

// The other rooms have their own processes, so that the three can run at the same time.
importTests(new URL('../../src/', import.meta.url), { except: [...commandRooms, ...recordRooms] });
importTests(new URL('../../../contract/', import.meta.url));
