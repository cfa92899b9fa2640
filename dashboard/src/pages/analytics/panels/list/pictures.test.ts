import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createNames } from '#format/names.ts';
import { icons } from './icon-of.ts';
import { flagUrl, iconUrl } from './pictures.ts';

const publicFolder = new URL('../../../../../public/', import.meta.url);
const fileOf = (url: string) => new URL(url.slice(1), publicFolder);

test('there is a flag for every country', () => {
  const countries = createNames('en')
    .search('country', '')!
    .filter((code) => code !== '');
  assert.ok(countries.length > 240);
  for (const code of countries) assert.ok(existsSync(fileOf(flagUrl(code))), code);
});

test('every named icon exists, and every icon is used', () => {
  const files = readdirSync(new URL('pictures-2/icons/', publicFolder));
  assert.deepEqual(files.map((name) => name.replace('.svg', '')).sort(), [...icons].sort());
  assert.ok(existsSync(fileOf(iconUrl('google'))));
});

test('pictures are small and self-contained', () => {
  for (const kind of ['flags', 'icons'])
    for (const name of readdirSync(new URL(`pictures-2/${kind}/`, publicFolder))) {
      const text = readFileSync(new URL(`pictures-2/${kind}/${name}`, publicFolder), 'utf8');
      assert.ok(text.length < 12_000, name);
      assert.doesNotMatch(text, /<script|<style|\son\w+=|href|url\(|<image|<foreignObject/i, name);
    }
});
