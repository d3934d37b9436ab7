import { Text, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { AppState } from '../../../preload/contract/models.ts';
import { createCallWords } from '../../answers/say-call.ts';
import { Room } from '../../components/room.tsx';
import { goBack } from '../../place.ts';
import { useTexts } from '../../texts.tsx';
import classes from './calls.module.css';
import { ClearDialog } from './clear-dialog.tsx';
import { ComparisonRoom } from './comparison-room.tsx';
import { Details } from './details.tsx';
import { Filters } from './filters.tsx';
import { ListPane } from './list-pane.tsx';
import { MoreMenu } from './more-menu.tsx';
import { type ShownCalls, useCalls } from './use-calls.ts';

interface CallsRoomProps {
  state: AppState;
  /** The call to begin with, if one was asked for elsewhere. */
  wanted: CallSummary | undefined;
}

/** Shows what went over the wire: the list with one of its calls beside it, or two calls compared. */
export function CallsRoom({ state, wanted }: CallsRoomProps) {
  const { t, i18n } = useTexts();
  const words = useMemo(() => createCallWords(i18n.language), [i18n.language]);
  const [clearing, setClearing] = useState(false);
  const calls = useCalls({ state, wanted });
  const { list, filter, opened, setOpened, comparing, choices, setChoices, searchRef, rowsRef } = calls;
  const onKeyDown = useEscape(calls, goBack);
  const { picking } = comparing;
  useEffect(() => {
    if (picking) rowsRef.current?.focus();
  }, [picking, rowsRef]);

  return (
    // Escape leaves the room from wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div id="calls" className={classes.room} onKeyDown={onKeyDown}>
      <VisuallyHidden component="output">{comparing.sentence}</VisuallyHidden>
      <div className={comparing.shown ? classes.hidden : classes.room}>
        <Room
          title={t('calls.title')}
          layout="panes"
          beside={
            <Filters
              choices={choices}
              onChange={setChoices}
              searchRef={searchRef}
              onDown={() => rowsRef.current?.focus()}
            />
          }
          actions={<HeadEnd calls={calls} onClear={() => setClearing(true)} />}
        >
          <div className={classes.panes} data-shown={opened && !picking ? 'call' : 'list'}>
            <ListPane calls={calls} state={state} words={words} />
            {opened ? (
              <Details key={opened.id} summary={opened} calls={calls} state={state} words={words} />
            ) : (
              <div className={classes.noCall}>
                <Text size="sm" c="dimmed">
                  {t('calls.choose')}
                </Text>
              </div>
            )}
          </div>
        </Room>
      </div>
      {comparing.shown && <ComparisonRoom calls={calls} two={comparing.shown} state={state} words={words} />}
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
    </div>
  );
}

/** Shows how many calls were found, and the menu of what is done with all of them. */
function HeadEnd({ calls, onClear }: { calls: ShownCalls; onClear: () => void }) {
  const { t } = useTexts();
  const { shown, filter, setSaid } = calls;
  return (
    <>
      <output className={classes.count}>{shown.filter && t('calls.found', { number: shown.total })}</output>
      <MoreMenu
        filter={filter}
        onDone={(sentence) => setSaid({ sentence })}
        onFailed={(error) => setSaid({ error })}
        onClear={onClear}
      />
    </>
  );
}

/** Leads one step back with Escape: out of a comparison, out of picking, out of a call, and then out of the calls. */
export function useEscape({ opened, comparing, closeDetails, focusDetails }: ShownCalls, leave: () => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    // Keys in a dialog are its own, although React hands them on to here.
    const isHere = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isHere || event.nativeEvent.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    if (comparing.shown || comparing.picking) {
      comparing.leave();
      comparing.stopPicking();
      focusDetails();
    } else if (opened) closeDetails();
    else leave();
  };
}
