import { type FormEvent, useEffect, useRef } from 'react';
import type { EnteredConnection } from '../../../preload/contract/connection.ts';
import type { Server, ServerDetails } from '../../../preload/contract/models.ts';
import { api, currentAppState } from '../../api.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { arriveAt } from '../../arrive.ts';
import { unmasked } from '../../presenting.ts';
import { useAttempt } from '../../use-attempt.ts';
import type { WrongHeader } from './headers-fold.tsx';
import { changeDraft, dropDraft, enteredServerOf, isChanged, useServerDrafts } from './server-drafts.ts';
import { useSayError } from '../../use-say-error.ts';

const fieldErrors: ReadonlySet<AppError['kind']> = new Set(['invalid-address', 'invalid-connection', 'invalid-header']);

/**
 * Has what is typed of a server and what is wrong with it, and saves it.
 * @param server undefined for a new one
 * @param onCreated called with the id of a new server
 */
export function useServerForm(server: Server | undefined, onCreated: (id: string) => void) {
  const sayError = useSayError();
  const isDouble = server?.double !== undefined;
  const builtIn = server?.builtIn ?? false;
  /** Nobody says where such a server is, or how it is reached. */
  const isRunHere = builtIn || isDouble;
  const draft = useServerDrafts().get(server?.id);
  const entered = enteredServerOf(server, draft);
  const attempt = useAttempt(server?.id ?? '');
  const formRef = useRef<HTMLFormElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);

  const error = attempt.failure?.error;
  const isAboutField = error !== undefined && fieldErrors.has(error.kind);
  const said = error && isAboutField ? sayError(error, 'server') : undefined;
  const fieldError = said && `${said.says} ${said.advice}`;
  const wrongField = error?.kind === 'invalid-connection' ? error.field : undefined;
  useEffect(() => {
    if (!error) return;
    const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // What is folded away cannot take the focus.
    field?.closest('details')?.setAttribute('open', '');
    arriveAt(field ?? alertRef.current);
  }, [error]);

  /** Returns what the form has, without the masks that a presenter's view puts over emails. */
  function toSend(): typeof entered {
    const own = currentAppState()?.servers.find(({ id }) => id === server?.id);
    return own ? unmasked(entered, enteredServerOf(own)) : entered;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (server && !isChanged(server, draft)) return;
    const { details, address, connection } = toSend();
    const sent = { ...details, address, enteredConnection: isRunHere ? undefined : connection };
    const before = new Set(currentAppState()?.servers.map(({ id }) => id));
    const result = await attempt.run(() =>
      server ? api.servers.edit({ id: server.id, ...sent }) : api.servers.create(sent),
    );
    if (!result?.ok) return;
    dropDraft(server?.id);
    const created = currentAppState()?.servers.find(({ id }) => !before.has(id));
    if (!server && created) onCreated(created.id);
  }

  return {
    ...entered,
    toSend,
    formRef,
    alertRef,
    builtIn,
    isRunHere,
    isChanged: isChanged(server, draft),
    change: (details: Partial<ServerDetails>) => changeDraft(server?.id, { details }),
    setAddress: (address: string) => {
      changeDraft(server?.id, { address });
      attempt.dismiss();
    },
    setConnection: (connection: EnteredConnection) => {
      changeDraft(server?.id, { connection });
      attempt.dismiss();
    },
    discard: () => {
      dropDraft(server?.id);
      attempt.dismiss();
    },
    /** What is wrong and belongs to no field. */
    failure: isAboutField ? undefined : error,
    addressError: error?.kind === 'invalid-address' ? fieldError : undefined,
    wrongConnection: wrongField && fieldError !== undefined ? { field: wrongField, says: fieldError } : undefined,
    wrongHeader:
      error?.kind === 'invalid-header' && fieldError !== undefined ? wrongHeaderOf(error, fieldError) : undefined,
    /** Whether another address was typed than the server has. */
    isMoved: server !== undefined && entered.address.trim() !== server.baseUrl,
    sending: attempt.sending,
    submit,
  };
}

function wrongHeaderOf({ row, problem }: Extract<AppError, { kind: 'invalid-header' }>, says: string): WrongHeader {
  return { row, part: problem.startsWith('value') ? 'value' : 'name', says };
}
