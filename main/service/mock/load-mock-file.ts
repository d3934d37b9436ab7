import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { InterfaceFault } from '../../../preload/contract/connection.ts';
import { readDescription } from '../../interface/read-description.ts';
import { exceededJsonLimit } from '../../files/json-limits.ts';
import { errorCodeOrEmpty } from '../error-code-or-empty.ts';
import { MockDefinition } from './mock-definition.ts';

const LARGEST_MODEL_BYTES = 5 * 1024 * 1024;

/** Why a text is no model. */
type ModelProblem =
  | 'unreadable'
  | 'too-large'
  | 'too-deep'
  | 'not-json'
  | 'report-without-model'
  | 'not-a-model'
  | 'other-version'
  | 'forbidden-name'
  | 'wrong-content';

type Refusal = {
  ok: false;
  problem: ModelProblem;
  /** It says the problem in English. */
  sentence: string;
  /** The part that is wrong, or the system's code. */
  detail?: string | undefined;
};

export type MockFileResult = { ok: true; model: MockDefinition } | Refusal;

const no = (problem: ModelProblem, sentence: string, detail?: string): Refusal => ({
  ok: false,
  problem,
  sentence,
  ...(detail !== undefined && { detail }),
});

/** As keys, these names mean something to JavaScript itself. */
const dangerousNames = new Set(['__proto__', 'constructor', 'prototype']);

const tooLarge = no('too-large', 'The mock file is larger than 5 MB.');
const aboveLimits = {
  'too-deep': no('too-deep', 'The mock file is nested more than 64 levels deep.'),
  'too-large': no('too-large', 'The mock file has more than 200000 values.'),
} as const;

/** Finds a key that means something to JavaScript. */
function forbiddenKey(parsed: unknown): string | undefined {
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  for (const [key, value] of Object.entries(parsed)) {
    const found = dangerousNames.has(key) ? key : forbiddenKey(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isNamed = (value: unknown, name: string, wanted: unknown): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, name) === wanted;

/** Reads the text of a model, or of a report that holds one, or says in one sentence what is wrong with it. */
export function parseMockFile(text: string): MockFileResult {
  if (Buffer.byteLength(text) > LARGEST_MODEL_BYTES) return tooLarge;
  const above = exceededJsonLimit(text);
  if (above) return aboveLimits[above];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return no('not-json', 'The mock file is not JSON.');
  }
  if (isNamed(parsed, 'schema', 'llavero-report')) return modelInReport(parsed);
  return modelOf(parsed);
}

/** Reads the model in the report of a shared finding. */
function modelInReport(report: unknown): MockFileResult {
  const model: unknown = typeof report === 'object' && report !== null ? Reflect.get(report, 'model') : undefined;
  if (model !== undefined) return modelOf(model);
  return no('report-without-model', 'This report contains no mock. Create a mock file with check --mock-file.');
}

function modelOf(parsed: unknown): MockFileResult {
  if (!isNamed(parsed, 'schema', 'llavero-model')) return no('not-a-model', 'This is not a mock file.');
  if (!isNamed(parsed, 'version', 1))
    return no('other-version', 'The mock file is not version 1, the only one that is supported.');
  const key = forbiddenKey(parsed);
  if (key !== undefined)
    return no('forbidden-name', `The mock file has a field named "${key}", which is not allowed.`, key);
  const read = MockDefinition.safeParse(parsed);
  const faults = read.success ? faultsOfInterface(read.data) : [];
  if (read.success && faults.length === 0) return { ok: true, model: read.data };
  const [fault] = faults;
  const place = (fault ? `interface.${fault.at}` : (read.error?.issues[0]?.path.map(String).join('.') ?? '')).slice(
    0,
    200,
  );
  const sentence = `The mock file does not match its schema${place === '' ? '' : `, at ${place}`}.`;
  return no('wrong-content', sentence, place === '' ? undefined : place);
}

/** What a description must not do, also in a model of somebody else's. */
function faultsOfInterface({ interface: description }: MockDefinition): readonly InterfaceFault[] {
  const read = description && readDescription(JSON.stringify(description));
  return read?.ok === false ? read.faults : [];
}

/** Reads a model's file, of which no more than a model may have is looked at. */
export async function loadMockFile(file: string): Promise<MockFileResult> {
  try {
    // A pipe would otherwise be waited for.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const about = await handle.stat();
      if (!about.isFile()) return no('unreadable', 'The mock file is not a regular file.');
      if (about.size > LARGEST_MODEL_BYTES) return tooLarge;
      return parseMockFile(await handle.readFile('utf8'));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = errorCodeOrEmpty(error) || 'unreadable';
    return no('unreadable', `The mock file cannot be read (${code}).`, code);
  }
}
