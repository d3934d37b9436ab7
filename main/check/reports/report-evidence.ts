import type { RecordedCall, RedactedBody, RedactedText } from '../../../preload/contract/calls.ts';
import { heading, paragraph, type Block } from './document.ts';
import type { ReportWriter } from './report-writer.ts';

/** Every request of the run. Those that prove a problem are complete in every format. */
export function createEvidenceBlocks(writer: ReportWriter): Block[] {
  const { report, w } = writer;
  if (report.evidence.length === 0) return [heading(2, w('evidence')), paragraph(w('noEvidence'))];
  return [heading(2, w('evidence')), paragraph(w('evidenceIntro')), ...evidenceCalls(writer)];
}

function evidenceCalls(writer: ReportWriter): Block[] {
  const { report, formatter, w, text, spans } = writer;
  const proving = provingCalls(writer);
  return report.evidence.map((call, at): Block => {
    const { request, response, failure, timings, id } = call;
    return {
      block: 'evidence',
      number: at + 1,
      line: [
        { code: `${request.method} ${pathOf(text(request.url), report.baseUrl)}` },
        response ? ` → ${response.status}, ` : ` → ${w('failed')}, `,
        `${formatter.number(Math.round(timings.totalMs))} ms`,
        ...(failure ? [', ', ...spans(formatter.error(failure))] : []),
      ],
      blocks: [
        paragraph({ strong: w('request') }),
        { block: 'code', language: 'http', text: requestText(writer, call) },
        ...(response
          ? [
              paragraph({ strong: w('response') }),
              { block: 'code', language: 'http', text: responseText(writer, response) } satisfies Block,
            ]
          : []),
      ],
      full: proving.has(id),
    };
  });
}

/** The requests that prove a problem. */
const provingCalls = ({ report, stated }: ReportWriter): ReadonlySet<string> =>
  new Set([
    ...report.findings.flatMap(({ calls }) => calls),
    ...stated.filter(({ outcome }) => outcome === 'failed').flatMap(({ calls }) => calls),
  ]);

function requestText(writer: ReportWriter, { request }: Pick<RecordedCall, 'request'>): string {
  return `${writer.text(request.head.text).trimEnd()}\n\n${bodyText(writer, request.body)}`;
}

function responseText(writer: ReportWriter, response: NonNullable<RecordedCall['response']>): string {
  const { text } = writer;
  const line = `HTTP/${response.httpVersion} ${response.status}`;
  const headers = response.headers.map(([name, value]: [string, RedactedText]) => `${name}: ${text(value)}`);
  return `${[line, ...headers].join('\n')}\n\n${bodyText(writer, response.body)}`;
}

function bodyText({ formatter, w, text }: ReportWriter, body: RedactedBody | undefined): string {
  if (!body || body.bytes === 0) return `(${w('emptyBody')})`;
  if (body.form === 'described') {
    const { type, title, sha256 } = body;
    const said = [
      w('describedBody', { bytes: formatter.unit(body.bytes, 'byte') }),
      ...(type === undefined ? [] : [type]),
      ...(title ? [text(title)] : []),
      ...(sha256 === undefined ? [] : [`SHA-256 ${sha256}`]),
    ];
    return `(${said.join(', ')})`;
  }
  const shown = text(body.text);
  // In characters: with names instead of secrets, bytes would not be exact either.
  const isCut = shown.length >= 4096;
  return isCut ? `${shown}\n(${w('cutBody', { bytes: formatter.unit(body.bytes, 'byte') })})` : shown;
}

/** The path below the base URL, which is the same in every request. */
function pathOf(url: string, baseUrl: string): string {
  return url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
}
