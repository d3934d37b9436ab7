import type { SecurityScheme } from '../../../preload/contract/interface.ts';
import { operations } from '../../../preload/contract/names.ts';
import { sessionSchemes } from '../../interface/security-schemes.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';

/** Example values of inputs. */
const examples = {
  name: 'Ana Vega',
  email: 'ana@example.test',
  username: 'ana',
  password: 'a password of Ana',
  cpassword: 'a password of Ana',
};

/**
 * The OpenAPI 3.1 document of an API type: requests and credentials. Responses are not described.
 */
export function createInterfaceOpenApi(adapter: ApiAdapter): object {
  const schemes = schemesOf(adapter);
  const { csrf } = adapter.description;
  // The browser has the cookie, and the user copies its value.
  const forgery = csrf && { name: csrf.header, in: 'header', schema: { type: 'string' } };
  const paths: Record<string, Record<string, object>> = {};
  for (const name of operations) {
    if (!hasCall(adapter, name)) continue;
    const { method, url, headers, body } = adapter.request(name, { fields: examples });
    const [path = ''] = pathOf(adapter, name).split('?', 1);
    const inQuery = adapter.encodingOf(name) === 'query' ? parametersOfQuery(url) : [];
    const parameters = [...parametersIn(path), ...inQuery, ...(forgery && method !== 'GET' ? [forgery] : [])];
    const type = headers.find(([header]) => header === 'Content-Type')?.[1];
    const needsSession = Object.keys(schemes).length > 0 && (name === 'profile' || name === 'logout');
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: name,
        ...(needsSession && { security: Object.keys(schemes).map((each) => ({ [each]: [] })) }),
        ...(parameters.length > 0 && { parameters }),
        ...(body !== undefined &&
          type !== undefined && { requestBody: { content: { [type]: contentOf(body, type) } } }),
        responses: { default: { description: '' } },
      },
    };
  }
  if (adapter.csrfPath !== undefined) {
    const [path = ''] = adapter.csrfPath.split('?', 1);
    paths[path] = { get: { operationId: 'csrf', responses: { default: { description: '' } } }, ...paths[path] };
  }
  return {
    openapi: '3.1.0',
    info: { title: '', version: '1' },
    servers: [{ url: '/' }],
    paths,
    components: { securitySchemes: schemes },
  };
}

/** The operations of an API type, in the order of use. */
export const hasCall = ({ features }: ApiAdapter, name: (typeof operations)[number]): boolean =>
  name === 'registro' || name === 'register'
    ? features.registrations.includes(name)
    : name !== 'logout' || features.logout;

/** The path of a call, with `{x}` for each value from a response. */
const pathOf = (adapter: ApiAdapter, name: (typeof operations)[number]): string =>
  adapter
    .formatCall(name)
    .replace(/^\w+ /, '')
    .replaceAll(/\{\{(\w+)\}\}/g, '{$1}');

const parametersIn = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const parametersOfQuery = (url: string): object[] =>
  [...new URLSearchParams(url.split('?', 2)[1])].map(([name, example]) => ({
    name,
    in: 'query',
    required: true,
    schema: { type: 'string' },
    example,
  }));

function contentOf(body: string, type: string): object {
  const isJson = type.startsWith('application/json');
  const example: unknown = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
  return { schema: { type: 'object' }, example };
}

/** The schemes of the credential, by names: `session`, `session2`. */
const schemesOf = ({ description }: ApiAdapter): Record<string, object> =>
  Object.fromEntries(
    sessionSchemes(description).flatMap((security, index) => {
      const scheme = schemeOf(security);
      return scheme ? [[index === 0 ? 'session' : `session${index + 1}`, scheme] as const] : [];
    }),
  );

/** A scheme that Swagger UI can send, which has Bearer only; undefined if bodies carry the credential. */
function schemeOf(security: SecurityScheme): object | undefined {
  if (security.type === 'none') return undefined;
  if (security.type === 'apiKey') return { type: 'apiKey', in: security.in, name: security.name };
  if (security.scheme.toLowerCase() === 'bearer') return { type: 'http', scheme: 'bearer' };
  return { type: 'apiKey', in: 'header', name: 'Authorization', description: `${security.scheme} …` };
}
