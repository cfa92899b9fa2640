import { EngineError, faults } from './engine-error.ts';
import { parameterName } from './request-parameters.ts';

/** Reads a statement and its parameters from a form. Clients send parameters like this if there are many. */
export async function readForm(
  type: string,
  body: Buffer,
): Promise<{ query: Buffer; params: Map<string, string> }> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    .catch(() => {
      throw new EngineError(faults.badArguments, 'expected a form, got a body that is none.');
    });
  const params = new Map<string, string>();
  let query = '';
  for (const [name, value] of form) {
    if (typeof value !== 'string')
      throw new EngineError(faults.notImplemented, 'expected text in a form, got a file.');
    if (name === 'query') query = value;
    else params.set(parameterName(name), value);
  }
  return { query: Buffer.from(query), params };
}
