import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readCollected } from './read-collected.ts';

const view = {
  ScreenWidth: 1920,
  ScreenHeight: 1080,
  Language: 'en-US',
  Referrer: '',
  Absolute: 'https://shop.example/',
};
const read = (body: unknown) => readCollected(JSON.stringify(body));

function collect(body: unknown) {
  const result = read(body);
  assert.equal(result.kind, 'collected', JSON.stringify(result));
  return result.kind === 'collected' ? result.collected : assert.fail();
}

function refuse(body: unknown): string {
  const result = read(body);
  return result.kind === 'fault' ? result.text : assert.fail('was taken');
}

describe('what the browser collects', () => {
  test('is read unchanged', () => {
    assert.deepEqual(collect(view), {
      width: 1920,
      height: 1080,
      language: 'en-US',
      referrer: null,
      page: 'https://shop.example/',
      event: undefined,
    });
  });

  for (const [given, kept] of [
    [-5, 0],
    [100_001, 100_000],
    [1e308, 100_000],
    [0.5, 0.5],
    [null, 0],
    [undefined, 0],
  ] as const) {
    test(`has ${given} pixels as ${kept}`, () => {
      assert.equal(collect({ ...view, ScreenWidth: given }).width, kept);
    });
  }

  for (const [given, kept] of [
    ['android-app://com.example/', 'android-app://com.example/'],
    ['about:blank', null],
    ['not an address', null],
    [`https://search.example/${'x'.repeat(8192)}`, null],
    [17, null],
    [undefined, null],
  ] as const) {
    test(`has the referrer ${String(given).slice(0, 30)} as ${kept}`, () => {
      assert.equal(collect({ ...view, Referrer: given }).referrer, kept);
    });
  }

  test('has no language if it is not a text', () => {
    assert.equal(collect({ ...view, Language: ['en'] }).language, undefined);
  });

  test('can be an event without parameters', () => {
    assert.deepEqual(collect({ ...view, Name: 'Open' }).event, { name: 'Open', parameters: [] });
    assert.deepEqual(collect({ ...view, Name: 'Open', Parameters: null }).event?.parameters, []);
  });

  test('can have parameters as a list, which keeps its order and duplicates', () => {
    const Parameters = [
      { Name: 'b', Value: 'x' },
      { Name: 'a', Value: 2, More: 1 },
      { Name: 'b', Value: true },
    ];
    assert.deepEqual(collect({ ...view, Name: 'Open', Parameters }).event?.parameters, [
      { Name: 'b', Value: 'x' },
      { Name: 'a', Value: '2' },
      { Name: 'b', Value: 'true' },
    ]);
  });

  test('treats a parameter named __proto__ like any other', () => {
    const body = `{"Absolute":"https://shop.example/","Name":"x","Parameters":{"__proto__":"y"}}`;
    const result = readCollected(body);
    assert.deepEqual(result.kind === 'collected' && result.collected.event?.parameters, [
      { Name: '__proto__', Value: 'y' },
    ]);
  });

  test('is refused in the words of the interface', () => {
    assert.match(
      refuse({ ...view, Name: 'x', Parameters: { a: null } }),
      /^Parameters\[0\]\.Value: expected a string/,
    );
    assert.match(refuse({ ...view, Name: 'x', Parameters: [1] }), /^Parameters\[0\]: expected an object/);
    assert.match(refuse({ ...view, Name: 'x', Parameters: 'a=1' }), /^Parameters: expected an array/);
    assert.match(refuse({ ...view, Name: 'x'.repeat(257) }), /^Name: .*256/);
    assert.match(refuse({ ...view, Parameters: {} }), /^Name: expected a string .* got nothing/);
    assert.match(refuse({ ...view, Absolute: '/shoes' }), /^Absolute: /);
  });

  test('is refused if a wrong letter would turn an event into a page view', () => {
    assert.match(
      refuse({ ...view, name: 'Order' }),
      /^Name: expected the member to be spelled Name, got name/,
    );
    assert.match(refuse({ ...view, Name: 'a', parameters: {} }), /^Parameters: .* spelled Parameters/);
  });

  test('never throws, and returns only what can be sent on', () => {
    const near = fc.record(
      {
        ScreenWidth: fc.anything(),
        Language: fc.anything(),
        Referrer: fc.oneof(fc.webUrl(), fc.anything()),
        Absolute: fc.oneof(fc.webUrl(), fc.string()),
        Name: fc.oneof(fc.string(), fc.anything()),
        Parameters: fc.anything(),
      },
      { requiredKeys: ['Absolute'] },
    );
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      near.map((value) => toJson(value)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const result = readCollected(text);
        if (result.kind === 'fault') return assert.match(result.text, /^[\w[\].]+: expected /);
        const { width, event } = result.collected;
        assert.ok(width >= 0 && width <= 100_000);
        for (const { Name, Value } of event?.parameters ?? [])
          assert.equal(typeof Name + typeof Value, 'stringstring');
      }),
      { numRuns: 500 },
    );
  });
});

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '{}';
  }
}
