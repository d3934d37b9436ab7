import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type {
  CallFilter,
  CallSummary,
  EditableRequest,
  RecordedCall,
  SecretReference,
  WantedChange,
} from '../../../preload/contract/calls.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { outcomeText } from '../../answers/outcome.tsx';
import { duringOf, urlText } from '../../answers/call-text.ts';
import { api, onEvent, useApp } from '../../api.ts';
import type { ActionOutcome } from '../../components/said.tsx';
import { useStore } from '../../store.ts';
import { createCallList } from './call-list.ts';
import { compareAnswers } from './compare.ts';
import type { Choices } from './filters.tsx';
import { t } from '../../i18n.ts';

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

/** Keeps what the list is filtered by, and lets go of it. */
function useChoices(onlyThis: boolean) {
  const nothing = { ...everything, thisServer: onlyThis };
  const [choices, setChoices] = useState<Choices>(nothing);
  const searchRef = useRef<HTMLInputElement>(null);
  const clearFilters = (): void => {
    setChoices(nothing);
    // The button that had the focus goes away.
    searchRef.current?.focus();
  };
  return { choices, setChoices, searchRef, clearFilters };
}

/** Whether the list leaves something out that it could show. The dock shows one server's alone. */
function isFiltered(filter: CallFilter | undefined, onlyThis: boolean): boolean {
  if (!filter) return false;
  const { search, serverId, outcome, contractRuns, pinnedOnly } = filter;
  const isOfServer = !onlyThis && serverId !== undefined;
  return search !== '' || isOfServer || outcome !== 'all' || contractRuns !== 'with' || pinnedOnly;
}

/** The call that is looked at: what the list knows of it, and what main answers, once it has. */
interface OpenedCall {
  summary: CallSummary;
  answer?: Result<RecordedCall>;
  said?: ActionOutcome | undefined;
  /** Its request, while a person edits it. */
  editing?: EditableRequest | undefined;
}

/** Two calls beside each other: an original and its replay, or an earlier call and a later one. */
export interface TwoCalls {
  original: RecordedCall;
  other: RecordedCall;
  isReplay: boolean;
  said?: ActionOutcome | undefined;
}

interface CallsOptions {
  /** The call to begin with, if one was asked for elsewhere. */
  wanted?: CallSummary | undefined;
  /** Whether only the calls of the server in use are listed, as the dock does. */
  thisServer?: boolean;
  /** Called when Escape leads out of the calls. */
  onLeave: () => void;
}

/** Keeps the calls that match what is chosen, the one that is looked at, and the two that are compared. */
export function useCalls({ wanted, thisServer: onlyThis = false, onLeave }: CallsOptions) {
  const { servers } = useApp();
  const chosen = useChoices(onlyThis);
  const [tab, setTab] = useState<Tab>();
  const [said, setSaid] = useState<ActionOutcome>();
  const { searchRef } = chosen;
  const rowsRef = useRef<HTMLDivElement>(null);
  const found = useList(chosen.choices, servers.map(({ id }) => id).join(' '));
  const details = useOpened(wanted);
  const comparison = useComparison(() => rowsRef.current?.focus());
  const { opened, look, change } = details;
  const { compared, picking, compare } = comparison;

  /** Says it where the person is. */
  function say(outcome: ActionOutcome | undefined): void {
    if (compared) comparison.sayCompared(outcome);
    else change({ said: outcome });
  }
  const replay = useReplay({
    onSending: () => say(undefined),
    onSent(original, other, change) {
      // What was edited is a call of its own, and nobody asked how it differs.
      const summary = change?.change === 'edited' ? found.newest(other.id) : undefined;
      if (summary) look(summary, true);
      else compare({ original, other, isReplay: true });
    },
    onFailed: (error) => say({ error }),
  });

  async function open(id: string, byKeyboard: boolean) {
    if (!picking) look(found.listed(id), byKeyboard);
    else if (!(await comparison.pick(id))) setSaid({ sentence: () => t('calls.gone') });
  }

  /** The focus goes back to the list, or without a list to the search. */
  function closeDetails() {
    // The list may be hidden until the call is gone, and a key that is pressed meanwhile must not go nowhere.
    flushSync(() => look(undefined));
    (rowsRef.current ?? searchRef.current)?.focus();
  }

  /** Leaves a comparison, the picking of a second call or the editing of this one. */
  function backToCall() {
    comparison.leave();
    change({ editing: undefined, said: undefined });
    details.focusDetails();
  }

  return {
    ...found,
    ...chosen,
    isFiltered: isFiltered(found.shown.filter, onlyThis),
    tab,
    setTab,
    said,
    setSaid,
    rowsRef,
    ...details,
    ...comparison,
    open,
    closeDetails,
    say,
    replay,
    ...actsOf({ opened, change, onChanged: (changed) => found.list.put(changed), compare, say }),
    backToCall,
    /** Says how the comparison came out, to a screen reader. */
    sentence: useSentence(compared, replay.step.step === 'sending'),
    /** Leads one step back with Escape: out of a comparison, out of picking, out of a call, and then out of the calls. */
    onKeyDown: (event: KeyboardEvent<HTMLElement>): void => {
      if (!isEscape(event)) return;
      event.preventDefault();
      if (compared || picking || opened?.editing) backToCall();
      else if (opened) closeDetails();
      else onLeave();
    },
  };
}

