import { writeFileSync } from 'node:fs';
import { openapiDocument } from '../server/src/http/server/openapi-document.ts';

writeFileSync(new URL('../contract/openapi.yaml', import.meta.url), openapiDocument());
