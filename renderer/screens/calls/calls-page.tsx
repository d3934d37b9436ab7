import { ActionIcon, Button, Menu, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import { api, useApp, useActiveServer } from '../../api.ts';
import { DrawnRequests, EmptyState } from '../../components/empty-state.tsx';
import { BinIcon, DownloadIcon, MoreIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useSplit } from '../../components/use-split.tsx';
import { navigate, navigateBack } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import classes from './calls.module.css';
import { ClearDialog } from './clear-dialog.tsx';
import { ComparisonPage } from './comparison-page.tsx';
import { Details } from './details.tsx';
import { Filters } from './filters.tsx';
import { ListPane } from './list-pane.tsx';
import { ReplayQuestions } from './replay-dialogs.tsx';
import { type ShownCalls, useCalls } from './use-calls.ts';
import { t } from '../../i18n.ts';

interface CallsRoomProps {
  /** The call to begin with, if one was asked for elsewhere. */
  wanted: CallSummary | undefined;
}

/** Shows what went over the wire: the list with one of its calls beside it, or two calls compared. */
export function CallsPage({ wanted }: CallsRoomProps) {
  const [clearing, setClearing] = useState(false);
  const calls = useCalls({ wanted, onLeave: navigateBack });
  const { list, filter, opened, compared, picking, rowsRef } = calls;
  const { container, style, handle } = useSplit({ room: 'calls', fixed: 'first' });
  const isEmpty = calls.shown.filter !== undefined && calls.shown.calls.length === 0 && !calls.isFiltered;

  return (
    // Escape leaves the room from wherever in it the focus is.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div id="calls" className={classes.room} onKeyDown={calls.onKeyDown}>
      <VisuallyHidden component="output">{calls.sentence}</VisuallyHidden>
      <div className={compared ? classes.hidden : classes.room}>
        <Page
          title={t('calls.title')}
          layout="panes"
          beside={
            !isEmpty && (
              <Filters
                choices={calls.choices}
                onChange={calls.setChoices}
                searchRef={calls.searchRef}
                onDown={() => rowsRef.current?.focus()}
              />
            )
          }
          actions={!isEmpty && <HeadEnd calls={calls} onClear={() => setClearing(true)} />}
        >
          {isEmpty ? (
            <NoRequests />
          ) : (
            <div
              ref={container}
              className={classes.panes}
              style={style}
              data-shown={opened && !picking ? 'call' : 'list'}
            >
              <ListPane calls={calls} />
              {handle}
              {opened ? (
                <Details key={opened.summary.id} opened={opened} calls={calls} />
              ) : (
                <div className={classes.noCall}>
                  <Text size="sm" c="dimmed">
                    {t('calls.choose')}
                  </Text>
                </div>
              )}
            </div>
          )}
        </Page>
      </div>
      {compared && <ComparisonPage calls={calls} two={compared} />}
      <ReplayQuestions replay={calls.replay} />
      {clearing && (
        <ClearDialog
          onCleared={() => {
            setClearing(false);
            calls.look(undefined);
            void list.show(filter);
          }}
          onClose={() => setClearing(false)}
        />
      )}
    </div>
  );
}

/** Says what will stand here once something was sent. */
function NoRequests() {
  const { session } = useApp();
  const name = serverName(useActiveServer());
  return (
    <EmptyState
      drawing={<DrawnRequests />}
      title={t('calls.emptyTitle')}
      says={t('calls.emptySays')}
      action={
        <Button h={40} onClick={() => navigate({ room: 'account' })}>
          {session.step === 'signed-out' ? t('calls.logIn', { name }) : t('calls.emptyDo')}
        </Button>
      }
      note={t('calls.emptyNote')}
    />
  );
}

/** Shows how many calls were found. Its menu writes them into a file without secrets, and clears. */
function HeadEnd({ calls: { shown, filter, setSaid }, onClear }: { calls: ShownCalls; onClear: () => void }) {
  async function exportHar() {
    const result = await api.calls.exportHar({ filter });
    if (!result.ok) setSaid({ error: result.error });
    else if (result.value.exported !== undefined)
      setSaid({ sentence: () => t('calls.exported', { number: result.value.exported }) });
  }

  return (
    <>
      <output className={classes.count}>{shown.filter && t('calls.found', { number: shown.total })}</output>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('calls.more')} title={t('calls.more')}>
            <MoreIcon size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('calls.more')}>
          <Menu.Label>{t('calls.export')}</Menu.Label>
          <Menu.Item leftSection={<DownloadIcon />} onClick={() => void exportHar()}>
            {t('calls.har')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<BinIcon />} onClick={onClear}>
            {t('calls.clear')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