/** Keys in a dialog are its own, although React hands them on to the calls. */
const isEscape = ({ key, target, currentTarget, nativeEvent, defaultPrevented }: KeyboardEvent<HTMLElement>): boolean =>
  key === 'Escape' &&
  target instanceof Node &&
  currentTarget.contains(target) &&
  !nativeEvent.isComposing &&
  !defaultPrevented;

export type ShownCalls = ReturnType<typeof useCalls>;

/** Keeps the list of what is chosen as main has it. */
function useList(choices: Choices, existing: string) {
  const { activeServerId } = useApp();
  const [list] = useState(() => createCallList(api.calls.list));
  const shown = useStore(list);
  const recorded = useRef<CallSummary>(undefined);
  useEffect(
    () =>
      onEvent('call.recorded', (summary) => {
        recorded.current = summary;
        void list.newest();
      }),
    [list],
  );

  const { search, thisServer, outcome, contractRuns, pinnedOnly } = choices;
  const serverId = thisServer ? activeServerId : undefined;
  const filter = useMemo<CallFilter>(
    () => ({ search, outcome, contractRuns, pinnedOnly, serverId }),
    [search, outcome, contractRuns, pinnedOnly, serverId],
  );
  // The calls of a server go with it, so the list is read again when the servers change.
  useEffect(() => {
    if (existing !== '') void list.show(filter);
  }, [list, filter, existing]);
  return {
    list,
    shown,
    filter,
    listed: (id: string) => shown.calls.find((each) => each.id === id),
    /** Returns the call that was recorded last, if it is this one. The list may not have it yet, or leave it out. */
    newest: (id: string) => (recorded.current?.id === id ? recorded.current : undefined),
  };
}

/** Keeps the call that is looked at. */
function useOpened(wanted: CallSummary | undefined) {
  const [opened, setOpened] = useState<OpenedCall | undefined>(wanted && { summary: wanted });
  const [focusRequest, setFocusRequest] = useState(wanted ? 1 : 0);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const id = opened?.summary.id;

  function look(summary: CallSummary | undefined, byKeyboard = false): void {
    setOpened(summary && { ...(summary.id === id && opened), summary });
    setFocusRequest(byKeyboard ? focusRequest + 1 : 0);
  }
  // Another call can be asked for while the room is open already.
  const [lastWanted, setLastWanted] = useState(wanted);
  if (wanted !== lastWanted) {
    setLastWanted(wanted);
    if (wanted) look(wanted, true);
  }
  useEffect(() => {
    // A call was opened with the keyboard. The room gives its own heading the focus before that.
    if (focusRequest > 0) headingRef.current?.focus();
  }, [focusRequest]);

  /** Takes what came of the call, if it is still the one that is looked at. */
  const change = (part: Partial<OpenedCall>): void =>
    setOpened((now) => (now && now.summary.id === id ? { ...now, ...part } : now));
  useEffect(() => {
    if (id !== undefined) void api.calls.get({ id }).then((answer) => change({ answer }));
    // oxlint-disable-next-line react/exhaustive-deps -- It follows the call, and nothing else.
  }, [id]);

  const focusDetails = () => setFocusRequest((before) => before + 1);
  return {
    opened,
    look,
    change,
    headingRef,
    focusDetails,
    /** Lets the person edit the request of the call. */
    edit: (editing: EditableRequest): void => {
      change({ editing, said: undefined });
      focusDetails();
    },
  };
}

