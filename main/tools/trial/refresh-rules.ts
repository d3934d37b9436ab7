import { findRefreshToken, locateRefreshToken } from '../../interface/refresh-token.ts';
import { refreshOutput } from '../../interface/credential.ts';
import { isRecord, parseJson, type PlainJson } from '../../interface/template.ts';
import { createChange, valueAtPath, type DescriptionChange } from './description-change.ts';
import { readStepResponse, type TrialStep, type TrialContext } from './step-response.ts';

const mostMembers = 500;

/** Another place of the refresh token in the log-in's answer, where what the description names renews nothing. */
export function proposeRefreshChanges(tried: TrialContext): DescriptionChange[] {
  const { adapter, steps, description } = tried;
  const login = steps.findLast(({ name, result }) => name === 'login' && result.ok);
  const refused = steps.find(({ name }) => name === 'refresh');
  const output = refreshOutput(adapter.description);
  const body = login?.calls.at(-1)?.response?.body;
  if (!login || body === undefined) return [];
  if (!adapter.features.refresh) return renewalOf(login, parseJson(body), tried);
  if (output === undefined) return [];
  if (refused ? refused.result.ok : adapter.canRefresh(login.result.credential ?? {})) return [];
  const json = parseJson(body);
  const held = login.result.credential?.outputs?.[output];
  const { token } = login.result.credential ?? {};
  const texts = leavesOf(json);
  const likely = findRefreshToken(json, []);
  const place =
    texts.find(({ value }) => value === likely && value !== held) ??
    (held === undefined || held === token ? onlyOther(texts, token) : undefined);
  if (!place || valueAtPath(description, `outputs.${output}`) === `$response.body#${place.at}`) return [];
  const why = refused && readStepResponse(refused, tried);
  const evidence = `${why?.status ?? login.calls.at(-1)?.response?.status} ${place.at.slice(1).replaceAll('/', '.')}: …`;
  return [createChange(`outputs.${output}`, `$response.body#${place.at}`, { evidence })];
}

const lastOfLogin = /^(?:log[-_]?in|sign[-_]?in|log[-_]?on|authenticate|sessions?|local|password|obtain)$/i;

/**
 * A renewal beside the log-in, where the answer has a refresh token and the description has no renewal: `/auth/login` has
 * `/auth/refresh`, `/api/token/` has `/api/token/refresh/`, and the member is called as in the answer.
 */
function renewalOf(
  login: TrialStep,
  json: PlainJson | undefined,
  { adapter, description }: TrialContext,
): DescriptionChange[] {
  const found = locateRefreshToken(json, []);
  if (found === undefined || !('way' in found) || valueAtPath(description, 'calls.refresh') !== undefined) return [];
  if (Object.hasOwn(adapter.description.variables, 'refreshToken')) return [];
  const path = /^[^?]*/.exec(adapter.description.calls.login.path)?.[0] ?? '';
  const slash = path.endsWith('/') ? '/' : '';
  const segments = path.split('/').filter((segment) => segment !== '');
  const before = lastOfLogin.test(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments;
  const target = `/${[...before, 'refresh'].join('/')}${slash}`;
  const call = {
    method: 'POST',
    path: target,
    body: { [found.way.at(-1) ?? 'refreshToken']: '{{refreshToken}}' },
    security: { type: 'none' },
  };
  const pointer = found.way.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const evidence = `${login.calls.at(-1)?.response?.status} ${found.way.join('.')}: …`;
  const value = `POST ${adapter.description.prefix}${target}`;
  const more = [{ at: ['outputs', 'refreshToken'], to: `$response.body#/${pointer}` }];
  return [createChange('calls.refresh', call, { evidence, value, more })];
}

type Leaf = { at: string; value: string };

/** The one long word of an answer that is not the token. */
function onlyOther(texts: readonly Leaf[], token: string | undefined): Leaf | undefined {
  const others = texts.filter(({ value }) => value !== token && /^[\w.~+/=|-]{20,}$/.test(value));
  return others.length === 1 ? others[0] : undefined;
}

function leavesOf(json: PlainJson | undefined): Leaf[] {
  const found: Leaf[] = [];
  const waiting: { at: string; value: PlainJson | undefined }[] = [{ at: '', value: json }];
  for (const { at, value } of waiting) {
    if (waiting.length > mostMembers) break;
    if (typeof value === 'string') found.push({ at, value: value.replace(/^Bearer\s+/i, '').trim() });
    else if (Array.isArray(value) || isRecord(value)) {
      for (const [name, inner] of Object.entries(value)) {
        waiting.push({ at: `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: inner });
      }
    }
  }
  return found;
}
