import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { CallFilter, CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { api, onEvent } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { createCallList } from './call-list.ts';
import type { Choices } from './filters.tsx';

const everything: Choices = {
  search: '',
  thisServer: false,
  outcome: 'all',
  contractRuns: 'with',
  pinnedOnly: false,
};

interface CallsOptions {
  state: AppState;
  /** The call to begin with, if one was asked for elsewhere. */
  wanted: CallSummary | undefined;
  /** Whether the person opened the drawer just now. It is false when the application's start did. */
  takesFocus: boolean;
}

/** Keeps the calls that match what is chosen, and the one of them that is looked at. */
export function useCalls({ state, wanted, takesFocus }: CallsOptions) {
  const { activeServerId, servers } = state;
  const [choices, setChoices] = useState(everything);
  const [opened, setOpened] = useState(wanted);
  const [focusRequest, setFocusRequest] = useState(wanted ? 1 : 0);
  // Another call can be asked for while the drawer is open already.
  const [lastWanted, setLastWanted] = useState(wanted);
  if (wanted !== lastWanted) {
    setLastWanted(wanted);
    if (wanted) {
      setOpened(wanted);
      setFocusRequest(focusRequest + 1);
    }
  }
  const [said, setSaid] = useState<ActionOutcome>();
  const [beganWithOne] = useState(wanted !== undefined);
  const searchRef = useRef<HTMLInputElement>(null);
  const rowsRef = useRef<HTMLDivElement>(null);

  const [list] = useState(() => createCallList(api.calls.list));
  const shown = useSyncExternalStore(list.subscribe, list.current);
  useEffect(() => onEvent('call.recorded', () => void list.newest()), [list]);

  const { search, thisServer, outcome, contractRuns, pinnedOnly } = choices;
  const serverId = thisServer ? activeServerId : undefined;
  const filter = useMemo<CallFilter>(
    () => ({ search, outcome, contractRuns, pinnedOnly, serverId }),
    [search, outcome, contractRuns, pinnedOnly, serverId],
  );
  // The calls of a server go with it, so the list is read anew when the servers are others.
  const existing = servers.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (existing !== '') void list.show(filter);
  }, [list, filter, existing]);

  useEffect(() => {
    if (takesFocus && !beganWithOne) searchRef.current?.focus();
  }, [takesFocus, beganWithOne]);

  function open(id: string, byKeyboard: boolean) {
    setOpened(shown.calls.find((each) => each.id === id));
    setFocusRequest(byKeyboard ? focusRequest + 1 : 0);
  }

  /** The focus goes back to the list, or to the search where there is none. */
  function closeDetails() {
    (rowsRef.current ?? searchRef.current)?.focus();
    setOpened(undefined);
  }

  return {
    list,
    shown,
    filter,
    choices,
    setChoices,
    opened,
    setOpened,
    focusRequest,
    said,
    setSaid,
    searchRef,
    rowsRef,
    open,
    closeDetails,
  };
}

export type ShownCalls = ReturnType<typeof useCalls>;
