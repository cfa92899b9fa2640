import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iconOfAgent, iconOfSource } from './icon-of.ts';
import { letterOf } from './letter-of.ts';

test('a well-known source has an icon, however it is written', () => {
  assert.equal(iconOfSource('Google'), 'google');
  assert.equal(iconOfSource('linkedin'), 'linkedin');
  assert.equal(iconOfSource('Hacker News'), 'hackernews');
  assert.equal(iconOfSource(''), 'direct');
  assert.equal(iconOfSource('Autumn newsletter'), 'newsletter');
  assert.equal(iconOfSource('E-mail to customers'), 'email');
  assert.equal(iconOfSource('x.example.org'), undefined);
  assert.equal(iconOfSource('constructor'), undefined);
});

test('browsers and systems look the same in every version, and none is without an icon', () => {
  const names = ['Edge', 'Edge 143', 'Firefox 144', 'Samsung Internet', 'Vivaldi 7.1', 'Some browser', ''];
  assert.deepEqual(
    names.map((name) => iconOfAgent(name, 'otherbrowser')),
    ['edge', 'edge', 'firefox', 'samsunginternet', 'vivaldi', 'otherbrowser', 'unknown'],
  );
  assert.equal(iconOfAgent('Windows 11', 'othersystem'), 'windows');
  assert.equal(iconOfAgent('macOS 15.1', 'othersystem'), 'macos');
});

test('any other source has its first letter, and always the same color', () => {
  assert.equal(letterOf('www.example.org').letter, 'e');
  assert.equal(letterOf('🦊 fox').letter, '🦊');
  assert.deepEqual(letterOf('example.org'), letterOf('example.org'));
  assert.match(letterOf('constructor').colour, /^#[0-9a-f]{6}$/);
});
