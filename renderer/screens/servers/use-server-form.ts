import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Server, ServerDetails } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { sayError } from '../../say-error.ts';
import { useAttempt } from '../../use-attempt.ts';
import { enteredConnectionOf, isOwnConnection } from './entered-connection.ts';

/**
 * Keeps what is typed of a server and what is wrong with it, and saves it.
 * @param server undefined for a new one
 */
export function useServerForm(server: Server | undefined, onDone: () => void) {
  const { t, i18n } = useTranslation();
  const builtIn = server?.builtIn ?? false;
  const [details, setDetails] = useState<ServerDetails>({
    name: server?.name ?? '',
    colour: server?.colour ?? 'gray',
    notes: server?.notes ?? '',
    registrationPath: server?.registrationPath ?? 'registro',
    production: server?.production ?? false,
    pinned: server?.pinned ?? {},
  });
  const [address, setAddress] = useState(server?.baseUrl ?? '');
  const [connection, setConnection] = useState(() => enteredConnectionOf(server));
  const [connectionOpen, setConnectionOpen] = useState(() => isOwnConnection(connection));
  const attempt = useAttempt(server?.id ?? '');
  const formRef = useRef<HTMLFormElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);
  const change = (part: Partial<ServerDetails>) => setDetails((last) => ({ ...last, ...part }));

  const error = attempt.failure?.error;
  const isAboutField = error?.kind === 'invalid-address' || error?.kind === 'invalid-connection';
  const said = error && isAboutField ? sayError(error, 'server', t, i18n.language) : undefined;
  const fieldError = said && `${said.says} ${said.advice}`;
  const wrongField = error?.kind === 'invalid-connection' ? error.field : undefined;
  useEffect(() => {
    if (!error) return;
    const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // What is folded away cannot take the focus.
    field?.closest('details')?.setAttribute('open', '');
    (field ?? alertRef.current)?.focus();
  }, [error]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const entered = { ...details, address, enteredConnection: builtIn ? undefined : connection };
    const result = await attempt.run(() =>
      server ? api.servers.edit({ id: server.id, ...entered }) : api.servers.create(entered),
    );
    if (result?.ok) onDone();
  }

  return {
    formRef,
    alertRef,
    builtIn,
    details,
    change,
    address,
    setAddress,
    connection,
    setConnection,
    connectionOpen,
    setConnectionOpen,
    /** What is wrong and belongs to no field. */
    failure: isAboutField ? undefined : error,
    addressError: error?.kind === 'invalid-address' ? fieldError : undefined,
    wrongConnection: wrongField && fieldError !== undefined ? { field: wrongField, says: fieldError } : undefined,
    dismiss: attempt.dismiss,
    sending: attempt.sending,
    submit,
  };
}
