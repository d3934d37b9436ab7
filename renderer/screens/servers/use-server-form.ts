import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { EnteredConnection, EnteredInterface, InterfaceFault } from '../../../preload/contract/connection.ts';
import type { EndedSessions, Server, ServerDetails } from '../../../preload/contract/models.ts';
import { api, currentAppState } from '../../api.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { moveFocus } from '../../move-focus.ts';
import { restore } from '../../redact.ts';
import { useAction } from '../../use-action.ts';
import type { WrongHeader } from './headers-fold.tsx';
import { changeDraft, dropDraft, enteredServerOf, isChanged, useServerDrafts } from './server-drafts.ts';
import { useErrorText } from '../../use-error-text.ts';

const fieldErrors: ReadonlySet<AppError['kind']> = new Set(['invalid-address', 'invalid-connection', 'invalid-header']);

/**
 * Has what is typed of a server and what is wrong with it, and saves it.
 * @param server undefined for a new one
 * @param onCreated called with the id of a new server
 * @param onEnded told of the sessions that ended with the old address
 */
export function useServerForm(
  server: Server | undefined,
  onCreated: (id: string) => void,
  onEnded: (ended: EndedSessions) => void,
) {
  const errorText = useErrorText();
  const builtIn = server?.builtIn ?? false;
  /** Nobody says where such a server is, or how it is reached. */
  const isRunHere = builtIn || server?.double !== undefined;
  const draft = useServerDrafts().get(server?.id);
  const entered = enteredServerOf(server, draft);
  const attempt = useAction();
  const formRef = useRef<HTMLFormElement>(null);
  const [isUnused, setUnused] = useState(false);

  const error = attempt.failure?.error;
  const isAboutField = error !== undefined && (fieldErrors.has(error.kind) || faultsOf(error).length > 0);
  const said = error && isAboutField ? errorText(error, 'server') : undefined;
  const fieldError = said && `${said.says} ${said.advice}`;
  useEffect(() => {
    if (!error) return;
    const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // What is folded away cannot take the focus.
    field?.closest('details')?.setAttribute('open', '');
    if (field) moveFocus(field);
  }, [error]);

  const toSend = () => unmaskedOf(entered, server?.id);

  function changeReach(change: Parameters<typeof changeDraft>[1]) {
    changeDraft(server?.id, change);
    attempt.dismiss();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isUnused || (server && !isChanged(server, draft))) return;
    const { details, address, connection, interface: described } = toSend();
    const elsewhere = { enteredConnection: connection, enteredInterface: draft?.interface && described };
    const sent = { ...details, address, ...(!isRunHere && elsewhere) };
    const result = await (server
      ? attempt.run(() => api.servers.edit({ id: server.id, ...sent }))
      : attempt.run(() => api.servers.create(sent)));
    if (!result?.ok) return;
    dropDraft(server?.id);
    if ('id' in result.value) onCreated(result.value.id);
    else if (result.value.ended > 0) onEnded(result.value);
  }

  return {
    ...entered,
    toSend,
    /** It is undefined where the interface stays as it is. */
    changedInterface: draft?.interface,
    formRef,
    builtIn,
    isRunHere,
    isChanged: isChanged(server, draft),
    /** Whether an API description was given and not used: a save would leave it out. */
    isUnused,
    setUnused,
    change: (details: Partial<ServerDetails>) => changeDraft(server?.id, { details }),
    setAddress: (address: string) => changeReach({ address }),
    setConnection: (connection: EnteredConnection) => changeReach({ connection }),
    setInterface: (described: EnteredInterface) => changeReach({ interface: described }),
    discard: () => {
      dropDraft(server?.id);
      attempt.dismiss();
    },
    /** What is wrong and belongs to no field. */
    failure: isAboutField ? undefined : error,
    ...wrongFieldsOf(error, fieldError),
    /** Whether another address was typed than the server has. */
    isMoved: server !== undefined && entered.address.trim() !== server.baseUrl,
    sending: attempt.pending,
    submit,
  };
}

/** Returns what the form has, without the masks that a presenter's view puts over emails. */
function unmaskedOf<Entered extends ReturnType<typeof enteredServerOf>>(entered: Entered, id: string | undefined) {
  const own = currentAppState()?.servers.find((each) => each.id === id);
  return own ? restore(entered, enteredServerOf(own)) : entered;
}

/** Says which field is wrong, and what is wrong with it. */
function wrongFieldsOf(error: AppError | undefined, says = '') {
  const wrongField = error?.kind === 'invalid-connection' ? error.field : undefined;
  return {
    addressError: error?.kind === 'invalid-address' ? says : undefined,
    wrongConnection: wrongField && { field: wrongField, says },
    wrongHeader: wrongHeaderOf(error, says),
    /** What is wrong with the values that a description asks for. */
    wrongValues: error ? faultsOf(error) : [],
  };
}

/** The faults of a description, where all are about values that were typed. */
function faultsOf(error: AppError): readonly InterfaceFault[] {
  const faults = error.kind === 'invalid-interface' ? error.faults : [];
  return faults.every(({ at, name }) => at === 'variables' && name !== undefined) ? faults : [];
}

function wrongHeaderOf(error: AppError | undefined, says: string): WrongHeader | undefined {
  if (error?.kind !== 'invalid-header') return undefined;
  return { row: error.row, part: error.problem.startsWith('value') ? 'value' : 'name', says };
}
