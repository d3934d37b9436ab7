import { expect, it, onTestFinished } from 'vitest';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import fixtures from '../../fixtures/run-answers.json' with { type: 'json' };
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { createCheck } from '../support/run-check.ts';
import { isPath, smallServer } from '../support/small-server.ts';

const isRegistration = (request: Parameters<typeof isPath>[0]) =>
  isPath(request, 'registro') || isPath(request, 'register');

/** Makes a server that answers a fault to every wrong registration. */
function failing(body: object) {
  const known = new Set<unknown>();
  return smallServer({
    override: (request) => {
      if (!isRegistration(request)) return undefined;
      const { name, email, password } = JSON.parse(request.body) as Record<string, unknown>;
      const isWrong = known.has(email) || [name, email, password].some((each) => typeof each !== 'string');
      if (isWrong || !String(email).includes('@')) return answer(500, body);
      known.add(email);
      return undefined;
    },
  });
}

it.each(fixtures.faults)('a fault on input is found as real servers had it: $of', async ({ case: id, body, text }) => {
  const server = await startRecordingServer(failing(body));
  onTestFinished(server.close);
  // The cases of the file are these names.
  const { findings } = await createCheck(server.origin, { options: { only: [id as CaseId] } }).start();
  const isEveryday = id === 'registration.repeated-email' || id === 'registration.missing-field';
  const found = isEveryday ? 'server-fault-on-refusal' : 'server-fault-on-input';
  expect(findings.map((each) => [each.id, each.caseId])).toEqual([[found, id]]);
  expect(JSON.stringify(findings[0]?.details)).toContain(text);
});

/** What nginx says where the server behind it gave no answer. */
const badGateway = answer(502, '<html><head><title>502 Bad Gateway</title></head></html>', {
  'Content-Type': 'text/html',
});

it('a gateway that loses an answer now and then says nothing of the server behind it', async () => {
  let calls = 0;
  const server = await startRecordingServer(
    smallServer({ override: () => ((calls += 1) % 9 === 0 ? badGateway : undefined) }),
  );
  onTestFinished(server.close);
  const { findings } = await createCheck(server.origin).start();
  expect(calls).toBeGreaterThan(90);
  expect(findings.filter(({ id }) => id.startsWith('server-fault'))).toEqual([]);
});

it('a gateway that loses the answer to the same input each time shows a fault of the server', async () => {
  const isOdd = (body: string) => Object.values(JSON.parse(body) as object).some((value) => typeof value !== 'string');
  const server = await startRecordingServer(
    smallServer({
      override: (request) => (isRegistration(request) && isOdd(request.body) ? badGateway : undefined),
    }),
  );
  onTestFinished(server.close);
  const { findings } = await createCheck(server.origin, { options: { only: ['registration.other-type'] } }).start();
  expect(findings.map(({ id }) => id)).toEqual(['server-fault-on-input']);
});
