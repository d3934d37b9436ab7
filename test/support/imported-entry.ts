import { callOfEntry } from '../../main/calls/har.ts';
import { importedCall } from '../../main/calls/recorded-call.ts';
import type { SecretReferences } from '../../main/secrets/secret-references.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';

/** An entry of an HTTP archive as it is kept; undefined for what is none. */
export function importedEntry(
  value: unknown,
  references: SecretReferences,
): Omit<RecordedCall, 'serverId'> | undefined {
  const call = callOfEntry(value);
  return call && importedCall(call, references);
}
