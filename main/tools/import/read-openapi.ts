import { upgrade } from '@scalar/openapi-upgrader';
import { isRefreshName } from '../../interface/refresh-token.ts';
import { isRecord, toText, type PlainJson } from '../../interface/template.ts';
import {
  memberAt,
  importRequest,
  isSessionCookie,
  isTokenHeader,
  listAt,
  bodyMembersOf,
  stringAt,
  withEnvironments,
  type ImportedCredential,
  type Environment,
  type ExampleResponse,
  type Imported,
  type ImportedRequest,
  type OptionalJson,
  type BodyMember,
  type Pair,
} from './imported-request.ts';
import { schemeInProse } from './scheme-in-prose.ts';
import { exampleOf, entriesAt, JsonSchemaReader } from './json-schema-reader.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'];
/** The grant types of a log-in and a refresh (RFC 6749, 4.3.2 and 6), if a parameter has several values. */
const knownGrantTypes: ReadonlySet<string> = new Set(['password', 'refresh_token']);

/** Reads an OpenAPI document of 2.0, 3.0 or 3.1. References to other files and addresses are not followed. */
export function readOpenApi(json: PlainJson): Imported {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It was JSON, and is still.
  const root = upgrade(json, '3.1') as unknown as PlainJson;
  const document = new OpenApiDocument(root);
  const servers = serversOf(listAt(root, 'servers'));
  const operations = document.operations();
  // The flow of OAuth may be one of the operations.
  const isOperation = ({ url }: ImportedRequest) =>
    operations.some((each) => each.method === 'POST' && pathOf(url).endsWith(pathOf(each.url)));
  const requests = [...operations, ...document.passwordGrants().filter((each) => !isOperation(each))];
  // Of several servers, one is chosen later.
  return servers.length === 1
    ? withEnvironments(requests, servers[0]?.variables ?? {})
    : withEnvironments(requests, {}, servers);
}

