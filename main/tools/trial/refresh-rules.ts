import { findRefreshToken, locateRefreshToken } from '../../interface/refresh-token.ts';
import { refreshOutput } from '../../interface/credential.ts';
import { isRecord, parseJson, type PlainJson } from '../../interface/template.ts';
import { createChange, valueAtPath, type DescriptionChange } from './description-change.ts';
import { readStepResponse, type TrialStep, type TrialContext } from './step-response.ts';

const maxMembers = 500;

/** Another path of the refresh token in the log-in response, where the one of the description does not work. */
export function proposeRefreshChanges(context: TrialContext): DescriptionChange[] {
  const { adapter, steps, description } = context;
  const login = steps.findLast(({ name, result }) => name === 'login' && result.ok);
  const refresh = steps.find(({ name }) => name === 'refresh');
  const output = refreshOutput(adapter.description);
  const body = login?.calls.at(-1)?.response?.body;
  if (!login || body === undefined) return [];
  if (!adapter.features.refresh) return proposeRefreshCall(login, parseJson(body), context);
  if (output === undefined) return [];
  if (refresh ? refresh.result.ok : adapter.canRefresh(login.result.credential ?? {})) return [];
  const json = parseJson(body);
  const current = login.result.credential?.outputs?.[output];
  const { token } = login.result.credential ?? {};
  const leaves = leavesOf(json);
  const likely = findRefreshToken(json, []);
  const leaf =
    leaves.find(({ value }) => value === likely && value !== current) ??
    (current === undefined || current === token ? onlyOtherToken(leaves, token) : undefined);
  if (!leaf || valueAtPath(description, `outputs.${output}`) === `$response.body#${leaf.at}`) return [];
  const refreshResponse = refresh && readStepResponse(refresh, context);
  const evidence = `${refreshResponse?.status ?? login.calls.at(-1)?.response?.status} ${leaf.at.slice(1).replaceAll('/', '.')}: …`;
  return [createChange(`outputs.${output}`, `$response.body#${leaf.at}`, { evidence })];
}

const loginSegment = /^(?:log[-_]?in|sign[-_]?in|log[-_]?on|authenticate|sessions?|local|password|obtain)$/i;

/**
 * A refresh call beside the log-in, where the response has a refresh token and the description has no refresh call:
 * `/auth/refresh` for `/auth/login`, `/api/token/refresh/` for `/api/token/`, with the member name of the response.
 */
function proposeRefreshCall(
  login: TrialStep,
  json: PlainJson | undefined,
  { adapter, description }: TrialContext,
): DescriptionChange[] {
  const token = locateRefreshToken(json, []);
  if (token === undefined || !('way' in token) || valueAtPath(description, 'calls.refresh') !== undefined) return [];
  if (Object.hasOwn(adapter.description.variables, 'refreshToken')) return [];
  const path = /^[^?]*/.exec(adapter.description.calls.login.path)?.[0] ?? '';
  const slash = path.endsWith('/') ? '/' : '';
  const segments = path.split('/').filter((segment) => segment !== '');
  const before = loginSegment.test(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments;
  const target = `/${[...before, 'refresh'].join('/')}${slash}`;
  const call = {
    method: 'POST',
    path: target,
    body: { [token.way.at(-1) ?? 'refreshToken']: '{{refreshToken}}' },
    security: { type: 'none' },
  };
  const pointer = token.way.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const evidence = `${login.calls.at(-1)?.response?.status} ${token.way.join('.')}: …`;
  const value = `POST ${adapter.description.prefix}${target}`;
  const more = [{ at: ['outputs', 'refreshToken'], to: `$response.body#/${pointer}` }];
  return [createChange('calls.refresh', call, { evidence, value, more })];
}

type Leaf = { at: string; value: string };

/** The only text of a response, beside the token, that may be one. */
function onlyOtherToken(leaves: readonly Leaf[], token: string | undefined): Leaf | undefined {
  const others = leaves.filter(({ value }) => value !== token && /^[\w.~+/=|-]{20,}$/.test(value));
  return others.length === 1 ? others[0] : undefined;
}

function leavesOf(json: PlainJson | undefined): Leaf[] {
  const leaves: Leaf[] = [];
  const queue: { at: string; value: PlainJson | undefined }[] = [{ at: '', value: json }];
  for (const { at, value } of queue) {
    if (queue.length > maxMembers) break;
    if (typeof value === 'string') leaves.push({ at, value: value.replace(/^Bearer\s+/i, '').trim() });
    else if (Array.isArray(value) || isRecord(value)) {
      for (const [name, inner] of Object.entries(value)) {
        queue.push({ at: `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: inner });
      }
    }
  }
  return leaves;
}
