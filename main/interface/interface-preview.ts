import type { InterfacePreview, RequestPreview } from '../../preload/contract/connection.ts';
import type { InterfaceDescription, OperationSecurity } from '../../preload/contract/interface.ts';
import { listCalls } from './list-calls.ts';
import { defaultInterfaceSummary } from './default-interface-summary.ts';
import { descriptionDigest, readDescription } from './read-description.ts';
import { operationSecurity, sessionSchemes } from './security-schemes.ts';
import { defaultInterface } from './shipped.ts';
import { createInterfaceSummary } from './interface-summary.ts';
import { isRecord, toText, type PlainJson } from './template.ts';
import { ApiAdapter } from './api-adapter.ts';

type Part = RequestPreview['parts'][number];

/** Reads the text of a description for a form; an empty one stands for our own. */
export function previewInterface(text: string): InterfacePreview {
  if (text === '')
    return {
      readable: true,
      interface: defaultInterfaceSummary,
      ...previewRequests(new ApiAdapter(defaultInterface, '')),
    };
  const read = readDescription(text);
  if (!read.ok) return { readable: false, faults: [...read.faults] };
  const adapter = new ApiAdapter(read.description, '');
  return {
    readable: true,
    interface: createInterfaceSummary(adapter, { digest: descriptionDigest(text) }),
    ...previewRequests(adapter),
  };
}

/** The calls of an interface as they are sent, with `{{x}}` where something is filled in, and where the token is. */
function previewRequests(adapter: ApiAdapter): { sent: RequestPreview[]; token?: string } {
  const { description, features } = adapter;
  const token = adapter.outputPaths('login').token ?? (features.cookie ? 'cookie' : undefined);
  const sent = listCalls(description).map(({ name, call }) => ({
    call: name,
    method: call.method,
    path: description.prefix + call.path || '/',
    parts: [
      ...(call.body === undefined ? [] : membersOf(call.body)),
      ...(name === 'register' || name === 'login' ? [] : credentialOf(securityOf(description, name))),
      ...Object.entries(description.headers).map(([header, value]) => ({ name: header, value, isHeader: true })),
    ],
  }));
  return { sent, ...(token !== undefined && { token }) };
}

function membersOf(body: { [name: string]: PlainJson }, at = ''): Part[] {
  return Object.entries(body).flatMap(([name, value]) =>
    isRecord(value) ? membersOf(value, `${at}${name}.`) : [{ name: at + name, value: toText(value), isHeader: false }],
  );
}

const securityOf = (description: InterfaceDescription, name: 'profile' | 'logout' | 'refresh') =>
  operationSecurity(description, name) ?? sessionSchemes(description);

/** Where the credential of a call is, if it goes in the first of its ways. */
function credentialOf([way]: readonly OperationSecurity[]): Part[] {
  if (way === undefined || way.type === 'none') return [];
  const { value = '{{token}}' } = way;
  if (way.type === 'http') return [{ name: 'Authorization', value: `${way.scheme} ${value}`, isHeader: true }];
  if (way.in === 'header') return [{ name: way.name, value, isHeader: true }];
  return [{ name: 'Cookie', value: `${way.name}=${value}`, isHeader: true }];
}
