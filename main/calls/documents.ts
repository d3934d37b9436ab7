import type { RecordedCall } from '../../preload/contract/calls.ts';
import { createSecretNames } from '../secrets/named-secrets.ts';

const operations = ['registro', 'register', 'login', 'perfil', 'salir'] as const;
type Operation = (typeof operations)[number];

const methods: Record<Operation, 'GET' | 'POST'> = {
  registro: 'POST',
  register: 'POST',
  login: 'POST',
  perfil: 'GET',
  salir: 'POST',
};

const summaries: Record<Operation, string> = {
  registro: 'Create an account',
  register: 'Create an account, with the password repeated',
  login: 'Log in',
  perfil: 'Read the profile',
  salir: 'Log out',
};

const withToken: ReadonlySet<Operation> = new Set(['perfil', 'salir']);

/** The fields of each body, as the interface names them, and what stands for them where nothing was observed. */
const fields: Record<Operation, readonly string[]> = {
  registro: ['name', 'email', 'password'],
  register: ['name', 'email', 'password', 'cpassword'],
  login: ['email', 'password'],
  perfil: [],
  salir: [],
};
const examples: Readonly<Record<string, string>> = {
  name: 'Ana',
  email: 'ana@example.test',
  password: '{{password}}',
  cpassword: '{{password}}',
};

const interfacePath = '/api/v1/auth';

type Observed = { operation: Operation; baseUrl: string; call: RecordedCall };

function observedIn(calls: readonly RecordedCall[]): Observed[] {
  return calls.flatMap((call) => {
    const { text } = createSecretNames();
    const url = text(call.request.url).replace(/[?#].*$/s, '');
    const operation = operations.find((each) => url.endsWith(`${interfacePath}/${each}`));
    if (operation === undefined || !call.response) return [];
    return [{ operation, call, baseUrl: url.slice(0, url.length - `${interfacePath}/${operation}`.length) }];
  });
}

/** Returns the newest answer of each status, in the order of statuses. */
function answersOf(observed: readonly Observed[], operation: Operation): RecordedCall[] {
  const newest = new Map<number, RecordedCall>();
  for (const { operation: each, call } of observed) {
    if (each === operation && call.response) newest.set(call.response.status, call);
  }
  return [...newest].toSorted(([a], [b]) => a - b).map(([, call]) => call);
}

/** Reads JSON as a value, and anything else as the text that it is. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Writes the five operations as a Postman collection (format 2.1.0), with the answers that were observed as examples.
 * Address, token and password are variables, and secrets in examples are named.
 */
export function writePostmanCollection(calls: readonly RecordedCall[]): string {
  const observed = observedIn(calls);
  const { text } = createSecretNames();
  const requestOf = (operation: Operation): object => ({
    method: methods[operation],
    header: [
      { key: 'Accept', value: 'application/json' },
      ...(fields[operation].length > 0 ? [{ key: 'Content-Type', value: 'application/json' }] : []),
    ],
    url: {
      raw: `{{baseUrl}}${interfacePath}/${operation}`,
      host: ['{{baseUrl}}'],
      path: [...interfacePath.slice(1).split('/'), operation],
    },
    ...(withToken.has(operation) && {
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    }),
    ...(fields[operation].length > 0 && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(Object.fromEntries(fields[operation].map((name) => [name, examples[name]])), undefined, 2),
        options: { raw: { language: 'json' } },
      },
    }),
  });
  const item = operations.map((operation) => ({
    name: summaries[operation],
    request: requestOf(operation),
    response: answersOf(observed, operation).flatMap(({ response }) =>
      response
        ? [
            {
              name: `${response.status} ${text(response.statusText)}`.trim(),
              originalRequest: requestOf(operation),
              code: response.status,
              status: text(response.statusText),
              header: response.headers.map(([key, value]) => ({ key, value: text(value) })),
              ...(response.body.form === 'text' && { body: text(response.body.text) }),
            },
          ]
        : [],
    ),
  }));
  const collection = {
    info: {
      name: 'Authentication interface',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item,
    variable: [
      { key: 'baseUrl', value: observed.at(-1)?.baseUrl ?? '' },
      { key: 'token', value: '' },
      { key: 'password', value: '' },
    ],
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

/** Writes the five operations as OpenAPI 3.1, with the answers observed as examples. Secrets in them are named. */
export function writeOpenApi(calls: readonly RecordedCall[]): string {
  const observed = observedIn(calls);
  const { text } = createSecretNames();
  const servers = [...new Set(observed.map(({ baseUrl }) => baseUrl))].map((url) => ({ url }));

  function contentOf({ response }: RecordedCall): object {
    if (!response || response.body.form !== 'text' || response.body.bytes === 0) return {};
    const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    const [mediaType = 'text/plain'] = type ? text(type).split(';') : [];
    return { content: { [mediaType.trim() || 'text/plain']: { example: valueOf(text(response.body.text)) } } };
  }

  const paths = operations.map((operation) => {
    const answers = answersOf(observed, operation).flatMap((call) =>
      call.response
        ? [
            [
              String(call.response.status),
              {
                description: `Observed: ${call.response.status} ${text(call.response.statusText)}`.trim(),
                ...contentOf(call),
              },
            ] as const,
          ]
        : [],
    );
    const body = {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: fields[operation],
            properties: Object.fromEntries(fields[operation].map((name) => [name, { type: 'string' }])),
          },
        },
      },
    };
    const described = {
      operationId: operation,
      summary: summaries[operation],
      security: withToken.has(operation) ? [{ bearer: [] }] : [],
      ...(fields[operation].length > 0 && { requestBody: body }),
      responses: answers.length > 0 ? Object.fromEntries(answers) : { default: { description: 'Not observed.' } },
    };
    return [`${interfacePath}/${operation}`, { [methods[operation].toLowerCase()]: described }];
  });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Authentication interface, as observed', version: '1' },
    ...(servers.length > 0 && { servers }),
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
