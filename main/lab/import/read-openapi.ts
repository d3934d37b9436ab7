import { upgrade } from '@scalar/openapi-upgrader';
import { isRecord, textOf, type PlainJson } from '../../interface/template.ts';
import { at, listAt, seenRequest, textAt, type SeenAnswer, type SeenRequest, type Security } from './seen-request.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'];
/** Levels of a schema, and parts of it, that are looked at. */
const deepest = 4;
const mostMembers = 50;

/** Reads an OpenAPI document of 2.0, 3.0 or 3.1. References to other files and addresses are not followed. */
export function readOpenApi(json: PlainJson): SeenRequest[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It was JSON, and is still.
  const document = upgrade(json, '3.1') as unknown as PlainJson;
  const base = serverOf(document);
  const paths = at(document, 'paths');
  const requests = Object.entries(isRecord(paths) ? paths : {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = at(item, method);
      return operation === undefined ? [] : [operationOf({ document, method, url: base + path, operation })];
    }),
  );
  return [...requests, ...passwordGrants(document, base)];
}

/** The first server's address, with the defaults of its variables. */
function serverOf(document: PlainJson): string {
  const [server] = listAt(document, 'servers');
  const variables = at(server, 'variables');
  const url = (textAt(server, 'url') ?? '').replaceAll(
    /\{(\w{1,50})\}/g,
    (whole, name: string) => textAt(variables, name, 'default') ?? whole,
  );
  return url.replace(/\/+$/, '');
}

type Operation = { document: PlainJson; method: string; url: string; operation: PlainJson };

function operationOf({ document, method, url, operation }: Operation): SeenRequest {
  const follow = (value: PlainJson | undefined) => followed(document, value);
  const content = at(follow(at(operation, 'requestBody')), 'content');
  const kinds = Object.keys(isRecord(content) ? content : {});
  const kind = kinds.find((each) => each.includes('json')) ?? kinds.find((each) => each.includes('urlencoded'));
  const body = kind === undefined ? undefined : exampleOf(document, at(content, kind));
  const answers = at(operation, 'responses');
  const parameters = listAt(operation, 'parameters').map(follow);
  const headers = parameters.filter((each) => textAt(each, 'in') === 'header');
  const isForm = kind?.includes('urlencoded') === true;
  const pairs = Object.entries(isRecord(body) ? body : {}).map(([name, value]) => [name, textOf(value)] as const);
  return seenRequest({
    method,
    url,
    name: [textAt(operation, 'operationId'), textAt(operation, 'summary')].filter(Boolean).join(' '),
    headers: headers.map((each) => [textAt(each, 'name') ?? '', textAt(each, 'schema', 'default') ?? '']),
    text: isForm || body === undefined ? undefined : JSON.stringify(body),
    pairs: isForm ? pairs : undefined,
    security: securityOf(document, operation),
    answers: Object.entries(isRecord(answers) ? answers : {}).flatMap(([status, answer]) =>
      answerOf(document, Number(status), follow(answer)),
    ),
  });
}

/** What a body looks like: its example, or what its schema says. */
function exampleOf(document: PlainJson, media: PlainJson | undefined): PlainJson | undefined {
  const examples = at(media, 'examples');
  const [first] = Object.values(isRecord(examples) ? examples : {});
  const example = at(media, 'example') ?? at(followed(document, first), 'value');
  const made = valueOf(document, at(media, 'schema'));
  return isRecord(example) && isRecord(made) ? { ...made, ...example } : (example ?? made);
}

/** A value of a schema. A text of which nothing is known is empty. */
function valueOf(document: PlainJson, given: PlainJson | undefined, depth = 0): PlainJson | undefined {
  const schema = followed(document, given);
  const [enumerated] = listAt(schema, 'enum');
  const [example] = listAt(schema, 'examples');
  const known = at(schema, 'const') ?? at(schema, 'default') ?? at(schema, 'example') ?? example ?? enumerated;
  if (known !== undefined || depth > deepest) return known;
  const [choice] = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')];
  const parts = [...listAt(schema, 'allOf'), ...(choice === undefined ? [] : [choice])];
  const inherited = parts.map((part) => valueOf(document, part, depth + 1)).filter((part) => isRecord(part));
  const properties = at(schema, 'properties');
  const own = Object.entries(isRecord(properties) ? properties : {})
    .slice(0, mostMembers)
    .map(([name, value]) => [name, valueOf(document, value, depth + 1) ?? ''] as const);
  if (own.length === 0 && inherited.length === 0) return undefined;
  return Object.fromEntries([...inherited.flatMap((each) => Object.entries(each)), ...own]);
}

/** An answer with the names of its schema, each text being what its name says, so that the reader finds its parts. */
function answerOf(document: PlainJson, status: number, answer: PlainJson | undefined): SeenAnswer[] {
  const media = at(answer, 'content', 'application/json') ?? at(answer, 'content', '*/*');
  const body = exampleOf(document, media);
  if (!(status >= 100) || body === undefined) return [];
  return [
    { status, headers: [], body: JSON.stringify(body, (_, value: PlainJson) => (value === '' ? 'text' : value)) },
  ];
}

/** Follows references within the document, a few in a row, and through own members alone. */
function followed(document: PlainJson, value: PlainJson | undefined): PlainJson | undefined {
  let now = value;
  for (let step = 0; step < 8; step += 1) {
    const reference = textAt(now, '$ref');
    if (reference === undefined) return now;
    if (!reference.startsWith('#/')) return undefined;
    const parts = reference.slice(2).split('/');
    now = at(document, ...parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')));
  }
  return undefined;
}

/** The credential of an operation, by the schemes of the document. */
function securityOf(document: PlainJson, operation: PlainJson): Security | undefined {
  const asked = at(operation, 'security') ?? at(document, 'security');
  const [first] = Array.isArray(asked) ? asked : [];
  const [name = ''] = Object.keys(isRecord(first) ? first : {});
  const scheme = followed(document, at(document, 'components', 'securitySchemes', name));
  const kind = textAt(scheme, 'type');
  if (kind === 'oauth2' || kind === 'openIdConnect') return { type: 'http', scheme: 'Bearer' };
  if (kind === 'http') {
    const said = textAt(scheme, 'scheme') ?? '';
    return /^bearer$/i.test(said) ? { type: 'http', scheme: 'Bearer' } : undefined;
  }
  const place = textAt(scheme, 'in');
  const key = textAt(scheme, 'name');
  if (kind !== 'apiKey' || key === undefined || (place !== 'header' && place !== 'cookie')) return undefined;
  // Documents that cannot say another scheme than Bearer name the header, and the scheme in words.
  if (place === 'header' && key.toLowerCase() === 'authorization') {
    const word = /\b(Token|JWT|Bearer)\b/i.exec(textAt(scheme, 'description') ?? '')?.[1];
    return { type: 'http', scheme: word ?? 'Bearer' };
  }
  return { type: 'apiKey', in: place, name: key };
}

/** The log-ins that are named only as a flow of OAuth 2. */
function passwordGrants(document: PlainJson, base: string): SeenRequest[] {
  const schemes = at(document, 'components', 'securitySchemes');
  return Object.values(isRecord(schemes) ? schemes : {}).flatMap((scheme) => {
    const address = textAt(scheme, 'flows', 'password', 'tokenUrl');
    if (address === undefined) return [];
    const url = /^https?:/.test(address) ? address : `${base}/${address.replace(/^\/+/, '')}`;
    const fields = [['grant_type', 'password'] as const, ['username', ''] as const, ['password', ''] as const];
    return [seenRequest({ method: 'POST', url, name: 'token', pairs: fields })];
  });
}
