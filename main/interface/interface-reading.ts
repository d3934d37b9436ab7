import type { InterfaceReading, SentCall } from '../../preload/contract/connection.ts';
import type { InterfaceDescription, OwnSecurity } from '../../preload/contract/interface.ts';
import { callsOf } from './calls-of.ts';
import { ownShown } from './own-shown.ts';
import { digestOf, readDescription } from './read-description.ts';
import { ownSecuritiesOf, securitiesOf } from './securities.ts';
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
      ...(name === 'register' || name === 'login' ? [] : credentialOf(waysOf(description, name))),
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

const waysOf = (description: InterfaceDescription, name: 'profile' | 'logout' | 'refresh') =>
  ownSecuritiesOf(description, name === 'logout' ? 'salir' : name === 'profile' ? 'perfil' : name) ??
  securitiesOf(description);

/** Where the credential of a call is, if it goes in the first of its ways. */
function credentialOf([way]: readonly OwnSecurity[]): Part[] {
  if (way === undefined || way.type === 'none') return [];
  const { value = '{{token}}' } = way;
  if (way.type === 'http') return [{ name: 'Authorization', value: `${way.scheme} ${value}`, isHeader: true }];
  if (way.in === 'header') return [{ name: way.name, value, isHeader: true }];
  return [{ name: 'Cookie', value: `${way.name}=${value}`, isHeader: true }];
}
