import { shippedInterface } from '../../../main/interface/shipped.ts';
import { suggestedNames } from '../../../main/interface/shipped-files.ts';
import { findInText } from '../../../main/tools/import/find-in-text.ts';
import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import type { FoundInterface, FoundPart, ImportResult } from '../../../preload/contract/interface.ts';

const descriptions = await Promise.all(
  suggestedNames.map(async (name) => [name, (await shippedInterface(name))!] as const),
);
const shipped = new Map(descriptions);

/** Looks into a text on this thread. */
export const look = (text: string | Uint8Array): Promise<ImportResult> =>
  findInText(typeof text === 'string' ? Buffer.from(text) : text, shipped);

/** What is found in a text in which something is. */
export async function found(text: string | Uint8Array): Promise<FoundInterface> {
  const finding = await look(text);
  if (finding.kind !== 'found') throw new Error(`nothing was found: ${finding.kind}`);
  return finding;
}

export const login = `curl https://x.test/api/auth/login --json '{"email":"ana@b.test","password":"x"}'`;
export const me = `curl https://x.test/api/me -H "Authorization: Bearer $TOKEN"`;
/** A call as JSON. */
export const curlPost = (target: string, body: object = {}, more = '') =>
  `curl -X POST https://x.test${target} --json '${JSON.stringify(body)}' ${more}`;

/** How certain a place is, with the reason where there is one. */
export const certainty = ({ parts }: FoundInterface, at: string): GuessReason | FoundPart['is'] | undefined => {
  const part = parts.find((each) => each.at === at);
  return part?.why ?? part?.is;
};

/** An OpenAPI document of operations without a word of their bodies but a log-in's. */
export const documentOf = (operations: readonly string[], ofLogin = 'post /auth/login'): string => {
  const paths: Record<string, Record<string, unknown>> = {};
  const body = (names: readonly string[]) => ({
    requestBody: {
      content: {
        'application/json': {
          schema: { required: names, properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
        },
      },
    },
  });
  for (const each of [`${ofLogin} email,password open`, ...operations]) {
    const [method = '', path = '', names = '', open] = each.split(' ');
    const isOpen = open !== undefined || names === 'open';
    const fields = names === '' || names === 'open' ? {} : body(names.split(','));
    (paths[path] ??= {})[method] = { ...fields, ...(isOpen && { security: [] }) };
  }
  return JSON.stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://x.test' }],
    paths,
    security: [{ session: [] }],
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
  });
};
