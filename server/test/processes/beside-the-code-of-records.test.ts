import { describe } from 'node:test';
import { importTests } from '../support/import-tests.ts';
import { recordRooms } from '../support/record-rooms.ts';

for (const room of recordRooms) {
  describe(room, () => importTests(new URL(`../../src/${room}/`, import.meta.url)));
}
