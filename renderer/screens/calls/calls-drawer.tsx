import { Button, Text, Title } from '@mantine/core';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallFilter, CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { api, onEvent } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { ClearDialog } from './clear-dialog.tsx';
import { Details } from './details.tsx';
import { createCallList, type ListState } from './call-list.ts';
import classes from './calls.module.css';
import { FilesMenu } from './files-menu.tsx';
import { type Choices, Filters } from './filters.tsx';
import { Resizer } from './resizer.tsx';
import { Rows } from './rows.tsx';
import { Said, type ActionOutcome } from './said.tsx';
import { createCallWords } from './say-call.ts';

interface CallsDrawerProps {
  state: AppState;
  /** The call to begin with, asked for elsewhere. */
  wanted: CallSummary | undefined;
  /** Whether the person opened it just now, and not the start of the application. */
  takesFocus: boolean;
  initialHeight: number;
  onHeightChange: (height: number) => void;
  onPinPlace: (serverId: string) => void;
  onClose: () => void;
}

const everything: Choices = {
  search: '',
  thisServer: false,
  outcome: 'all',
  contractRuns: 'with',
  pinnedOnly: false,
};

/** What went over the wire: the list, and one of them beside it. */
export function CallsDrawer(props: CallsDrawerProps) {
  const { state, wanted, takesFocus, initialHeight, onHeightChange, onPinPlace, onClose } = props;
  const { activeServerId, servers } = state;
  const { t, i18n } = useTranslation();
  const words = useMemo(() => createCallWords(i18n.language), [i18n.language]);
  const [height, setHeight] = useState(initialHeight);
  const [choices, setChoices] = useState(everything);
  const [opened, setOpened] = useState(wanted);
  const [focusRequest, setFocusRequest] = useState(wanted ? 1 : 0);
  // Also while it is open already another one can be asked for.
  const [lastWanted, setLastWanted] = useState(wanted);
  if (wanted !== lastWanted) {
    setLastWanted(wanted);
    if (wanted) {
      setOpened(wanted);
      setFocusRequest(focusRequest + 1);
    }
  }
  const [clearing, setClearing] = useState(false);
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
    () => ({ search, outcome, contractRuns, pinnedOnly, ...(serverId !== undefined && { serverId }) }),
    [search, outcome, contractRuns, pinnedOnly, serverId],
  );
  // With a server its calls go, so the list is read anew when there are others.
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

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Keys in a dialog are its own, although React hands them on to here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isHere || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (opened) closeDetails();
    else onClose();
  }

  return (
    // Escape leaves it from wherever the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      id="calls"
      className={classes.drawer}
      aria-labelledby="calls-heading"
      style={{ height }}
      onKeyDown={onKeyDown}
    >
      <Resizer height={height} onResize={setHeight} onResized={onHeightChange} />
      <div className={classes.toolbar}>
        <Title order={2} size="h6" id="calls-heading">
          {t('calls.title')}
        </Title>
        <Filters
          choices={choices}
          onChange={setChoices}
          searchRef={searchRef}
          onDown={() => rowsRef.current?.focus()}
        />
        <div className={classes.ends}>
          <Text component="output" size="xs" c="dimmed" className={classes.count}>
            {shown.filter && t('calls.found', { number: shown.total })}
          </Text>
          <FilesMenu
            filter={filter}
            onDone={(sentence) => setSaid({ sentence })}
            onImported={() => void list.show(filter)}
            onFailed={(error) => setSaid({ error })}
          />
          <Button variant="default" size="compact-xs" onClick={() => setClearing(true)}>
            {t('calls.clear')}
          </Button>
          <Button variant="default" size="compact-xs" onClick={onClose}>
            {t('app.close')}
          </Button>
        </div>
      </div>
      <div className={classes.panes} data-opened={opened !== undefined}>
        <div className={classes.listPane}>
          <Said outcome={said} />
          {shown.error && (
            <Message tone="error">
              <ErrorText error={shown.error} during="server" />
            </Message>
          )}
          {shown.calls.length > 0 ? (
            <Rows
              list={shown}
              servers={servers}
              words={words}
              rowsRef={rowsRef}
              openId={opened?.id}
              onOpen={open}
              onOlder={() => void list.older()}
            />
          ) : (
            <NothingThere list={shown} />
          )}
        </div>
        {opened && (
          <Details
            key={opened.id}
            id={opened.id}
            pinned={opened.pinned}
            servers={servers}
            sessions={state.sessions}
            words={words}
            focusRequest={focusRequest}
            onPinned={(changed) => {
              list.put(changed);
              setOpened(changed);
            }}
            onPinPlace={onPinPlace}
            onClose={closeDetails}
          />
        )}
      </div>
      {clearing && (
        <ClearDialog
          state={state}
          onCleared={() => {
            setClearing(false);
            setOpened(undefined);
            void list.show(filter);
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </section>
  );
}

function NothingThere({ list: { filter } }: { list: ListState }) {
  const { t } = useTranslation();
  if (!filter) return null;
  const { search, serverId, outcome, contractRuns, pinnedOnly } = filter;
  const isAll = search === '' && serverId === undefined && outcome === 'all' && contractRuns === 'with' && !pinnedOnly;
  return (
    <Text size="sm" c="dimmed" className={classes.nothing}>
      {t(isAll ? 'calls.empty' : 'calls.nothingFound')}
    </Text>
  );
}
