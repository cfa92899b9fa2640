import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePythonClient } from './write-python-client.ts';

const program = `
import json, sys, urllib.error
from client import Client

client = Client(sys.argv[1], {"Authorization": "Bearer " + sys.argv[2]})
counts = client.query({"period": "today", "metrics": ["pageViews"], "dimensions": ["page"]})
funnel = client.funnel({"period": "today", "steps": [{"page": "/"}, {"event": "Signup"}]})
try:
    client.query({"period": "today", "limit": 0})
    refused = None
except urllib.error.HTTPError as error:
    refused = json.load(error)["fault"]
print(json.dumps({
    "views": counts.rows[0].metrics["pageViews"],
    "visitors": [step.visitors for step in funnel.steps],
    "minutes": len(client.live({}).minutes),
    "code": client.health().code,
    "refused": refused,
}))
`;

export const hasPython = spawnSync('python3', ['-c', 'print(1)'], { encoding: 'utf8' }).stdout === '1\n';

/** Generates a client, and runs a program that uses it. Its readers refuse answers that do not fit. */
export async function tryPythonClient(origin: string, token: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-client-'));
  try {
    writeFileSync(join(folder, 'client.py'), writePythonClient());
    writeFileSync(join(folder, 'program.py'), program);
    const running = spawn('python3', ['-B', 'program.py', origin, token], { cwd: folder });
    const said = { stdout: '', stderr: '' };
    running.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
    });
    running.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.stderr += text;
    });
    await once(running, 'close');
    assert.equal(said.stderr, '');
    return JSON.parse(said.stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
