import { nameOfReference, type Request, readDocument, type Schema, valuesOf } from './read-document.ts';

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'int, float',
  boolean: 'bool',
  null: 'type(None)',
  object: 'dict',
};

/**
 * Generates a client in Python: a class for each schema of an object, and a method for each request. The
 * reader of a class refuses a value without a required member or with one of another type. It takes a JSON
 * value and returns it as the schema says.
 */
export function writePythonClient(): string {
  const { schemas, requests } = readDocument();
  const readers = Object.entries(schemas).map(([name, schema]) => writeReader(name, schema));
  return `import json
import urllib.request


class Misfit(Exception):
    pass


def plain(*kinds):
    def read(value):
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise Misfit("expected %r, got %r" % (kinds, value))
        return value
    return read


def one_of(*allowed):
    def read(value):
        if value not in allowed:
            raise Misfit("expected one of %r, got %r" % (allowed, value))
        return value
    return read


def any_of(*readers):
    def read(value):
        for reader in readers:
            try:
                return reader(value)
            except Misfit:
                pass
        raise Misfit("expected one of several, got %r" % (value,))
    return read


def list_of(reader):
    def read(value):
        return [reader(one) for one in plain(list)(value)]
    return read


def map_of(reader):
    def read(value):
        return {name: reader(one) for name, one in plain(dict)(value).items()}
    return read


class Record:
    def __init__(self, values):
        self.__dict__.update(values)


def record(required, members):
    def read(value):
        plain(dict)(value)
        for name in required:
            if name not in value:
                raise Misfit("expected the member %s, got %r" % (name, value))
        return Record({name: reader(value[name]) for name, reader in members.items() if name in value})
    return read


def anything(value):
    return value


${readers.join('\n\n\n')}


class Client:
    def __init__(self, origin, headers):
        self.origin = origin
        self.headers = headers

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, data, self.headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

${requests.map(writeMethod).join('\n\n')}
`;
}

/** A function, so that schemas can refer to one another in any order. */
function writeReader(name: string, schema: Schema): string {
  return `def read_${name}(value):\n    return ${toReader(schema)}(value)`;
}

function writeMethod({ name, method, path, parameters, body, answer }: Request): string {
  const names = parameters.map((parameter) => parameter.name);
  const inputs = ['self', ...names, ...(body === undefined ? [] : ['body'])];
  const address = `"${path.replace(/\{\w+\}/g, '%s')}"`;
  const filled = names.length === 0 ? address : `${address} % (${names.join(', ')},)`;
  const sent = body === undefined ? '' : ', body';
  return `    def ${name}(${inputs.join(', ')}):
        return ${toReader(answer)}(self.ask("${method}", ${filled}${sent}))`;
}

function toReader(schema: Schema): string {
  if (schema.$ref !== undefined) return `read_${nameOfReference(schema.$ref)}`;
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return `any_of(${choices.map(toReader).join(', ')})`;
  if (schema.const !== undefined) return `one_of(${toLiteral(schema.const)})`;
  if (schema.enum !== undefined) return `one_of(${schema.enum.map(toLiteral).join(', ')})`;
  if (schema.items !== undefined) return `list_of(${toReader(schema.items)})`;
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).map(
      ([name, member]) => `${JSON.stringify(name)}: ${toReader(member)}`,
    );
    return `record(${JSON.stringify(schema.required ?? [])}, {${members.join(', ')}})`;
  }
  const values = valuesOf(schema);
  if (values !== undefined) return `map_of(${toReader(values)})`;
  if (schema.type === undefined) return 'anything';
  return `any_of(${[schema.type].flat().map(toPlainReader).join(', ')})`;
}

const toLiteral = (value: unknown) =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

function toPlainReader(type: string): string {
  const plain = plainTypes[type];
  if (plain === undefined) throw new Error(`expected a type of JSON Schema, got ${type}`);
  return `plain(${plain})`;
}