const pathOf = (url: string): string =>
  url.replace(/^(?:https?:\/\/[^/]*|\{\{[^{}]*\}\})/, '').replace(/[?#].*$|\/+$/g, '');

/** The variable with the base URL, whose values are the servers of the document. */
const serverVariable = 'server.url';
const maxServers = 50;

/**
 * The servers of a document, a path or an operation, named by their description. A variable with an `enum` makes one server
 * for each value; a variable without a value is a placeholder.
 */
function serversOf(list: readonly PlainJson[]): Environment[] {
  const found = list.flatMap((server) => {
    const named = entriesAt(server, 'variables').slice(0, 10);
    const [choice, values] = named
      .map(([name, each]) => [name, listAt(each, 'enum')] as const)
      .find(([, list]) => list.length > 1) ?? ['', []];
    const defaults = named.flatMap(([name, each]): [string, string][] => {
      const value = stringAt(each, 'default') ?? '';
      return value === '' ? [] : [[name, value]];
    });
    const chosen = values
      .map(toText)
      .toSorted((one, other) => Number(other === own(choice)) - Number(one === own(choice)));
    function own(name: string) {
      return new Map(defaults).get(name);
    }
    return (chosen.length === 0 ? [undefined] : chosen).map((value): Environment => {
      const all = new Map([...defaults, ...(value === undefined ? [] : [[choice, value] as const])]);
      const url = (stringAt(server, 'url') ?? '').replaceAll(
        /\{(\w{1,50})\}/g,
        (whole, name: string) => all.get(name) ?? whole,
      );
      const about = stringAt(server, 'description')?.trim().slice(0, 100) ?? '';
      return {
        name: [about, value].filter(Boolean).join(' '),
        variables: { [serverVariable]: url.replace(/\/+$/, '') },
      };
    });
  });
  return found.length === 0 ? [{ name: '', variables: { [serverVariable]: '' } }] : found.slice(0, maxServers);
}

class OpenApiDocument {
  readonly #root: PlainJson;
  readonly #schemas: JsonSchemaReader;
  #declared: ImportedCredential[] | undefined;

  constructor(root: PlainJson) {
    this.#root = root;
    this.#schemas = new JsonSchemaReader(root);
  }

  operations(): ImportedRequest[] {
    return entriesAt(this.#root, 'paths').flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = memberAt(item, method);
        if (operation === undefined) return [];
        const parameters = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')].map((each) =>
          this.#schemas.follow(each),
        );
        const [own] = [...listAt(operation, 'servers'), ...listAt(item, 'servers')];
        const base = own === undefined ? `{{${serverVariable}}}` : serversOf([own])[0]?.variables[serverVariable];
        return this.#requests(method, `${base ?? ''}${path}`, operation, parameters);
      }),
    );
  }

  /** The log-ins of OAuth's password flow. */
  passwordGrants(): ImportedRequest[] {
    return entriesAt(this.#root, 'components', 'securitySchemes').flatMap(([, scheme]) => {
      const address = stringAt(scheme, 'flows', 'password', 'tokenUrl');
      if (address === undefined) return [];
      const url = /^https?:/.test(address) ? address : `{{${serverVariable}}}/${address.replace(/^\/+/, '')}`;
      const form = [['grant_type', 'password'] as const, ['username', ''] as const, ['password', ''] as const];
      return [importRequest({ method: 'POST', url, name: 'token', form })];
    });
  }

  /** An operation, once for each alternative of its body and its query. */
  #requests(method: string, url: string, operation: PlainJson, parameters: readonly OptionalJson[]): ImportedRequest[] {
    const { bodies, encoding } = this.#bodies(operation);
    const required = (location: string) =>
      parameters.flatMap((each) => {
        const isIn = stringAt(each, 'in') === location && memberAt(each, 'required') === true;
        const schema = memberAt(each, 'schema') ?? memberAt(entriesAt(each, 'content')[0]?.[1], 'schema');
        return isIn ? [this.#schemas.member(stringAt(each, 'name') ?? '', schema, true)] : [];
      });
    const about = {
      method,
      name: [stringAt(operation, 'operationId'), stringAt(operation, 'summary')].filter(Boolean).join(' '),
      folder: listAt(operation, 'tags').map(toText).join(' '),
      headers: required('header').map((each): Pair => [each.name, constantOf(each)]),
      encoding,
      security: this.#security(operation) ?? securityOfParameters(parameters) ?? this.#onlyScheme(),
      responses: entriesAt(operation, 'responses').flatMap(([status, each]) => this.#responses(Number(status), each)),
    };
    return queriesOf(required('query')).flatMap((query) =>
      bodies.map((body) => importRequest({ ...about, url: url + query, body })),
    );
  }

  #bodies(operation: PlainJson): { bodies: (BodyMember[] | undefined)[]; encoding: 'json' | 'form' | undefined } {
    const content = entriesAt(this.#schemas.follow(memberAt(operation, 'requestBody')), 'content');
    const [type, media] =
      content.find(([each]) => each.includes('json')) ??
      content.find(([each]) => /urlencoded|form-data/.test(each)) ??
      content.find(([each]) => each === '*/*') ??
      [];
    if (type === undefined) return { bodies: [undefined], encoding: undefined };
    const encoding = /urlencoded|form-data/.test(type) ? 'form' : 'json';
    const example = this.#exampleOf(media);
    const shown = isRecord(example) ? bodyMembersOf(example).map(asExample) : [];
    const bodies = this.#schemas
      .alternatives(memberAt(media, 'schema'), 'request')
      .map((members) => withExamples(members, shown));
    return { bodies: bodies.length > 0 ? bodies : [shown.length > 0 ? shown : undefined], encoding };
  }

  #exampleOf(media: OptionalJson): OptionalJson {
    const [first] = entriesAt(media, 'examples');
    return (
      memberAt(media, 'example') ??
      memberAt(this.#schemas.follow(first?.[1]), 'value') ??
      memberAt(this.#schemas.follow(memberAt(media, 'schema')), 'example')
    );
  }

  /** Example responses by schema and example, one for each alternative. */
  #responses(status: number, response: PlainJson): ExampleResponse[] {
    if (!(status >= 200) || status >= 400) return [];
    const followed = this.#schemas.follow(response);
    const content = entriesAt(followed, 'content');
    const [, media] = content.find(([type]) => /json|^\*\/\*$/.test(type)) ?? [];
    const example = this.#exampleOf(media);
    const made = this.#schemas.alternatives(memberAt(media, 'schema'), 'answer').map((members) => exampleOf(members));
    const bodies =
      made.length > 0 ? made.map((each) => (isRecord(example) ? Object.assign(each, example) : each)) : [example];
    const headers = entriesAt(followed, 'headers').map(([name, given]): Pair =>
      this.#header(name, this.#schemas.follow(given)),
    );
    return bodies.flatMap((body) =>
      body === undefined && headers.length === 0
        ? []
        : [{ status, headers, body: body === undefined ? '' : JSON.stringify(body) }],
    );
  }

  /** A response header with an example value. The token finder expects a scheme in `Authorization`. */
  #header(name: string, header: OptionalJson): Pair {
    const { value, example } = this.#schemas.member(name, memberAt(header, 'schema'), true);
    const shown =
      memberAt(header, 'example') ??
      memberAt(this.#schemas.follow(entriesAt(header, 'examples')[0]?.[1]), 'value') ??
      value ??
      example;
    if (typeof shown === 'string' && shown !== '') return [name, shown];
    return [name, /^authorization$/i.test(name) ? 'Bearer text' : /^set-cookie$/i.test(name) ? '' : 'text'];
  }

  /** The security of the operation, or else that of the document. */
  #security(operation: PlainJson): ImportedRequest['security'] {
    const own = memberAt(operation, 'security') ?? memberAt(this.#root, 'security');
    if (!Array.isArray(own)) return undefined;
    return own.flatMap((each) => {
      const needed = entriesAt(each).map(([name]) => {
        const credential = this.#credential(name);
        return credential && Object.assign(credential, { renews: isRefreshName(name) });
      });
      // An alternative with a credential that no description can have is dropped.
      return needed.includes(undefined) ? [] : [needed.filter((one) => one !== undefined)];
    });
  }

  /** The only security scheme of a document in which no operation refers to one. */
  #onlyScheme(): ImportedRequest['security'] {
    this.#declared ??= this.#findOnlyScheme();
    return this.#declared.length === 0 ? undefined : [this.#declared];
  }

  #findOnlyScheme(): ImportedCredential[] {
    const isUsed = entriesAt(this.#root, 'paths').some(([, item]) =>
      methods.some((method) => memberAt(item, method, 'security') !== undefined),
    );
    const found = isUsed
      ? []
      : entriesAt(this.#root, 'components', 'securitySchemes').map(([name]) => this.#credential(name));
    const usable = found.filter((each) => each !== undefined);
    const [only] = usable;
    return only && usable.length === 1 ? [{ why: 'usual', ...only }] : [];
  }

  #credential(name: string): ImportedCredential | undefined {
    const scheme = this.#schemas.follow(memberAt(this.#root, 'components', 'securitySchemes', name));
    const [type, key, location] = [stringAt(scheme, 'type'), stringAt(scheme, 'name'), stringAt(scheme, 'in')];
    if (type === 'oauth2' || type === 'openIdConnect') return { security: { type: 'http', scheme: 'Bearer' } };
    if (type === 'http') {
      const written = stringAt(scheme, 'scheme') ?? '';
      if (!/^[\w-]{1,50}$/.test(written) || /^(?:basic|digest|negotiate|hoba|mutual)$/i.test(written)) return undefined;
      return { security: { type: 'http', scheme: /^bearer$/i.test(written) ? 'Bearer' : written } };
    }
    if (type !== 'apiKey' || key === undefined || (location !== 'header' && location !== 'cookie')) return undefined;
    if (location === 'cookie' || !/^authorization$/i.test(key))
      return { security: { type: 'apiKey', in: location, name: key } };
    return schemeInProse(stringAt(scheme, 'description') ?? '');
  }
}

