import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { CallFilter, CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { api, onEvent } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useTexts } from '../../texts.tsx';
import { createCallList } from './call-list.ts';
import type { Choices } from './filters.tsx';
import { useComparison } from './use-comparison.ts';

/** The parts of a call, each under a tab of its own. */
export const tabs = ['understood', 'response', 'request', 'timing'] as const;
export type Tab = (typeof tabs)[number];

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
  wanted?: CallSummary | undefined;
  /** Whether only the calls of the server in use are listed, as the dock does. */
  thisServer?: boolean;
}

/** Keeps the calls that match what is chosen, and the one of them that is looked at. */
export function useCalls({ state, wanted, thisServer: onlyThis = false }: CallsOptions) {
  const { t } = useTexts();
  const { activeServerId, servers } = state;
  const [choices, setChoices] = useState<Choices>({ ...everything, thisServer: onlyThis });
  const [opened, setOpened] = useState(wanted);
  const [tab, setTab] = useState<Tab>();
  const [focusRequest, setFocusRequest] = useState(wanted ? 1 : 0);
  const comparing = useComparison();
  // Another call can be asked for while the room is open already.
  const [lastWanted, setLastWanted] = useState(wanted);
  if (wanted !== lastWanted) {
    setLastWanted(wanted);
    if (wanted) {
      setOpened(wanted);
      setFocusRequest(focusRequest + 1);
    }
  }
  const [said, setSaid] = useState<ActionOutcome>();
  const searchRef = useRef<HTMLInputElement>(null);
  const rowsRef = useRef<HTMLDivElement>(null);
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A call was opened with the keyboard. The room gives its own heading the focus before that.
    if (focusRequest > 0) headingRef.current?.focus();
  }, [focusRequest]);

  const { list, shown, filter } = useList(choices, activeServerId, servers.map(({ id }) => id).join(' '));

  async function open(id: string, byKeyboard: boolean) {
    if (comparing.picking) {
      if (!(await comparing.pick(id))) setSaid({ sentence: t('calls.gone') });
      return;
    }
    setOpened(shown.calls.find((each) => each.id === id));
    setFocusRequest(byKeyboard ? focusRequest + 1 : 0);
  }

  /** The focus goes back to the list, or to the search where there is none. */
  function closeDetails() {
    // The list may be hidden until the call is gone, and a key that is pressed meanwhile must not go nowhere.
    flushSync(() => setOpened(undefined));
    (rowsRef.current ?? searchRef.current)?.focus();
  }

  return {
    list,
    shown,
    filter,
    onlyThis,
    choices,
    setChoices,
    opened,
    setOpened,
    tab,
    setTab,
    headingRef,
    /** Gives the focus to the heading of the call that is looked at. */
    focusDetails: () => setFocusRequest((before) => before + 1),
    comparing,
    said,
    setSaid,
    searchRef,
    rowsRef,
    open: (id: string, byKeyboard: boolean) => void open(id, byKeyboard),
    closeDetails,
  };
}

/** Keeps the list of what is chosen as main has it. */
function useList(choices: Choices, activeServerId: string, existing: string) {
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
  useEffect(() => {
    if (existing !== '') void list.show(filter);
  }, [list, filter, existing]);
  return { list, shown, filter };
}

export type ShownCalls = ReturnType<typeof useCalls>;
