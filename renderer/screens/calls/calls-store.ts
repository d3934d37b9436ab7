import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import type {
  CallFilter,
  CallSummary,
  CommandForm,
  EditableRequest,
  EditedRequest,
  RecordedCall,
  SecretReference,
} from '../../../preload/contract/calls.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { duringOf, urlText } from '../../answers/call-text.ts';
import { api, onEvent, useApp } from '../../api.ts';
import { t } from '../../i18n.ts';
import { createStore } from '../../store.ts';
import { showToast } from '../../toasts.ts';
import { createCallList, emptyList, type ListState } from './call-list.ts';

/** The tabs of a call. */
export const tabs = ['understood', 'response', 'request', 'timing'] as const;
export type Tab = (typeof tabs)[number];

/** Filters of the user. `thisServer` follows the active server. */
export interface Filters extends Pick<CallFilter, 'search' | 'outcome' | 'checks' | 'pinnedOnly'> {
  thisServer: boolean;
}

/** The opened call: its summary in the list, and its details once main has returned them. */
export interface OpenedCall {
  summary: CallSummary;
  details?: Result<RecordedCall>;
  /** The request, while the user edits it. */
  editable?: EditableRequest | undefined;
}

/** Two calls to compare: an original and its replay, or an earlier call and a later one. */
export interface Comparison {
  original: RecordedCall;
  other: RecordedCall;
  isReplay: boolean;
}

type Replay =
  | { step: 'idle' | 'sending' }
  | { step: 'confirming'; call: RecordedCall; request: EditedRequest | undefined }
  | {
      step: 'asking';
      call: RecordedCall;
      request: EditedRequest | undefined;
      missing: readonly SecretReference[];
    };

interface CallsState {
  list: ListState;
  filters: Filters;
  /** The last filter that was requested; `list` has the last response. */
  filter: CallFilter | undefined;
  /** The dock lists one server's calls, without filters. */
  isDocked: boolean;
  opened: OpenedCall | undefined;
  /** The last tab that the user chose. */
  tab: Tab | undefined;
  comparison: Comparison | undefined;
  /** The first call of a comparison, while the user picks the second one in the list. */
  picking: RecordedCall | undefined;
  /** Whether the second call is no longer stored. */
  isPickedGone: boolean;
  replay: Replay;
  /** The error of the last action on the opened call, or on the comparison. */
  failure: AppError | 'original-gone' | undefined;
  /** Incremented to focus the heading of the opened call; 0 after a click. */
  headingFocus: number;
}

const initial: CallsState = {
  list: emptyList,
  filters: { search: '', thisServer: false, outcome: 'all', checks: 'with', pinnedOnly: false },
  filter: undefined,
  isDocked: false,
  opened: undefined,
  tab: undefined,
  comparison: undefined,
  picking: undefined,
  isPickedGone: false,
  replay: { step: 'idle' },
  failure: undefined,
  headingFocus: 0,
};

/** Shared by the page and the dock, which are never mounted together. Each visit resets it. */
const { current, set, subscribe } = createStore(initial);
const patch = (part: Partial<CallsState>): void => set({ ...current(), ...part });

/** Selects a part of the state. The component renders again only when that part changes. */
export function useCalls<T>(select: (state: CallsState) => T): T {
  const selected = () => select(current());
  return useSyncExternalStore(subscribe, selected, selected);
}

export const isSending = ({ replay }: CallsState): boolean => replay.step === 'sending';

/** Whether the filter of the last response may hide calls. */
export function isFiltered({ list, isDocked }: CallsState): boolean {
  if (!list.filter || isDocked) return false;
  const { search, serverId, outcome, checks, pinnedOnly } = list.filter;
  return search !== '' || serverId !== undefined || outcome !== 'all' || checks !== 'with' || pinnedOnly;
}

let list = createCallList(api.calls.list);
/** The last recorded call. The list may not have it yet, or leave it out. */
let lastRecorded: CallSummary | undefined;

