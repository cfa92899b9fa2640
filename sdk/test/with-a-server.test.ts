import { importTests } from '../../server/test/support/import-tests.ts';
import { shareTracksideOfProcess } from '../../server/test/support/share-trackside.ts';

shareTracksideOfProcess();
importTests(new URL('./with-a-server/', import.meta.url));
