import { Report, FindingId } from '../../preload/contract/report.ts';
import {
  CaseId,
  type CaseAnswer,
  type CaseResult,
  type NotMeasured,
  type ObservedValue,
  Question,
} from '../../preload/contract/report-cases.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import { everyError } from './stub-main/every-error.ts';

/** A server might try to put something into a report with these texts, or hide something in it. */
export const hostileTexts: readonly string[] = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '"><a href="https://evil.example/">click</a>',
  '[click](https://evil.example/) ![x](https://evil.example/x.png) https://evil.example/ www.evil.example',
  'a | b \\| c \\\\| d | ` e `` f ``` g',
  '\n\n# A heading of the server\n\n- **passed**\n\n```\n</details></main>\n~~~\n',
  '| x | y |\n| --- | --- |\n| 1 | 2 |',
  '\u202eright to left\u2066 \u200bwithout width\u200d \u061c',
  '\u0000\u0007\u001b[31mred\u001b[0m \u009b1m \ud800 \ufffe',
  ']]></system-out></testsuite><testcase name="faked"/>&amp;&#60;!--',
  '@everyone <user@evil.example> &lt;b&gt; \\*not bold\\* _x_ ~~y~~ $z$',
  '[x](javascript:alert(1)) <javascript:alert(1)> @mention mailto:me@evil.example #12 [^1] - [ ] x',
  '</code></summary></details><details open><summary>`` \\` \\`` \\\\\\|',
  '    indented like code\n\tand a tab\r\nand ends of lines\u2028of all\u2029kinds',
  '',
];

const outside = (text: string, at: number): ({ secret: 'token'; id: string } | string)[] => [
  text,
  { secret: 'token', id: `secret-${at}` },
  text,
];

/** Makes one value of each kind. `text` is what the server says in it. */
const valuesWith = (text: string, at: number): ObservedValue[] => [
  { kind: 'status', status: 201 },
  { kind: 'flag', yes: true },
  { kind: 'choice', choice: 'both' },
  { kind: 'count', count: 12 },
  { kind: 'seconds', seconds: 2_592_000 },
  { kind: 'bytes', bytes: 65_536 },
  { kind: 'bits', bits: 190.5, atLeast: true },
  { kind: 'date', date: '2026-05-04T03:02:01.000Z' },
  { kind: 'text', text: outside(text, at) },
  { kind: 'list', items: [text, 'b'] },
  { kind: 'fields', fields: [{ path: text, type: 'string', secret: true }] },
  { kind: 'headers', headers: [[text, outside(text, at)]] },
  { kind: 'reply', handling: 'refused', status: 422, message: outside(text, at), fields: [text] },
  { kind: 'times', samples: 20, knownMedianMs: 20.5, unknownMedianMs: 2, pValue: 0.00000002, effect: -1 },
  { kind: 'none', why: 'none-tried', count: 4 },
];

const reasons: NotMeasured[] = [
  { kind: 'needs', caseId: 'login.answer' },
  { kind: 'throttled' },
  { kind: 'throttled', retryAfterSeconds: 3600 },
  { kind: 'throttled', retryAfterSeconds: 42, limit: 5, windowSeconds: 60, waitedSeconds: 42 },
  { kind: 'unstable' },
  { kind: 'account-limit' },
  { kind: 'call-limit' },
  { kind: 'not-asked' },
  { kind: 'spares-account' },
  { kind: 'no-second-account' },
  { kind: 'restarted' },
  { kind: 'run-ended' },
  ...everyError.map((error): NotMeasured => ({ kind: 'no-answer', error })),
];

