import { Text } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { type CallWords, createCallWords } from '../../answers/say-call.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import type { ListState } from './call-list.ts';
import classes from './calls.module.css';
import { ClearDialog } from './clear-dialog.tsx';
import { Details } from './details.tsx';
import { Resizer } from './resizer.tsx';
import { Rows } from './rows.tsx';
import { Toolbar } from './toolbar.tsx';
import { type ShownCalls, useCalls } from './use-calls.ts';

interface CallsDrawerProps {
  state: AppState;
  /** The call to begin with, if one was asked for elsewhere. */
  wanted: CallSummary | undefined;
  /** Whether the person opened the drawer just now. It is false when the application's start did. */
  takesFocus: boolean;
  initialHeight: number;
  onHeightChange: (height: number) => void;
  onPinPlace: (serverId: string) => void;
  onClose: () => void;
}

/** Shows what went over the wire: the list, and one of its calls beside it. */
export function CallsDrawer(props: CallsDrawerProps) {
  const { state, initialHeight, onHeightChange, onPinPlace, onClose } = props;
  const { servers } = state;
  const { i18n } = useTranslation();
  const words = useMemo(() => createCallWords(i18n.language), [i18n.language]);
  const [height, setHeight] = useState(initialHeight);
  const [clearing, setClearing] = useState(false);
  const calls = useCalls(props);
  const { list, filter, opened, setOpened, focusRequest, closeDetails } = calls;

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Keys in a dialog are its own, although React hands them on to here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isHere || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (opened) closeDetails();
    else onClose();
  }

  return (
    // Escape leaves the drawer from wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      id="calls"
      className={classes.drawer}
      aria-labelledby="calls-heading"
      style={{ height }}
      onKeyDown={onKeyDown}
    >
      <Resizer height={height} onResize={setHeight} onResized={onHeightChange} />
      <Toolbar calls={calls} onClear={() => setClearing(true)} onClose={onClose} />
      <div className={classes.panes} data-opened={opened !== undefined}>
        <ListPane calls={calls} servers={servers} words={words} />
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

interface ListPaneProps {
  calls: ShownCalls;
  servers: readonly Server[];
  words: CallWords;
}

function ListPane({ calls: { list, shown, said, opened, open, rowsRef }, servers, words }: ListPaneProps) {
  return (
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
