import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeEmbedCode } from './write-embed-code.ts';

const address = 'https://stats.example.com/share/abc';

test('shows the public view in a frame, in the theme of the surrounding page', () => {
  assert.match(
    writeEmbedCode(address, 'Analytics for Shop', 'system'),
    /^<iframe src="https:\/\/stats\.example\.com\/share\/abc\/embed" /,
  );
  assert.match(writeEmbedCode(address, 'Analytics for Shop', 'dark'), /\/share\/abc\/embed\?theme=dark"/);
});

test('escapes a title that could end its attribute', () => {
  const code = writeEmbedCode(address, 'Oak & "Lamp" <script>', 'light');
  assert.match(code, / title="Oak &amp; &quot;Lamp&quot; &lt;script&gt;" /);
});
