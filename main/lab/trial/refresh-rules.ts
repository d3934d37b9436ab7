import { findRefreshToken } from '../../interface/refresh-token.ts';
import { refreshOutput } from '../../interface/held-values.ts';
import { isRecord, parseJson, type PlainJson } from '../../interface/template.ts';
import { changeOf, partAt, type Change } from './change.ts';
import { seenOf, type Tried } from './seen.ts';

const mostMembers = 500;

/** Another place of the refresh token in the log-in's answer, where what the description names renews nothing. */
export function refreshChanges(tried: Tried): Change[] {
  const { wire, steps, description } = tried;
  const login = steps.findLast(({ name, result }) => name === 'login' && result.ok);
  const refused = steps.find(({ name }) => name === 'refresh');
  const output = refreshOutput(wire.description);
  const body = login?.calls.at(-1)?.response?.body;
  if (!login || !wire.has.refresh || output === undefined || body === undefined) return [];
  if (refused ? refused.result.ok : wire.canRefresh(login.result.credential ?? {})) return [];
  const json = parseJson(body);
  const held = login.result.credential?.outputs?.[output];
  const { token } = login.result.credential ?? {};
  const texts = leavesOf(json);
  const likely = findRefreshToken(json, []);
  const place =
    texts.find(({ value }) => value === likely && value !== held) ??
    (held === undefined || held === token ? onlyOther(texts, token) : undefined);
  if (!place || partAt(description, `outputs.${output}`) === `$response.body#${place.at}`) return [];
  const why = refused && seenOf(refused, tried);
  const evidence = `${why?.status ?? login.calls.at(-1)?.response?.status} ${place.at.slice(1).replaceAll('/', '.')}: …`;
  return [changeOf(`outputs.${output}`, `$response.body#${place.at}`, { evidence })];
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
