import type { CapsuleProblem } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { readLimited } from '../files/read-limited.ts';
import { jsonProblem, readModel } from '../service/double/read-model.ts';
import { neverImitated } from '../double/compare-double.ts';
import { Capsule, LARGEST_CAPSULE_BYTES, mostCalls } from './capsule.ts';
import { capsuleMark, dataEnd, dataStart } from './capsule-page.ts';

type CapsuleRefusal = { ok: false; problem: CapsuleProblem; detail?: string | undefined };
type CapsuleRead = { ok: true; capsule: Capsule } | CapsuleRefusal;

const no = (problem: CapsuleProblem, detail?: string): CapsuleRefusal => ({ ok: false, problem, detail });

/** Returns the JSON of a capsule's page. What else the page says is for people, and is not read. */
function dataOf(text: string): { ok: true; json: string } | CapsuleRefusal {
  const [, data, ...more] = text.split(dataStart);
  if (data === undefined) return no(text.includes(capsuleMark) ? 'cut-off' : 'not-a-capsule');
  if (more.length > 0) return no('wrong-content', 'two parts for Llavero');
  const end = data.indexOf(dataEnd);
  return end < 0 ? no('cut-off') : { ok: true, json: data.slice(0, end) };
}

const isNamed = (value: unknown, name: string, wanted: unknown): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, name) === wanted;

/** Reads the text of a capsule's file, or says why it is none. It runs nothing, and asks nobody. */
export function readCapsule(text: string): CapsuleRead {
  if (Buffer.byteLength(text) > LARGEST_CAPSULE_BYTES) return no('too-large');
  const data = dataOf(text);
  if (!data.ok) return data;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data.json);
  } catch {
    return no('wrong-content');
  }
  if (!isNamed(parsed, 'schema', 'llavero-capsule')) return no('not-a-capsule');
  if (!isNamed(parsed, 'version', 1)) return no('other-version');
  const problem = jsonProblem(parsed, 'capsule');
  if (problem) return no('wrong-content', problem.sentence);
  const read = Capsule.safeParse(parsed);
  if (!read.success) return no('wrong-content', read.error.issues[0]?.path.map(String).join('.').slice(0, 200));
  const model = readModel(JSON.stringify(read.data.model));
  if (!model.ok) return no('wrong-content', model.sentence);
  return mismatchOf(read.data) ?? { ok: true, capsule: read.data };
}

/** Says whether the parts of a capsule belong to one case of one run at one server. */
function mismatchOf({ caseId, findingId, report, model }: Capsule): CapsuleRefusal | undefined {
  const [result, ...others] = report.cases;
  if (result?.id !== caseId || others.length > 0 || neverImitated.has(caseId))
    return no('wrong-content', 'report.cases');
  const ids = report.findings.map(({ id }) => id);
  if (findingId !== undefined && !ids.includes(findingId)) return no('wrong-content', 'findingId');
  if (report.evidence.length > mostCalls) return no('wrong-content', 'report.evidence');

  const base = parseBaseUrl(report.baseUrl);
  if (!base.ok || base.value !== report.baseUrl) return no('wrong-content', 'report.baseUrl');
  if (model.baseUrl !== report.baseUrl) return no('other-host', 'model.baseUrl');
  const { origin } = new URL(report.baseUrl);
  const stranger = report.evidence.findIndex(({ request }) => originOf(request.url) !== origin);
  if (stranger >= 0) return no('other-host', `report.evidence.${stranger}`);
  return model.measuredAt === report.startedAt ? undefined : no('other-model');
}

/** Returns the origin of a call's address, in which a secret may have stood. */
function originOf(url: Capsule['report']['evidence'][number]['request']['url']): string | undefined {
  const text = url.map((part) => (typeof part === 'string' ? part : 'secret')).join('');
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

/** Reads a capsule's file, of which no more than a capsule may have is looked at. */
export async function readCapsuleFile(file: string): Promise<CapsuleRead> {
  const read = await readLimited(file, LARGEST_CAPSULE_BYTES);
  return read.ok ? readCapsule(read.content.toString('utf8')) : no(read.reason, 'code' in read ? read.code : undefined);
}
