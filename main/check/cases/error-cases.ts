import { setImmediate as turn } from 'node:timers/promises';
import type { CaseAnswer, Question } from '../../../preload/contract/report-cases.ts';
import { isPasswordHash } from '../../client/secrets/secret-forms.ts';
import { createUnmetDependency, findingIf, type Case } from '../case.ts';
import { createPasswordEchoDetector } from './password-echo.ts';
import type { TestClient } from '../test-client.ts';
import { sortLongBodiesFirst, listResponseTexts, type Observation } from '../observation.ts';
import { showsDebugPage, showsStackTrace } from '../stack-traces.ts';

const mostCalls = 3;

const hasStackTrace = (seen: Observation): boolean => {
  // A body that is no JSON is its only text.
  const texts = new Set([seen.call?.response?.body ?? '', ...listResponseTexts(seen).map(({ text }) => text)]);
  return [...texts].some(showsStackTrace);
};

const isDebugPage = ({ call }: Observation): boolean => showsDebugPage(call?.response?.body ?? '');

const hasHash = (seen: Observation): boolean =>
  listResponseTexts(seen).some(
    ({ name, text }) =>
      isPasswordHash(text) ||
      // A hash of an email or of a file is one of a picture or of a version.
      (/pass(?!port|age|eng)|pwd|contrase|clave|senha|salt/i.test(name) &&
        /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)),
  );

/** Yields to the event loop between responses, since all of them may take a second. */
async function lookedThrough(client: TestClient, question: Question, holds: (seen: Observation) => boolean) {
  const found: Observation[] = [];
  for (const seen of client.observations()) {
    if (seen.status > 0 && holds(seen)) found.push(seen);
    await turn();
  }
  const answer: CaseAnswer = { question, value: { kind: 'flag', yes: found.length > 0 } };
  return { found: sortLongBodiesFirst(found).slice(-mostCalls), answer };
}

const nothingAnswered = (client: TestClient): boolean => client.observations().every(({ status }) => status === 0);

export const errorCases: readonly Case[] = [
  {
    id: 'errors.form',
    kind: 'observed',
    section: 7,
    lines: [75],
    calls: 0,
    when: 'at-end',
    run(client) {
      const refusals = client.observations().filter(({ handling }) => handling === 'refused');
      if (refusals.length === 0) return createUnmetDependency('login.unknown-email');
      const placeOf = (part: 'message' | 'fieldErrors'): CaseAnswer['value'] => {
        // A field that only the message names has no path.
        const placed = refusals.filter(({ reading: { trace } }) => part === 'message' || !trace.fieldInWords);
        const place = placed.map(({ reading }) => reading.trace[part]?.path).find((path) => path !== undefined);
        if (place !== undefined) return { kind: 'text', text: [client.secretRegistry.mask(place).slice(0, 200)] };
        return part === 'fieldErrors' && placed.length < refusals.length
          ? { kind: 'choice', choice: 'in-words' }
          : { kind: 'none', why: 'none-in-refusals', count: refusals.length };
      };
      return {
        answers: [
          { question: 'message-place', value: placeOf('message') },
          { question: 'field-errors-place', value: placeOf('fieldErrors') },
        ],
      };
    },
  },
  {
    id: 'errors.body-not-json',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 7,
    lines: [75],
    calls: 2,
    async run(client) {
      const cut = await client.call({
        operation: 'login',
        body: '{"email": "llavero@example.test", ',
        encoding: 'json',
      });
      const list = await client.call({ operation: 'login', body: '[]', encoding: 'json' });
      return {
        answers: [client.reply('body-not-json', cut, 'login'), client.reply('body-no-object', list, 'login')],
      };
    },
  },
  {
    id: 'errors.without-accept',
    kind: 'observed',
    section: 4,
    lines: [42, 75],
    needs: ['profile.served'],
    calls: 3,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('profile.served');
      const token = await client.tokenOf(account);
      const seen = await client.call({ operation: 'profile', token, withoutAccept: true });
      // A refusal without a token says nothing of the header. It is sent for the mock server, which repeats it.
      await client.call({ operation: 'profile', withoutAccept: true });
      return { answers: [client.reply('without-accept', seen, 'profile')] };
    },
  },
  {
    id: 'errors.wrong-method',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 7,
    lines: [75],
    calls: 2,
    async run(client) {
      const answers: CaseAnswer[] = [];
      for (const [operation, method] of [
        ['login', client.adapter.methodOf('login') === 'GET' ? 'POST' : 'GET'],
        ['profile', client.adapter.methodOf('profile') === 'GET' ? 'POST' : 'GET'],
      ] as const) {
        const seen = await client.call({ operation, method });
        answers.push(client.reply('wrong-method', seen, operation));
      }
      return { answers };
    },
  },
  {
    id: 'errors.unknown-path',
    kind: 'observed',
    section: 7,
    lines: [75],
    calls: 1,
    async run(client) {
      const seen = await client.call({ operation: 'profile', path: client.adapter.unknownPath('llavero-unknown') });
      return { answers: [client.reply('unknown-path', seen)] };
    },
  },
  {
    id: 'errors.internals',
    kind: 'observed',
    section: 7,
    lines: [75],
    calls: 0,
    when: 'at-end',
    async run(client) {
      if (nothingAnswered(client)) return createUnmetDependency('registration.served');
      const { found, answer } = await lookedThrough(client, 'stack-trace-seen', hasStackTrace);
      // A page with a stack trace is that finding.
      const pages = await lookedThrough(client, 'debug-page-seen', (seen) => isDebugPage(seen) && !hasStackTrace(seen));
      return {
        answers: [answer, pages.answer],
        findings: [
          ...findingIf(found.length > 0, 'stack-traces', found),
          ...findingIf(pages.found.length > 0, 'debug-page', pages.found),
        ],
      };
    },
  },
  {
    id: 'errors.secrets-sent',
    kind: 'observed',
    section: 2,
    lines: [29],
    calls: 0,
    when: 'at-end',
    async run(client) {
      if (nothingAnswered(client)) return createUnmetDependency('registration.served');
      const passwords = await lookedThrough(
        client,
        'sent-password-seen',
        createPasswordEchoDetector(client.passwords()),
      );
      const hashes = await lookedThrough(client, 'password-hash-seen', hasHash);
      return {
        answers: [passwords.answer, hashes.answer],
        findings: [
          ...findingIf(passwords.found.length > 0, 'password-echoed', passwords.found),
          ...findingIf(hashes.found.length > 0, 'password-hash-shown', hashes.found),
        ],
      };
    },
  },
];
