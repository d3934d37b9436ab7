import { writeHar } from '../../main/calls/har.ts';
import { commandOf } from '../../main/calls/commands.ts';
import { searchedOf } from '../../main/calls/call-summary.ts';
import { recordedCall } from '../../main/calls/recorded-call.ts';
import { createClient } from '../../main/client/client.ts';
import type { Call } from '../../main/client/call.ts';
import { understand } from '../../main/client/answer.ts';
import { cut } from '../../main/contract-run/evidence.ts';
import { writeReport } from '../../main/contract-run/reports/write-report.ts';
import { replyAnswer, seenAnswer } from '../../main/contract-run/seen.ts';
import { textOfBody } from '../../main/secrets/charset.ts';
import { createSecretReferences, type SecretReferences } from '../../main/secrets/secret-references.ts';
import { reportForms } from '../../preload/contract/report-forms.ts';
import { reportWith } from '../support/report.ts';

/** An answer that echoes a secret, and the secret as somebody typed it. */
export type Echo = { secret: string; status: number; contentType: string; body: Buffer; header: string };

const baseUrl = 'http://a.test';
const url = `${baseUrl}/api/v1/auth/login`;
const email = 'ana@example.test';

function callOf({ secret, status, contentType, body, header }: Echo): Call {
  const sent = JSON.stringify({ email, password: secret });
  return {
    id: 'e1',
    startedAt: '2026-11-21T10:00:00.000Z',
    request: {
      method: 'POST',
      url,
      headers: [['Content-Type', 'application/json']],
      body: sent,
      head: {
        text: 'POST /api/v1/auth/login HTTP/1.1\r\nContent-Type: application/json\r\n\r\n',
        source: 'as-written',
      },
    },
    reusedConnection: false,
    timings: { totalMs: 1 },
    response: {
      status,
      statusText: 'Refused',
      httpVersion: '1.1',
      rawHeaders: [
        ['Content-Type', contentType],
        ['X-Echo', header],
      ],
      body: textOfBody(body, contentType) ?? new TextDecoder().decode(body),
      bodyBytes: body,
    },
  };
}

/** What a place shows or keeps of an answer. */
type Show = (echo: Echo, call: Call, references: SecretReferences) => string | Promise<string>;

const recorded = (call: Call, references: SecretReferences) => recordedCall('server', call, references);

async function page(echo: Echo, call: Call): Promise<string> {
  const client = createClient({
    baseUrl,
    transport: {
      close: () => undefined,
      send: async (_request, sendOptions) => {
        const { response } = call;
        if (!response) throw new Error('the call has an answer');
        return { ok: true, response, call: { ...call, understood: await sendOptions?.understand?.(response) } };
      },
    },
  });
  const { reading, ...shown } = await client.login({ email, password: echo.secret });
  return JSON.stringify({ ...shown, reading: { ...reading, meaning: { ...reading?.meaning, token: undefined } } });
}

function reportOf(call: Call, references: SecretReferences) {
  const { response } = call;
  if (!response) throw new Error('the call has an answer');
  const seen = seenAnswer(understand('login', response, url, undefined), call, references);
  const report = reportWith('x');
  const [first, ...others] = report.cases;
  const answers = [replyAnswer('wrong-password', seen, references, 'login')];
  const told = first && 'answers' in first ? { ...first, answers } : first;
  return {
    ...report,
    cases: told ? [told, ...others] : others,
    evidence: [cut(recorded(call, references))],
  };
}

const reports = Object.fromEntries(
  reportForms.map((form): [string, Show] => [
    `report (${form})`,
    ({ secret }, call, references) => {
      // A run knows what it sends before it sends it.
      references.watch(secret, 'password');
      return writeReport(form, reportOf(call, references), 'en');
    },
  ]),
);

/** Every place that a secret must not reach. */
export const places: Readonly<Record<string, Show>> = {
  page,
  drawer: (_echo, call, references) => JSON.stringify(recorded(call, references)),
  file: (_echo, call, references) => {
    const kept = recorded(call, references);
    return JSON.stringify(kept) + searchedOf(kept);
  },
  HAR: (_echo, call, references) => writeHar([recorded(call, references)], { name: 'Llavero', version: '1' }),
  ...reports,
  log: ({ header }, call, references) => {
    recorded(call, references);
    return references.hide(`Error: no answer for ${header}\n    at ${call.response?.body}`);
  },
  clipboard: ({ header }, call, references) => {
    recorded(call, references);
    const { request } = call;
    const again = { ...request, url: `${request.url}?q=${header}`, body: call.response?.body ?? '' };
    const command = commandOf(recorded({ ...call, request: again }, references).request, 'curl-bash');
    return command.ok ? command.command.text : '';
  },
  diagnostics: ({ header }, call, references) => {
    recorded(call, references);
    return references.hide(`Log:\n[warn] ${header}`);
  },
};

export const showAt = async (place: string, echo: Echo): Promise<string> =>
  (await places[place]?.(echo, callOf(echo), createSecretReferences())) ?? '';
