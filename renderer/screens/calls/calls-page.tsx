import { ActionIcon, Button, Checkbox, Group, Menu, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import { api, useActiveServer, useApp } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { DrawnRequests, EmptyState } from '../../components/empty-state.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { BinIcon, DownloadIcon, MoreIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { useSplit } from '../../components/use-split.tsx';
import { t } from '../../i18n.ts';
import { navigate, navigateBack } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { isFiltered, leaveOnEscape, reloadCalls, useCalls, useCallsVisit } from './calls-store.ts';
import classes from './calls.module.css';
import { ComparisonPage, ComparisonStatus } from './comparison.tsx';
import { Details } from './details.tsx';
import { Filters } from './filters.tsx';
import { ListPane } from './list-pane.tsx';
import { ReplayQuestion } from './replay-dialogs.tsx';

const onKeyDown = leaveOnEscape(navigateBack);

/**
 * The recorded requests: a list beside one of them, or a comparison of two.
 * @param call opened at first, if another page requested it
 */
export function CallsPage({ call }: { call: CallSummary | undefined }) {
  useCallsVisit({ call });
  const [isClearing, setClearing] = useState(false);
  const opened = useCalls((state) => state.opened);
  const isPicking = useCalls(({ picking }) => picking !== undefined);
  const comparison = useCalls((state) => state.comparison);
  const isEmpty = useCalls(
    (state) => state.list.filter !== undefined && state.list.calls.length === 0 && !isFiltered(state),
  );
  const { container, style, handle } = useSplit({ pane: 'calls', fixed: 'first' });
  const exporting = useAction();

  return (
    // Escape leaves the page from any element in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div id="calls" className={classes.page} onKeyDown={onKeyDown}>
      <ComparisonStatus />
      <div className={comparison ? classes.hidden : classes.page}>
        <Page
          title={t('calls.title')}
          layout="panes"
          beside={!isEmpty && <Filters />}
          actions={!isEmpty && <ListActions exporting={exporting} onClear={() => setClearing(true)} />}
        >
          {isEmpty ? (
            <NoCalls />
          ) : (
            <div className="column pane">
              {exporting.failure && <ErrorMessage error={exporting.failure.error} during="server" />}
              <div
                ref={container}
                className={classes.panes}
                style={style}
                data-shown={opened && !isPicking ? 'call' : 'list'}
              >
                <ListPane />
                {handle}
                {opened ? (
                  <Details key={opened.summary.id} opened={opened} />
                ) : (
                  <div className={classes.noCall}>
                    <Text size="sm" c="dimmed">
                      {t('calls.choose')}
                    </Text>
                  </div>
                )}
              </div>
            </div>
          )}
        </Page>
      </div>
      {comparison && (
        <ComparisonPage key={`${comparison.original.id} ${comparison.other.id}`} comparison={comparison} />
      )}
      <ReplayQuestion />
      {isClearing && <ClearDialog onClose={() => setClearing(false)} />}
    </div>
  );
}

function NoCalls() {
  const { session } = useApp();
  const name = serverName(useActiveServer());
  return (
    <EmptyState
      drawing={<DrawnRequests />}
      title={t('calls.emptyTitle')}
      description={t('calls.emptyText')}
      action={
        <Button h={40} onClick={() => navigate({ page: 'account' })}>
          {session.step === 'signed-out' ? t('calls.logIn', { name }) : t('calls.emptyDo')}
        </Button>
      }
      note={t('calls.emptyNote')}
    />
  );
}

interface ListActionsProps {
  exporting: ReturnType<typeof useAction>;
  onClear: () => void;
}

/** Number of matching calls, and a menu to export them without secrets or to clear calls. */
function ListActions({ exporting, onClear }: ListActionsProps) {
  const filter = useCalls((state) => state.filter);
  const { filter: answered, total } = useCalls(({ list }) => list);
  const exportHar = () =>
    filter &&
    void exporting.run(
      () => api.calls.exportHar({ filter }),
      ({ exported: number }) => (number === undefined ? undefined : () => t('calls.exported', { number })),
    );
  return (
    <>
      <output className={classes.count}>{answered && t('calls.found', { number: total })}</output>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('calls.more')} title={t('calls.more')}>
            <MoreIcon size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('calls.more')}>
          <Menu.Label>{t('calls.export')}</Menu.Label>
          <Menu.Item leftSection={<DownloadIcon />} onClick={exportHar}>
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

/** Confirms, since cleared calls cannot be restored. */
function ClearDialog({ onClose }: { onClose: () => void }) {
  const { activeServerId } = useApp();
  const name = serverName(useActiveServer());
  const [everywhere, setEverywhere] = useState(false);
  const [pinnedToo, setPinnedToo] = useState(false);
  const { run, pending, failure } = useAction();

  const clear = () =>
    run(
      () => api.calls.clear({ serverId: everywhere ? undefined : activeServerId, pinnedToo }),
      () => {
        onClose();
        reloadCalls();
      },
    );

  return (
    <Dialog title={t('calls.clearTitle')} onClose={onClose}>
      <Stack gap="md">
        <Radio.Group
          label={t('calls.clearWhat')}
          value={everywhere ? 'all' : 'this'}
          onChange={(value) => setEverywhere(value === 'all')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="this" label={t('calls.clearThis', { name })} />
            <Radio value="all" label={t('calls.clearAll')} />
          </Stack>
        </Radio.Group>
        <Checkbox
          label={t('calls.pinnedToo')}
          checked={pinnedToo}
          onChange={(event) => setPinnedToo(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('calls.keep')}
          </Button>
          <Button color="red" aria-busy={pending} onClick={() => void clear()}>
            {t('calls.clearNow')}
          </Button>
        </Group>
        {failure && <ErrorMessage error={failure.error} during="server" />}
      </Stack>
    </Dialog>
  );
}
