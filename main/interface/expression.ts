import { isRecord, type PlainJson } from './template.ts';

export const headerIn = (expression: string): string | undefined => /^\$response\.header\.(.+)$/.exec(expression)?.[1];

/** The parts of the JSON pointer of an expression (RFC 6901); empty for the whole body. */
const pointerOf = (expression: string): string[] =>
  (expression.split('#')[1] ?? '')
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** An expression as a path of interpretations: `$response.body#/a/0` is `a[0]`, a header `headers.x`. */
export function expressionPath(expression: string): string {
  const header = headerIn(expression);
  if (header !== undefined) return `headers.${header.toLowerCase()}`;
  const path = pointerOf(expression).reduce(
    (at, part) => (/^\d+$/.test(part) ? `${at}[${part}]` : at === '' ? part : `${at}.${part}`),
    '',
  );
  return path === '' ? 'body' : path;
}

/**
 * Evaluates an expression in a body. A body that is no JSON is a text as a whole.
 * @param json the parsed body, if it is JSON
 */
export function readExpression(expression: string, json: PlainJson | undefined, body: string): string | undefined {
  const parts = pointerOf(expression);
  if (parts.length === 0 && json === undefined) return body;
  const value = parts.reduce<PlainJson | undefined>((at, part) => {
    if (Array.isArray(at)) return at[Number(part)];
    return isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }, json);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A body with a value set at the path of an expression, for mock servers. */
export function writeExpression(expression: string, body: PlainJson, value: PlainJson): PlainJson {
  function put(at: PlainJson | undefined, [part, ...inner]: readonly string[]): PlainJson {
    if (part === undefined) return value;
    if (/^\d{1,2}$/.test(part) && !isRecord(at)) {
      const [list, index] = [Array.isArray(at) ? at : [], Number(part)];
      const length = Math.max(list.length, index + 1);
      return Array.from({ length }, (_, each) => (each === index ? put(list[each], inner) : (list[each] ?? null)));
    }
    // A computed name is an own property, even `__proto__`.
    return { ...(isRecord(at) ? at : {}), [part]: put(isRecord(at) ? at[part] : undefined, inner) };
  }
  return put(body, pointerOf(expression));
}
