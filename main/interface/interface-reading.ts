import type { InterfaceReading, SentCall } from '../../preload/contract/connection.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import { callsOf } from './calls-of.ts';
import { ownShown } from './own-shown.ts';
import { digestOf, readDescription } from './read-description.ts';
import { ownInterface } from './shipped.ts';
import { shownInterface } from './shown-interface.ts';
import { isRecord, textOf, type PlainJson } from './template.ts';
import { Wire } from './wire.ts';

type Part = SentCall['parts'][number];

/** Reads the text of a description for a form; an empty one stands for our own. */
export function readInterface(text: string): InterfaceReading {
  if (text === '') return { readable: true, interface: ownShown, ...sentBy(new Wire(ownInterface, '')) };
  const read = readDescription(text);
  if (!read.ok) return { readable: false, faults: [...read.faults] };
  const wire = new Wire(read.description, '');
  return { readable: true, interface: shownInterface(wire, { digest: digestOf(text) }), ...sentBy(wire) };
}

/** The calls of an interface as they are sent, with `{{x}}` where something is filled in, and where the token is. */
function sentBy(wire: Wire): { sent: SentCall[]; token?: string } {
  const { description, has } = wire;
  const token = wire.placesOf('login').token ?? (has.cookie ? 'cookie' : undefined);
  const sent = callsOf(description).map(({ name, call }) => ({
    call: name,
    method: call.method,
    path: description.prefix + call.path || '/',
    parts: [
      ...(call.body === undefined ? [] : membersOf(call.body)),
      ...(name === 'register' || name === 'login' ? [] : credentialOf(description)),
      ...Object.entries(description.headers).map(([header, value]) => ({ name: header, value, isHeader: true })),
    ],
  }));
  return { sent, ...(token !== undefined && { token }) };
}

function membersOf(body: { [name: string]: PlainJson }, at = ''): Part[] {
  return Object.entries(body).flatMap(([name, value]) =>
    isRecord(value) ? membersOf(value, `${at}${name}.`) : [{ name: at + name, value: textOf(value), isHeader: false }],
  );
}

function credentialOf({ security }: InterfaceDescription): Part[] {
  if (security.type === 'none') return [];
  if (security.type === 'http')
    return [{ name: 'Authorization', value: `${security.scheme} {{token}}`, isHeader: true }];
  if (security.in === 'header') return [{ name: security.name, value: '{{token}}', isHeader: true }];
  return [{ name: 'Cookie', value: `${security.name}={{token}}`, isHeader: true }];
}
