import { header } from '../../client/reading/headers.ts';
import { preflightHeaders, type Preflight } from '../../service/mock/mock-definition.ts';
import { unknownHeader } from '../test-values.ts';
import type { AnalyzedCall } from './analyzed-calls.ts';

/** Learns what a server answers to the question that a browser asks before a page of another origin logs in. */
export function inferPreflight(all: readonly AnalyzedCall[]): Preflight | undefined {
  const asked = all.find(({ method, isCrossOrigin }) => method === 'OPTIONS' && isCrossOrigin);
  if (!asked) return undefined;
  const { status, id } = asked;
  const { headers } = asked.observation;
  const allows = status < 300 && header(headers, 'access-control-allow-origin') !== undefined;
  const said = preflightHeaders.flatMap((name): Preflight['headers'] => {
    const value = header(headers, name);
    return value !== undefined && value.length <= 2000 && /^[\t\x20-\x7e]*$/.test(value) ? [[name, value]] : [];
  });
  const echoesHeaders = (header(headers, 'access-control-allow-headers') ?? '').toLowerCase().includes(unknownHeader);
  const isEcho = ([name]: Preflight['headers'][number]): boolean =>
    echoesHeaders && name === 'access-control-allow-headers';
  return {
    status,
    allows,
    headers: allows ? said.filter((each) => !isEcho(each)) : [],
    echoesHeaders,
    calls: [id],
  };
}
