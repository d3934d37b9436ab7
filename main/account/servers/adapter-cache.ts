import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import {
  descriptionDigest,
  readDescription,
  variableFaults,
  variableValues,
} from '../../interface/read-description.ts';
import { defaultInterface, canonicalInterface } from '../../interface/shipped.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import type { StoredInterface, StoredServer } from '../config/config.ts';
import { storedSecretNames, enteredVariables } from './interface-form.ts';
import type { ServerSecrets } from './server-secrets.ts';

/** A server with the address that it has now. */
type Spoken = Pick<StoredServer, 'id' | 'baseUrl' | 'interface'>;

/**
 * Makes a wire of what is stored, with values of its secret variables. Fails where the text is not the one that was shown,
 * as after somebody wrote into `config.json`.
 * @param mayLackSecrets whether a secret may come later: a header with it is left out
 */
export function adapterFor(
  stored: StoredInterface | undefined,
  baseUrl: string,
  secrets: Readonly<Record<string, string>> = {},
  mayLackSecrets = true,
): Result<ApiAdapter> {
  if (!stored) return ok(new ApiAdapter(defaultInterface, baseUrl));
  const read = readDescription(stored.text);
  if (!read.ok) return fail({ kind: 'invalid-interface', faults: [...read.faults] });
  if (descriptionDigest(stored.text) !== stored.digest) return fail({ kind: 'invalid-interface', faults: [] });
  const { variables } = read.description;
  const given = { ...enteredVariables(stored), ...secrets };
  const values = variableValues(read.description, given, URL.parse(baseUrl)?.origin ?? '');
  // Those of a server out of a file are still to be entered.
  const missing = variableFaults(read.description, values).filter(
    ({ problem, name = '' }) => problem === 'missing' && !(mayLackSecrets && variables[name]?.secret === true),
  );
  if (missing.length > 0) return fail({ kind: 'invalid-interface', faults: missing });
  return ok(new ApiAdapter(canonicalInterface(read.description), baseUrl, given));
}

/** The interfaces of servers with all that was entered for them, made with the first call and again after a change. */
export class AdapterCache {
  readonly #secrets: Pick<ServerSecrets, 'variablesOf'>;
  readonly #made = new Map<string, { of: StoredInterface | undefined; adapter: ApiAdapter }>();

  constructor(secrets: Pick<ServerSecrets, 'variablesOf'>) {
    this.#secrets = secrets;
  }

  async for(server: Spoken): Promise<Result<ApiAdapter>> {
    const { id, baseUrl, interface: stored } = server;
    const made = this.#made.get(id);
    if (made && made.of === stored && made.adapter.baseUrl === baseUrl) return ok(made.adapter);
    const secrets = await this.#secrets.variablesOf(server);
    const wire = adapterFor(stored, baseUrl, secrets);
    // The vault may give the others later.
    const hasAll = Object.keys(secrets).length === (stored ? storedSecretNames(stored).length : 0);
    if (wire.ok && hasAll) this.#made.set(id, { of: stored, adapter: wire.value });
    return wire;
  }

  forget(): void {
    this.#made.clear();
  }
}
