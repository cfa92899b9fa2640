import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false };
const text = Type.String({ minLength: 1 });

const repeatSchema = Type.Object(
  {
    $repeat: Type.Object(
      {
        before: Type.Optional(text),
        text,
        times: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
  },
  closed,
);

const requestSchema = Type.Object(
  {
    method: Type.String({ pattern: '^[A-Z]+$' }),
    path: Type.String({ pattern: '^/' }),
    headers: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String(), Type.Null(), Type.Array(Type.String(), { minItems: 2 }), repeatSchema]),
      ),
    ),
    authorization: Type.Optional(
      Type.Union([
        Type.Literal('valid'),
        Type.Literal('missing'),
        Type.Literal('unknown'),
        Type.Literal('exhausted'),
        Type.Literal('limited'),
        Type.Literal('excluding'),
        Type.Object({ prefix: text }, closed),
        Type.Object({ value: Type.String() }, closed),
      ]),
    ),
    body: Type.Optional(Type.Unknown()),
    bodyText: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.Union([text, repeatSchema]), { minItems: 1 })]),
    ),
    bodyBase64: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]+={0,2}$' })),
    bodyRepeat: Type.Optional(repeatSchema.properties.$repeat),
    bodyBytes: Type.Optional(Type.Integer({ minimum: 1 })),
    contentEncoding: Type.Optional(Type.Literal('gzip')),
    chunked: Type.Optional(Type.Literal(true)),
    expectContinue: Type.Optional(Type.Literal(true)),
  },
  closed,
);

const verdictMembers = {
  code: Type.Integer({ minimum: 200, maximum: 599 }),
  field: Type.Optional(text),
  says: Type.Optional(Type.Array(text, { minItems: 1 })),
  hides: Type.Optional(Type.Array(text, { minItems: 1 })),
};

const resultSchema = Type.Object(
  { ...verdictMembers, times: Type.Optional(Type.Integer({ minimum: 2 })) },
  closed,
);

const answerSchema = Type.Object(
  {
    ...verdictMembers,
    headers: Type.Optional(Type.Record(Type.String(), text)),
    results: Type.Optional(Type.Array(resultSchema, { minItems: 1 })),
    understood: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
);

/** What a JSON file below contract/cases may contain. contract/README.md explains each member. */
export const caseFileSchema = Type.Object(
  {
    title: text,
    about: text,
    request: requestSchema,
    answer: answerSchema,
    stored: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    storedNowhere: Type.Optional(Type.Array(text, { minItems: 1 })),
    rows: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
);

export type CaseFile = Static<typeof caseFileSchema>;
export type Repeat = Static<typeof repeatSchema>['$repeat'];
