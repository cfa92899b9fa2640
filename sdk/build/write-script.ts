import { writeFileSync } from 'node:fs';
import { makeScriptModule } from './make-script.ts';

writeFileSync(new URL('../src/script/script-text.ts', import.meta.url), await makeScriptModule());
