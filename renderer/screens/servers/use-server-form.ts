import { useForm } from '@mantine/form';
import { createContext, type FormEvent, type RefObject, useContext, useEffect, useLayoutEffect, useRef } from 'react';
import type { ConnectionField } from '../../../preload/contract/connection.ts';
import type { EndedSessions, Server } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api, currentAppState } from '../../api.ts';
import type { ErrorTexts } from '../../error-text.ts';
import { t } from '../../i18n.ts';
import { moveFocus } from '../../move-focus.ts';
import { restore } from '../../redact.ts';
import { useStore } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { useErrorText } from '../../use-error-text.ts';
import { faultText } from './interface-text.ts';
import { openServer, setDraft, unusedImport, useDrafts } from './servers-store.ts';
import { changedValues, serverValues, type ServerValues } from './server-values.ts';

/** Text of the toast after a change of address has ended sessions. */
const endedText = ({ ended, pendingLogouts }: EndedSessions): string =>
  t(pendingLogouts === 0 ? 'server.ended' : 'server.endedUntold', { ended, untold: pendingLogouts });

/**
 * Values, errors and submission of the server form. Unsaved changes are a draft in the store, which outlives the form.
 * @param server undefined for a new one
 */
export function useServerForm(server: Server | undefined) {
  const errorText = useErrorText();
  const formRef = useRef<HTMLFormElement>(null);
  const isUnused = useStore(unusedImport);
  const draft = useDrafts().get(server?.id);
  const saved = serverValues(server);
  const { run, failure, pending, dismiss } = useAction();
  const error = failure?.error;
  const errors = error ? fieldErrors(error, errorText(error, 'server')) : {};
  const form = useForm<ServerValues>({
    initialValues: { ...saved, ...draft },
    enhanceGetInputProps: ({ field }) => ({ error: errors[String(field)] }),
    onValuesChange: (values, before) => {
      setDraft(server?.id, changedValues(saved, values));
      const change = changedValues(before, values) ?? {};
      if ('address' in change || 'connection' in change || 'interface' in change) dismiss();
    },
  });
  const { setValues, values } = form;
  const changed = changedValues(saved, values);

  // The server may change while the form is open. Saving and discarding end the draft.
  const basis = JSON.stringify([saved, draft !== undefined]);
  const lastBasis = useRef(basis);
  useLayoutEffect(() => {
    if (lastBasis.current === basis) return;
    lastBasis.current = basis;
    setValues({ ...saved, ...draft });
  });

  useFocusOnError(formRef, error);

  /** Address and connection of the built-in server and of mock servers cannot be edited. */
  const isRunHere = server?.builtIn === true || server?.mock !== undefined;

  const valuesToSend = () => unmasked(values, server);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isUnused || (server && !changed)) return;
    const { connection, interface: described, ...details } = valuesToSend();
    const reach = { enteredConnection: connection, enteredInterface: changed?.interface && described };
    const sent = { ...details, ...(!isRunHere && reach) };
    if (!server) {
      const created = await run(() => api.servers.create(sent));
      if (!created?.ok) return;
      setDraft(undefined, undefined);
      openServer(created.value.id, true);
      return;
    }
    await run(
      () => api.servers.edit({ id: server.id, ...sent }),
      (ended) => {
        setDraft(server.id, undefined);
        return () => (ended.ended > 0 ? endedText(ended) : t('server.allSaved'));
      },
    );
  }

  return {
    server,
    form,
    formRef,
    errors,
    /** An error that belongs to no field. */
    failure: Object.keys(errors).length === 0 ? error : undefined,
    pending,
    isRunHere,
    /** The values that differ from the saved ones. */
    changed,
    /** Whether the address was changed, so that the saved secrets no longer apply. */
    isMoved: server !== undefined && values.address.trim() !== server.baseUrl,
    valuesToSend,
    submit,
    discard: () => {
      setDraft(server?.id, undefined);
      dismiss();
    },
  };
}

/** Focuses the first field that main rejected. */
function useFocusOnError(formRef: RefObject<HTMLFormElement | null>, error: AppError | undefined): void {
  useEffect(() => {
    if (!error) return;
    const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // A field in a closed `details` cannot take the focus.
    field?.closest('details')?.setAttribute('open', '');
    if (field) moveFocus(field);
  }, [formRef, error]);
}

/** Restores the emails that are masked while the user presents. */
function unmasked(values: ServerValues, server: Server | undefined): ServerValues {
  const own = currentAppState()?.servers.find(({ id }) => id === server?.id);
  return own ? restore(values, serverValues(own)) : values;
}

export const ServerFormContext = createContext<ReturnType<typeof useServerForm> | undefined>(undefined);

/** The surrounding form. Throws if there is none, which is a bug. */
export function useServerFormContext() {
  const form = useContext(ServerFormContext);
  if (!form) throw new Error('The field needs the form of a server around it.');
  return form;
}

/** Form fields by the names in the errors of main. */
const connectionFields: Readonly<Record<ConnectionField, readonly string[]>> = {
  proxy: ['proxy.address'],
  proxyUsername: ['proxy.username'],
  pac: ['proxy.url'],
  noProxy: ['proxy.noProxy'],
  authorityFile: ['authorityFile'],
  clientCertificate: ['clientCertificate.certificateFile', 'clientCertificate.file'],
  limits: ['limits.connectSeconds', 'limits.firstByteSeconds', 'limits.totalSeconds'],
};

/** Errors by form field. Of several fields, the first has the text, and the others are only marked. */
function fieldErrors(error: AppError, { message, advice }: ErrorTexts): Record<string, string | boolean> {
  const text = `${message} ${advice}`;
  if (error.kind === 'invalid-address') return { address: text };
  if (error.kind === 'invalid-header') {
    const part = error.problem.startsWith('value') ? 'value' : 'name';
    return { [`connection.headers.${error.row}.${part}`]: text };
  }
  if (error.kind === 'invalid-connection') {
    const fields = connectionFields[error.field];
    return Object.fromEntries(
      fields.map((field, at) => [`connection.${field}`, error.field === 'limits' && at > 0 ? true : text]),
    );
  }
  if (error.kind !== 'invalid-interface') return {};
  const isAboutValues = error.faults.every(({ at, name }) => at === 'variables' && name !== undefined);
  return Object.fromEntries(
    (isAboutValues ? error.faults : []).map((fault) => [`variables.${fault.name}`, faultText(fault)]),
  );
}