function startVisit(isDocked: boolean): () => void {
  set({ ...initial, isDocked });
  list = createCallList(api.calls.list);
  const unsubscribe = list.subscribe(() => patch({ list: list.current() }));
  const unlisten = onEvent('call.recorded', (summary) => {
    lastRecorded = summary;
    void list.loadNewest();
  });
  return () => {
    unsubscribe();
    unlisten();
    set(initial);
  };
}

/**
 * Updates the list while the page or the dock is mounted, and resets the state afterwards.
 * @param call opened at first, if another page requested it
 */
export function useCallsVisit({
  call,
  isDocked = false,
}: {
  call?: CallSummary | undefined;
  isDocked?: boolean;
}): void {
  const { activeServerId, servers } = useApp();
  useLayoutEffect(() => startVisit(isDocked), [isDocked]);
  useLayoutEffect(() => {
    if (call) openCall(call, true);
  }, [call]);
  const filters = useCalls((state) => state.filters);
  const serverId = isDocked || filters.thisServer ? activeServerId : undefined;
  const filter = useMemo<CallFilter>(() => {
    const { thisServer: _, ...others } = filters;
    return { ...others, serverId };
  }, [filters, serverId]);
  // Calls are deleted with their server, so another set of servers reloads the list.
  const serverIds = servers.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (serverIds === '') return;
    patch({ filter });
    void list.show(filter);
  }, [filter, serverIds]);
}

export const setFilters = (part: Partial<Filters>): void => patch({ filters: { ...current().filters, ...part } });
export const clearFilters = (): void => patch({ filters: initial.filters });

export const loadOlderCalls = (): void => void list.loadOlder();

/** Called after the user has cleared calls. */
export function reloadCalls(): void {
  const { filter } = current();
  closeCall();
  if (filter) void list.show(filter);
}

export const openTab = (tab: Tab): void => patch({ tab });

/** @param takesFocus whether the heading is focused, as after a key */
function openCall(summary: CallSummary, takesFocus: boolean): void {
  const { opened, headingFocus } = current();
  const { id } = summary;
  const isOpen = opened?.summary.id === id;
  patch({
    opened: { ...(isOpen && opened), summary },
    headingFocus: takesFocus ? headingFocus + 1 : 0,
    failure: undefined,
  });
  if (!isOpen) void api.calls.get({ id }).then((details) => patchOpened(id, { details }));
}

function patchOpened(id: string, part: Partial<OpenedCall>): void {
  const { opened } = current();
  if (opened?.summary.id === id) patch({ opened: { ...opened, ...part } });
}

export const closeCall = (): void => patch({ opened: undefined, headingFocus: 0, failure: undefined });

/** A click on a row: opens the call, or compares it with the first one of a comparison. */
export async function chooseCall(id: string, byKeyboard: boolean): Promise<void> {
  const { picking, list: shown } = current();
  if (!picking) {
    const summary = shown.calls.find((each) => each.id === id);
    if (summary) openCall(summary, byKeyboard);
    return;
  }
  if (picking.id === id) return;
  patch({ isPickedGone: false });
  const second = await api.calls.get({ id });
  if (current().picking !== picking) return;
  if (!second.ok) return patch({ isPickedGone: true });
  const [original, other] = [picking, second.value].toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  if (original && other) compare({ original, other, isReplay: false });
}

const compare = (comparison: Comparison): void =>
  patch({ comparison, picking: undefined, isPickedGone: false, failure: undefined });

export const startPicking = (picking: RecordedCall): void => patch({ picking });

export async function compareWithOriginal(replay: RecordedCall): Promise<void> {
  if (!replay.replayOf) return;
  const original = await api.calls.get({ id: replay.replayOf.id });
  if (current().opened?.summary.id !== replay.id) return;
  if (original.ok) compare({ original: original.value, other: replay, isReplay: true });
  else patch({ failure: 'original-gone' });
}

