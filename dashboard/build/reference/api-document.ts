/** The parts of an OpenAPI document that the reference shows. */
export type ApiDocument = {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, { description: string }>;
    schemas: Record<string, Schema>;
  };
};

export type Operation = {
  operationId: string;
  summary: string;
  tags: readonly string[];
  security?: readonly Record<string, unknown>[];
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; description?: string; content: Content };
  responses: Record<string, { description: string; headers?: Record<string, Header>; content?: Content }>;
};

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
};

export type Header = { description?: string; schema: Schema };

export type Content = Record<string, { schema: Schema }>;

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