/** A credential among the parameters of an operation. */
function securityOfParameters(parameters: readonly OptionalJson[]): ImportedRequest['security'] {
  const found = parameters.flatMap((each): ImportedCredential[] => {
    const [name, location] = [stringAt(each, 'name') ?? '', stringAt(each, 'in')];
    if (location === 'cookie' && isSessionCookie(name))
      return [{ security: { type: 'apiKey', in: location, name }, why: 'by-name' }];
    if (location !== 'header') return [];
    if (isTokenHeader(name)) return [{ security: { type: 'apiKey', in: location, name }, why: 'by-name' }];
    if (!/^authorization$/i.test(name)) return [];
    const prose = ['description', 'example'].flatMap(
      (key) => stringAt(each, key) ?? stringAt(each, 'schema', key) ?? [],
    );
    return [schemeInProse(prose.join('. '))];
  });
  return found.length > 0 ? [found.slice(0, 1)] : undefined;
}

/** The constant as a text, or a variable. */
const constantOf = ({ name, value }: BodyMember): string =>
  value === undefined || typeof value === 'object' ? `{{${name.replaceAll(/[^\w.-]/g, '')}}}` : toText(value);

/** The queries of the required parameters, one for each grant type. */
function queriesOf(parameters: readonly BodyMember[]): string[] {
  return parameters.reduce<string[]>(
    (queries, each) => {
      const grantTypes =
        each.value === undefined ? (each.choices ?? []).map(toText).filter((one) => knownGrantTypes.has(one)) : [];
      const values = grantTypes.length > 0 ? grantTypes : [constantOf(each)];
      return queries.flatMap((query) =>
        values.map((value) => {
          const written = value.startsWith('{{') ? value : encodeURIComponent(value);
          return `${query}${query === '' ? '?' : '&'}${encodeURIComponent(each.name)}=${written}`;
        }),
      );
    },
    [''],
  );
}

/** The value of an example is no constant, and does not tell whether the member is required. */
const asExample = ({ name, value, type, members }: BodyMember): BodyMember => ({
  name,
  example: value,
  type,
  members: members?.map(asExample),
});

/** Members of a schema with their values in an example of the whole body. */
const withExamples = (members: readonly BodyMember[], shown: readonly BodyMember[]): BodyMember[] =>
  members.map((each) => {
    const found = shown.find(({ name }) => name === each.name);
    return found === undefined
      ? each
      : {
          ...each,
          example: each.example ?? found.example,
          ...(each.members && { members: withExamples(each.members, found.members ?? []) }),
        };
  });
