/** The baseline: node:http that reads a body and parses it as JSON, and does nothing else. */
import { createServer } from 'node:http';

const text = JSON.stringify({ Code: 200, Message: 'Success' });
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, headers);
    response.end(text);
  });
});
// As long as Trackside's. Otherwise, it closes connections that the sender is about to use.
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`listens on http://127.0.0.1:${address?.port}\n`);
});