const callWith = (text: string, at: number): RecordedCall => ({
  id: `call-${at}`,
  serverId: '',
  startedAt: '2026-05-04T03:02:01.000Z',
  request: {
    method: 'POST',
    url: ['http://127.0.0.1:8000/api/v1/auth/login?', text],
    head: { text: ['POST /api/v1/auth/login HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n'], source: 'as-written' },
    body: { form: 'text', text: ['{"password":"', { secret: 'password', id: 'p' }, '"}'], bytes: 30 },
  },
  response: {
    status: 200,
    httpVersion: '1.1',
    headers: [['X-Text', outside(text, at)]],
    body: { form: 'text', text: outside(text, at), bytes: 100_000 },
  },
  timings: { totalMs: 12.3 },
  reusedConnection: false,
});

/**
 * Makes a report with every case, every question, every kind of value, every finding and every reason, and `text`
 * wherever a server can have its say. No run makes such a report: cases ask and find what others would.
 */
export function reportWith(text: string): Report {
  const values = valuesWith(text, 1);
  const all = Question.options.map((question, at): CaseAnswer => ({ question, value: values[at % values.length]! }));
  const answersOf = (at: number): CaseAnswer[] => [0, 1, 2].map((more) => all[(at * 3 + more) % all.length]!);
  const refused: NotMeasured = { kind: 'account-refused', status: 401, message: outside(text, 2) };
  const everyReason: NotMeasured[] = [refused, ...reasons, { kind: 'bug', message: text }];
  const cases = CaseId.options.map((id, at): CaseResult => {
    const about = { id, section: (at % 9) + 1, lines: [notShownLines[at % notShownLines.length]!], durationMs: 1500 };
    const calls = [`call-${at % 5}`];
    const answers = answersOf(at);
    if (at % 4 === 0) return { ...about, calls, kind: 'stated', outcome: at % 8 === 0 ? 'failed' : 'passed', answers };
    if (at % 4 === 1) {
      const reason = everyReason[(at - 1) / 4] ?? everyReason.at(-1)!;
      return { ...about, calls, kind: 'stated', outcome: 'not-measured', reason };
    }
    return { ...about, calls, kind: 'observed', outcome: 'answered', answers };
  });
  return Report.parse({
    schema: 'llavero-report',
    version: 1,
    toolVersion: '0.1.0',
    baseUrl: 'http://127.0.0.1:8000',
    serverName: text,
    givenAccount: text,
    extraHeaders: ['CF-Access-Client-Id', text],
    startedAt: '2026-05-04T03:02:01.000Z',
    endedAt: '2026-05-04T03:03:01.000Z',
    durationMs: 60_000,
    interface: undefined,
    options: { only: ['login.answer'] },
    ended: { kind: 'complete' },
    calls: 100,
    accounts: [
      { email: 'llavero-1@example.test', madeBy: 'registration.served', state: 'made' },
      { email: 'llavero-2@example.test', madeBy: 'registration.served', state: 'unsure' },
    ],
    cleanup: { created: 2, deleted: 1, left: [{ email: text, why: 'deletion-refused', status: 403 }] },
    throttlings: [{ call: 'call-1', limit: 5, windowSeconds: 60, askedSeconds: 42, waitedSeconds: 42 }],
    cases,
    givenFactor: true,
    findings: FindingId.options.map((id, at) => ({
      id,
      severity: (['high', 'medium', 'low', 'info'] as const)[at % 4],
      caseId: CaseId.options[at],
      calls: [`call-${at % 5}`],
      script: `curl 'http://127.0.0.1:8000/' --data-raw '${text}'`,
      details: [{ question: 'token-place', value: { kind: 'text', text: [text] } }],
    })),
    verdict: undefined,
    problems: undefined,
    accepted: [{ fault: 'finding:plain-http', case: 'transport.encryption', reason: text, accepted: '2026-05-04' }],
    evidence: [0, 1, 2, 3, 4].map((at) => callWith(text, at)),
  } satisfies Record<keyof Report, unknown>);
}

/** The lines of `interface.md` that say "not shown". */
export const notShownLines = [16, 29, 30, 38, 56, 57, 58, 59, 66, 67, 71, 75, 79, 84];