/** Keeps which two calls are compared, and the first of them while the second one is being picked in the list. */
function useComparison(focusList: () => void) {
  const [compared, setCompared] = useState<TwoCalls>();
  const [picking, setPicking] = useState<RecordedCall>();
  useEffect(() => {
    if (picking) focusList();
    // oxlint-disable-next-line react/exhaustive-deps -- It follows the picking, and nothing else.
  }, [picking]);
  function compare(two: TwoCalls): void {
    setPicking(undefined);
    setCompared(two);
  }
  return {
    compared,
    picking,
    startPicking: setPicking,
    compare,
    /** Compares the call that waits for a second one with this one. Answers false when that is not kept any more. */
    async pick(id: string): Promise<boolean> {
      if (!picking || picking.id === id) return true;
      const second = await api.calls.get({ id });
      if (!second.ok) return false;
      const [original, other] = [picking, second.value].toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
      if (original && other) compare({ original, other, isReplay: false });
      return true;
    },
    sayCompared: (said: ActionOutcome | undefined) => setCompared((two) => two && { ...two, said }),
    leave(): void {
      setCompared(undefined);
      setPicking(undefined);
    },
  };
}

/** Says how a comparison came out; nothing where its replay could not be sent. */
function useSentence(compared: TwoCalls | undefined, isSending: boolean): string {
  const sentence = compared && sayComparison(compared);
  if (compared && isSending) return t('replay.sending');
  return compared?.said || sentence === undefined ? '' : sentence;
}

function sayComparison({ original, other: { response, failure }, isReplay }: TwoCalls): string {
  const outcome = outcomeText({ status: response?.status, failure: failure?.kind });
  if (!response) return t('replay.unanswered', { outcome });
  const { differences } = compareAnswers(original.response, response);
  if (differences === 0) return t(isReplay ? 'replay.same' : 'compare.same', { outcome });
  return t(isReplay ? 'replay.differs' : 'compare.differs', { outcome, number: differences });
}

interface ActsOptions {
  opened: OpenedCall | undefined;
  change: (part: Partial<OpenedCall>) => void;
  onChanged: (changed: CallSummary) => void;
  compare: (two: TwoCalls) => void;
  say: (outcome: ActionOutcome) => void;
}

/** What the buttons of the call that is looked at ask of main. */
function actsOf({ opened, change, onChanged, compare, say }: ActsOptions) {
  return {
    pin: async (): Promise<void> => {
      if (!opened) return;
      const { id, pinned } = opened.summary;
      const result = await api.calls.pin({ id, pinned: !pinned });
      if (!result.ok) return change({ answer: result });
      onChanged(result.value);
      change({ summary: result.value });
    },
    compareWithOriginal: async (replay: RecordedCall): Promise<void> => {
      if (!replay.replayOf) return;
      const original = await api.calls.get({ id: replay.replayOf.id });
      if (original.ok) compare({ original: original.value, other: replay, isReplay: true });
      else say({ sentence: () => t('replay.originalGone') });
    },
  };
}

type Step =
  | { step: 'idle' | 'sending' }
  | { step: 'confirming'; call: RecordedCall; change: WantedChange | undefined }
  | {
      step: 'asking';
      call: RecordedCall;
      change: WantedChange | undefined;
      missing: readonly SecretReference[];
    };

/** A logout with one of these changes names no session that it could end. */
const withoutToken: ReadonlySet<WantedChange['change'] | undefined> = new Set(['no-token', 'broken-token'] as const);

interface ReplayOptions {
  onSending: () => void;
  onSent: (original: RecordedCall, replay: RecordedCall, change: WantedChange | undefined) => void;
  onFailed: (error: AppError) => void;
}

/**
 * Leads one replay, since main sends one at a time: it asks where a session would end, sends, and sends again with the
 * secrets that were missing.
 */
function useReplay({ onSending, onSent, onFailed }: ReplayOptions) {
  const [step, setStep] = useState<Step>({ step: 'idle' });
  // State arrives a render late: two presses in one frame would both see "idle".
  const underWay = useRef(false);

  async function send(
    call: RecordedCall,
    change: WantedChange | undefined,
    secrets?: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setStep({ step: 'sending' });
    onSending();
    const result = await api.calls.replay({ id: call.id, change, secrets });
    underWay.current = false;
    if (result.ok && result.value.outcome === 'secrets-missing') {
      setStep({ step: 'asking', call, change, missing: result.value.missing });
      return;
    }
    setStep({ step: 'idle' });
    if (!result.ok) onFailed(result.error);
    else if (result.value.outcome === 'sent') onSent(call, result.value.call, change);
  }

  return {
    step,
    send,
    start(call: RecordedCall, change: WantedChange | undefined): void {
      if (underWay.current) return;
      const path = change?.change === 'edited' ? change.request.path : call.request.url;
      const endsSession = duringOf(urlText(path)) === 'logout' && !withoutToken.has(change?.change);
      // The person is asked before a session is ended at the server.
      if (endsSession) setStep({ step: 'confirming', call, change });
      else void send(call, change);
    },
    /** Leaves a question unanswered. Nothing was sent. */
    leave: () => setStep({ step: 'idle' }),
    cancel: () => void api.calls.cancelReplay(),
  };
}
