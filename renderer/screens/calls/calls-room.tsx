import { Text } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { type CallWords, createCallWords } from '../../answers/say-call.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { go, goBack } from '../../place.ts';
import { Said } from '../../components/said.tsx';
import type { ListState } from './call-list.ts';
import classes from './calls.module.css';
import { ClearDialog } from './clear-dialog.tsx';
import { Details } from './details.tsx';
import { Rows } from './rows.tsx';
import { Toolbar } from './toolbar.tsx';
import { type ShownCalls, useCalls } from './use-calls.ts';

interface CallsRoomProps {
  state: AppState;
  /** The call to begin with, if one was asked for elsewhere. */
  wanted: CallSummary | undefined;
}

/** Shows what went over the wire: the list, and one of its calls beside it. */
export function CallsRoom({ state, wanted }: CallsRoomProps) {
  const { servers } = state;
  const { i18n } = useTranslation();
  const words = useMemo(() => createCallWords(i18n.language), [i18n.language]);
  const [clearing, setClearing] = useState(false);
  const calls = useCalls({ state, wanted, takesFocus: true });
  const { list, filter, opened, setOpened, focusRequest, closeDetails } = calls;
  const onPinPlace = (editing: string) => go({ room: 'servers', editing });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Keys in a dialog are its own, although React hands them on to here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isHere || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (opened) closeDetails();
    else goBack();
  }

  return (
    // Escape leaves the drawer from wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section id="calls" className={classes.drawer} aria-labelledby="calls-heading" onKeyDown={onKeyDown}>
      <Toolbar calls={calls} onClear={() => setClearing(true)} onClose={goBack} />
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
