import type { PlainJson } from '../../interface/template.ts';
import {
  at,
  listAt,
  pairsOf,
  securityOf,
  seenRequest,
  textAt,
  type SeenRequest,
  type Variables,
} from './seen-request.ts';

/** Reads an export of Insomnia: the list of version 4, or the tree of version 5. */
export function readInsomnia(json: PlainJson): SeenRequest[] {
  const resources = listAt(json, 'resources');
  if (resources.length > 0) {
    const isOf = (kind: string) => resources.filter((each) => textAt(each, '_type') === kind);
    const variables = variablesOf(isOf('environment').map((each) => at(each, 'data')));
    return isOf('request').map((each) => requestOf(each, variables));
  }
  const environments = at(json, 'environments');
  const inner = listAt(environments, 'subEnvironments').map((each) => at(each, 'data'));
  const variables = variablesOf([at(environments, 'data'), ...inner]);
  return requestsIn(listAt(json, 'collection'), variables);
}

function requestsIn(list: readonly PlainJson[], variables: Variables, depth = 0): SeenRequest[] {
  if (depth > 20) return [];
  return list.flatMap((each) =>
    at(each, 'children') === undefined
      ? [requestOf(each, variables)]
      : requestsIn(listAt(each, 'children'), variables, depth + 1),
  );
}

function requestOf(request: PlainJson, variables: Variables): SeenRequest {
  const kind = textAt(request, 'body', 'mimeType') ?? '';
  const isOff = at(request, 'authentication', 'disabled') === true;
  return seenRequest(
    {
      method: textAt(request, 'method') ?? 'GET',
      url: textAt(request, 'url') ?? '',
      name: textAt(request, 'name'),
      headers: pairsOf(listAt(request, 'headers')),
      text: textAt(request, 'body', 'text'),
      pairs: kind.includes('form') ? pairsOf(listAt(request, 'body', 'params')) : undefined,
      security: isOff
        ? undefined
        : securityOf(textAt(request, 'authentication', 'type'), (name) => textAt(request, 'authentication', name)),
    },
    variables,
  );
}

/** The variables of the environments, of which the first that has a name says it. */
function variablesOf(environments: readonly (PlainJson | undefined)[]): Variables {
  const found: Record<string, string> = Object.create(null);
  for (const data of environments) {
    if (typeof data !== 'object' || data === null) continue;
    for (const [name, value] of Object.entries(data)) if (typeof value === 'string') found[name] ??= value;
  }
  return found;
}
