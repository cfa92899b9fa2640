import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';

test('escapes every value that is not markup, even in attributes and lists', () => {
  const evil = `"><script>alert('1')</script>&`;
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;';
  assert.equal(html`<p title="${evil}">${[evil]}</p>`.markup, `<p title="${escaped}">${escaped}</p>`);
});

test('inserts markup unchanged, and nothing for a missing value', () => {
  const items = [1, 2].map((number) => html`<li>${number}</li>`);
  assert.equal(html`<ul>${items}${undefined}${false}</ul>`.markup, '<ul><li>1</li><li>2</li></ul>');
});
