import bruno from '@usebruno/lang';
import { isRecord } from '../../interface/template.ts';
import { seenRequest, type SeenRequest } from './seen-request.ts';

/** What the name of an address says that is asked there. */
const methods = [
  [/log[_-]?in|sign[_-]?in|register|sign[_-]?up|log[_-]?out|sign[_-]?out|token|refresh/i, 'POST'],
  [/profile|user|me$|whoami|session/i, 'GET'],
] as const;

/** Reads the addresses that a `.env` names: that of the server, and that of a call where there is one (`LOGIN_URL`). */
export function readEnv(text: string): SeenRequest[] {
  const values = bruno.dotenvToJson(text);
  const seen = Object.entries(isRecord(values) ? values : {}).flatMap(([name, value]): SeenRequest[] => {
    if (typeof value !== 'string' || !/^https?:\/\/[^\s@]+$/.test(value)) return [];
    const [, method = 'GET'] = methods.find(([words]) => words.test(name)) ?? [];
    return [seenRequest({ method, url: value, name })];
  });
  const isOfApi = ({ name = '' }: SeenRequest) => /api|backend|base|server/i.test(name);
  return [...seen.filter(isOfApi), ...seen.filter((each) => !isOfApi(each))];
}
