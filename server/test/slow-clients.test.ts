import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { testLong } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const sockets = 5000;
const good = 100;
/** How much longer a good client may wait while all the others are there. */
const maxRatio = 5;

/** What a slow client sends at once. The rest of it never comes, or its answers are never read. */
const beginnings = [
  '',
  'POST /api/page-view HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'POST /api/page-view HTTP/1.1\r\nHost: localhost\r\nAuthorization: a\r\nContent-Length: 5000\r\n\r\n{"Metrics":',
  'POST /api/stats/query HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"per',
  'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20),
];

testLong('5,000 idle and slow clients do not keep good ones waiting', async (t) => {
  const trackside = await startTrackside(t);
  const { apiKey } = await trackside.addWebsite('slow.test');
  const { hostname, port } = new URL(trackside.origin());
  const send = async () => (await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status;
  await waitFor('the server to know the website', async () => (await send()) === 200);

  /** The median time of good requests, one after another. */
  async function measure(): Promise<number> {
    const times: number[] = [];
    for (let index = 0; index < good; index++) {
      const startedMs = performance.now();
      assert.equal(await send(), 200);
      times.push(performance.now() - startedMs);
    }
    return times.toSorted((one, other) => one - other)[good / 2]!;
  }

  const before = await measure();
  const open: Socket[] = [];
  t.after(() => {
    for (const socket of open) socket.destroy();
  });
  for (let index = 0; index < sockets; index++) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    // Nobody reads the answers.
    socket.pause();
    open.push(socket);
    await once(socket, 'connect');
    socket.write(beginnings[index % beginnings.length]!);
  }
  const dripping = setInterval(() => {
    for (const [index, socket] of open.entries())
      if (index % beginnings.length !== 0 && socket.writable) socket.write('a');
  }, 1000);
  t.after(() => clearInterval(dripping));

  const during = await measure();
  t.diagnostic(`median ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms with ${sockets} slow clients`);
  assert.ok(during < before * maxRatio, `${during} ms instead of ${before} ms`);
  assert.equal(trackside.hasEnded(), false);
});
