import { header } from '../../client/reading/headers.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { createUnmetDependency, type Case } from '../case.ts';
import type { Observation } from '../observation.ts';

/** Where frameworks and their packages serve their documents. */
const otherPaths = [
  '/api/documentation',
  '/openapi.json',
  '/swagger.json',
  '/swagger/v1/swagger.json',
  '/v3/api-docs',
  '/docs',
  '/redoc',
  '/api-docs',
  '/api-json',
  '/documentation/json',
  '/api/schema/',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
] as const;

/** The paths around the API come first. */
function pathsBeside({ paths: { prefix } }: ApiAdapter): string[] {
  const above = prefix.replace(/\/[^/]*$/, '');
  return [...new Set([prefix, above, `${above}/openapi.json`, ...otherPaths])].filter((path) => path !== '');
}

const isServed = ({ status }: Observation): boolean => status >= 200 && status < 300;

const bodyOf = ({ call }: Observation): string => call?.response?.body ?? '';

const isSamePage = (one: Observation, other: Observation): boolean =>
  bodyOf(one) === bodyOf(other) || (one.reading.trace.body.form === 'html' && other.reading.trace.body.form === 'html');

/** What the API type does not have. */
export const otherEndpointCases: readonly Case[] = [
  {
    id: 'functions.others',
    kind: 'observed',
    section: 1,
    lines: [16],
    calls: otherPaths.length + 4,
    async run(client) {
      const items: string[] = [];
      // A server of a web page answers it at any path, which says nothing of any.
      const anywhere = await client.call({ operation: 'profile', path: '/llavero-unknown' });
      let tried = 0;
      const paths = pathsBeside(client.adapter);
      for (const path of paths) {
        if (client.callsLeft() < paths.length) break;
        const seen = await client.call({ operation: 'profile', path });
        tried += 1;
        if (isServed(seen) && !(isServed(anywhere) && isSamePage(seen, anywhere))) items.push(path);
      }
      return {
        answers: [
          {
            question: 'other-paths',
            value: items.length === 0 ? { kind: 'none', why: 'none-tried', count: tried } : { kind: 'list', items },
          },
        ],
      };
    },
  },
  {
    id: 'functions.events',
    kind: 'observed',
    section: 6,
    lines: [71],
    calls: 0,
    when: 'at-end',
    run(client) {
      const all = client.observations().filter(({ status }) => status > 0);
      if (all.length === 0) return createUnmetDependency('registration.served');
      const yes = all.some(
        (seen) =>
          seen.status === 101 ||
          /event-stream/i.test(header(seen.headers, 'content-type') ?? '') ||
          /rel="?(?:hub|monitor|subscription)/i.test(header(seen.headers, 'link') ?? ''),
      );
      return { answers: [{ question: 'events-seen', value: { kind: 'flag', yes } }] };
    },
  },
  {
    id: 'functions.states',
    kind: 'observed',
    section: 3,
    lines: [38],
    needs: ['registration.served', 'login.right-credentials'],
    calls: 0,
    run(client) {
      const gaveToken = client
        .observationsOf('registration.served')
        .some(({ reading }) => reading.summary.token !== undefined);
      return {
        answers: [
          { question: 'token-at-registration', value: { kind: 'flag', yes: gaveToken } },
          // It was the next call of the account, unless another one was given.
          ...(client.givenAccount
            ? []
            : [{ question: 'login-right-after-registration', value: { kind: 'flag', yes: true } } as const]),
        ],
      };
    },
  },
];
