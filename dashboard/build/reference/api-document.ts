/** The parts of an OpenAPI document that the reference shows. */
export type ApiDocument = {
  info: { title: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, { description: string }>;
    responses: Record<string, Answer>;
    examples: Record<string, { value: unknown }>;
    schemas: Record<string, Schema>;
  };
};

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; description?: string; content: Content };
  responses: Record<string, Answer | Reference>;
};

export type Reference = { $ref: string };

export type Answer = { description: string; headers?: Record<string, Header>; content?: Content };

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
};

export type Header = { description?: string; schema: Schema };

export type Content = Record<string, { schema: Schema; examples?: Record<string, Reference> }>;

export type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  format?: string;
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};