/** Leaves a comparison, the picking of its second call, or the editing of a request. */
export function backToCall(): void {
  const { opened, headingFocus } = current();
  patch({
    comparison: undefined,
    picking: undefined,
    isPickedGone: false,
    failure: undefined,
    opened: opened && { ...opened, editable: undefined },
    headingFocus: headingFocus + 1,
  });
}

/** Escape goes one step back: out of a comparison, picking, editing, a call, and then out of the calls. */
export const leaveOnEscape =
  (onLeave: () => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const { key, target, currentTarget, nativeEvent, defaultPrevented } = event;
    // Dialogs are portals: React bubbles their keys to here, although they are elsewhere in the document.
    if (key !== 'Escape' || !(target instanceof Node) || !currentTarget.contains(target)) return;
    if (nativeEvent.isComposing || defaultPrevented) return;
    event.preventDefault();
    const { comparison, picking, opened } = current();
    if (comparison || picking || opened?.editable) backToCall();
    else if (opened) closeCall();
    else onLeave();
  };

export async function pinCall({ id, pinned }: CallSummary): Promise<void> {
  const result = await api.calls.pin({ id, pinned: !pinned });
  if (!result.ok) return patchOpened(id, { details: result });
  list.replace(result.value);
  patchOpened(id, { summary: result.value });
}

export async function editCall(id: string): Promise<void> {
  const result = await api.calls.editableRequest({ id });
  const { opened, headingFocus } = current();
  if (opened?.summary.id !== id) return;
  if (!result.ok) return patch({ failure: result.error });
  patch({ opened: { ...opened, editable: result.value }, headingFocus: headingFocus + 1, failure: undefined });
}

export const dismissFailure = (): void => patch({ failure: undefined });

/** @param request the edited request, which is copied instead */
export async function copyCall(
  id: string,
  form: CommandForm,
  secrets: 'variables' | 'full',
  request: EditedRequest | undefined,
): Promise<void> {
  patch({ failure: undefined });
  const result = await api.calls.copy({ id, form, secrets, request });
  if (!result.ok) return patch({ failure: result.error });
  const { copied, missing } = result.value;
  // The user declined in the dialog of the system.
  if (!copied) patch({ failure: { kind: 'cancelled' } });
  else if (secrets === 'variables') showToast({ text: () => t('calls.copied') });
  else
    showToast({
      text: () => (missing > 0 ? t('calls.copiedWithout', { number: missing }) : t('calls.copiedFull')),
    });
}

/** Sends a recorded or edited request again. Asks for confirmation if that would end a session at the server. */
export function startReplay(call: RecordedCall, request?: EditedRequest): void {
  if (isSending(current())) return;
  const endsSession = duringOf(urlText(request?.path ?? call.request.url)) === 'logout';
  if (endsSession) patch({ replay: { step: 'confirming', call, request } });
  else void sendReplay(call, request);
}

/** @param secrets typed by the user, by the ids of the references whose secrets were missing */
export async function sendReplay(
  call: RecordedCall,
  request: EditedRequest | undefined,
  secrets?: Readonly<Record<string, string>>,
): Promise<void> {
  if (isSending(current())) return;
  const sending: Replay = { step: 'sending' };
  patch({ replay: sending, failure: undefined });
  const result = await api.calls.replay({ id: call.id, request, secrets });
  // The user has left the calls meanwhile.
  if (current().replay !== sending) return;
  if (!result.ok) return patch({ replay: initial.replay, failure: result.error });
  if (result.value.outcome === 'secrets-missing') {
    return patch({ replay: { step: 'asking', call, request, missing: result.value.missing } });
  }
  patch({ replay: initial.replay });
  const { call: other } = result.value;
  // An edited request is a call of its own: it is opened instead of compared.
  if (request && lastRecorded?.id === other.id) openCall(lastRecorded, true);
  else compare({ original: call, other, isReplay: true });
}

/** Closes the dialog without sending anything. */
export const leaveReplay = (): void => patch({ replay: initial.replay });
export const cancelReplay = (): void => void api.calls.cancelReplay();
