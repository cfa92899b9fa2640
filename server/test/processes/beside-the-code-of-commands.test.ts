import { describe } from 'node:test';
import { commandRooms } from '../support/command-rooms.ts';
import { importTests } from '../support/import-tests.ts';

for (const room of commandRooms) {
  describe(room, () => importTests(new URL(`../../src/${room}/`, import.meta.url)));
}
