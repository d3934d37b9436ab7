import { useEffect, useState } from 'react';
import type { InterfaceReading } from '../../../preload/contract/connection.ts';
import type { InterfaceFinding } from '../../../preload/contract/interface.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';

/** What main need not be asked. Its own `ok` would bring its schemas into the page. */
export const known = <T>(value: T): Result<T> => ({ ok: true, value });

/** In characters. Main takes no longer text, as a description and to look into. */
const longestRead = 65_536;
const longestLookedAt = 10_000_000;

/** Reads the text of a description. The answer names the text that it is of. */
export function useReading(text: string | undefined) {
  const { data } = useQuery<{ of: string; reading: InterfaceReading } | undefined>(async () => {
    if (text === undefined) return known(undefined);
    const read = await readDescription(text);
    return read.ok ? known({ of: text, reading: read.value }) : read;
  }, text);
  const readable = data?.reading.readable ? data.reading.interface : undefined;
  return { of: data?.of, reading: data?.reading, readable };
}

async function readDescription(text: string): Promise<Result<InterfaceReading>> {
  if (text.length <= longestRead) return api.interfaces.read({ text });
  return known({ readable: false, faults: [{ problem: 'too-large', at: '' }] });
}

/** What a text is: a description with what is right or wrong with it, or something in which calls were looked for. */
interface TextRead {
  of: string;
  reading?: InterfaceReading;
  finding?: InterfaceFinding;
}

async function readText(text: string): Promise<Result<TextRead>> {
  if (text.trim() === '') return known({ of: text });
  if (text.length > longestLookedAt) {
    return known({ of: text, finding: { kind: 'too-large', mostBytes: longestLookedAt } });
  }
  const read = await readDescription(text);
  if (!read.ok) return read;
  if (read.value.readable) return known({ of: text, reading: read.value });
  const found = await api.interfaces.find({ text });
  if (!found.ok) return found;
  const isMeant = /^\s*\{/.test(text) && text.includes('"calls"');
  const isDescription = found.value.kind === 'unknown-format' && isMeant;
  return known({ of: text, ...(isDescription ? { reading: read.value } : { finding: found.value }) });
}

/** A text is looked into once nobody has typed for as long. */
const settledMs = 250;

/** Reads a text of any kind once nobody types. */
export function useTextRead(text: string | undefined) {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useQuery<TextRead | undefined>(
    async () => (settled === undefined ? known(undefined) : readText(settled)),
    settled,
  );
  const isRead = data?.of === text && settled === text;
  return { read: isRead ? data : undefined, error: settled === text ? error : undefined };
}
