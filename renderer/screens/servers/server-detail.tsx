import { ActionIcon, Button, Menu } from '@mantine/core';
import { type KeyboardEvent, useId } from 'react';
import type { ConnectionReport, Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { Chip, ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import {
  BackIcon,
  BinIcon,
  CopyIcon,
  DownIcon,
  DownloadIcon,
  MoreIcon,
  RefreshIcon,
  UpIcon,
} from '../../components/icons.tsx';
import { ServerBar } from '../../components/server-dot.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { showActiveServer } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { LastConnectionTest, TestButton } from './connection-test.tsx';
import { MakeMockServer, MockServerProgress } from './make-mock-server.tsx';
import { MockServer } from './mock-server.tsx';
import classes from './server-detail.module.css';
import { ServerForm } from './server-form.tsx';
import {
  askToDelete,
  backToList,
  cancelTest,
  chooseServer,
  connectionTest,
  headingId,
  openServer,
  unusedImport,
} from './servers-store.ts';
import { ServerFormContext, useServerForm, useServerFormContext } from './use-server-form.ts';
import { useStore } from '../../store.ts';

interface ServerDetailProps {
  /** Absent for a new server. */
  server: Server | undefined;
  /** The result of a test before the page was opened. */
  tested: ConnectionReport | undefined;
}

/** One server: its actions, the result of its connection test, and its form. */
export function ServerDetail({ server, tested }: ServerDetailProps) {
  const form = useServerForm(server);
  const formId = useId();
  const { workbench } = useApp().settings;

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isInside || event.defaultPrevented) return;
    if (connectionTest.current().step === 'asking') cancelTest();
    else backToList();
  }

  return (
    <ServerFormContext value={form}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leads back from every control in it. */}
      <section className={classes.detail} aria-labelledby={headingId} onKeyDown={onKeyDown}>
        <div className={classes.scroll}>
          <div className={classes.sheet}>
            <Button
              className={classes.back}
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<BackIcon />}
              onClick={backToList}
            >
              {t('server.all')}
            </Button>
            <Head />
            {server?.mock ? <MockServer server={server} mock={server.mock} /> : <LastConnectionTest tested={tested} />}
            <ServerForm id={formId} />
            {server && !server.mock && workbench && <MakeMockServerOf key={server.id} server={server} />}
          </div>
        </div>
        {/* Outside of what scrolls, so that it is always visible. */}
        {server && (
          <div className={`fixed ${classes.work}`}>
            <MockServerProgress {...(server.mock ? { mockServerId: server.id } : { serverId: server.id })} />
          </div>
        )}
        <SaveBar formId={formId} />
      </section>
    </ServerFormContext>
  );
}

/** Creates a mock server without another check, if a complete one of this address is in memory. */
function MakeMockServerOf({ server }: { server: Server }) {
  const runs = useQuery(api.checks.state).data;
  const isMeasured =
    runs?.reports.some(
      ({ serverId, canRerun, report }) =>
        serverId === server.id && canRerun && report.baseUrl === server.baseUrl && report.ended.kind === 'complete',
    ) ?? false;
  return <MakeMockServer server={server} isMeasured={isMeasured} showsProgress={false} />;
}

function Head() {
  const { server, form } = useServerFormContext();
  const { run, failure } = useAction();
  return (
    <>
      <div className={classes.head}>
        <ServerBar colour={form.values.colour} />
        <h2 id={headingId} tabIndex={-1} className={classes.title}>
          <UntrustedText text={server ? serverName(server) : t('server.new')} />
        </h2>
        {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        {server?.mock && <Chip small>{t('mocks.mark')}</Chip>}
        {server && <ServerMark server={server} withAge />}
        <div className={classes.actions}>
          {server && <UseButton server={server} run={run} />}
          {!server?.mock && <TestButton />}
          {server && <MoreMenu server={server} run={run} />}
        </div>
      </div>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </>
  );
}

interface ActionProps {
  server: Server;
  run: ReturnType<typeof useAction>['run'];
}

function UseButton({ server, run }: ActionProps) {
  const isActive = useApp().activeServerId === server.id;
  const label = t('server.use', { name: serverName(server) });
  return (
    <Button
      variant="default"
      aria-label={isActive ? undefined : label}
      aria-disabled={isActive}
      onClick={() => !isActive && void run(() => api.servers.choose({ id: server.id }), showActiveServer)}
    >
      {isActive ? t('server.inUse') : t('server.short.use')}
    </Button>
  );
}

/** Text of the toast after a server was moved. */
export const movedText = (server: Server, place: number, all: number): string =>
  t('server.moved', { name: serverName(server), place, all });

function MoreMenu({ server, run }: ActionProps) {
  const { servers } = useApp();
  const { id } = server;
  const label = t('server.more', { name: serverName(server) });
  const move = (by: -1 | 1) =>
    void run(
      () => api.servers.move({ id, by }),
      ({ place }) =>
        () =>
          movedText(server, place, servers.length),
    );
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={label}>
          <MoreIcon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {server.mock && (
          <>
            {/* The progress is shown in the page. */}
            <Menu.Item leftSection={<RefreshIcon />} onClick={() => void api.mocks.recheck({ id })}>
              {t('mocks.recheck')}
            </Menu.Item>
            <Menu.Item leftSection={<DownloadIcon />} onClick={() => void run(() => api.mocks.exportModel({ id }))}>
              {t('mocks.export')}
            </Menu.Item>
            <Menu.Divider />
          </>
        )}
        {server.baseUrl !== '' && !server.mock && (
          <Menu.Item
            leftSection={<CopyIcon />}
            onClick={() =>
              void run(
                () => api.servers.duplicate({ id }),
                (copy) => openServer(copy.id, false),
              )
            }
          >
            {t('server.short.duplicate')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<UpIcon />} disabled={servers.at(0)?.id === id} onClick={() => move(-1)}>
          {t('server.short.up')}
        </Menu.Item>
        <Menu.Item leftSection={<DownIcon />} disabled={servers.at(-1)?.id === id} onClick={() => move(1)}>
          {t('server.short.down')}
        </Menu.Item>
        {!server.builtIn && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<BinIcon />} onClick={() => askToDelete(id)}>
              {t('server.short.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Whether anything is unsaved. Errors are shown above the buttons, which do not move. */
function SaveBar({ formId }: { formId: string }) {
  const { asking, activeServerId } = useApp();
  const { server, changed, pending, failure, discard } = useServerFormContext();
  const isUnused = useStore(unusedImport);
  const isNew = server === undefined;
  const isDirty = isNew || changed !== undefined;
  const canSave = isDirty && !isUnused;
  const status = isUnused ? t('interface.useFirst') : changed ? t('server.unsaved') : '';
  return (
    <div className={classes.bar} data-form-bar>
      {failure && (
        <div className={classes.failure}>
          <ErrorMessage error={failure} during="server" />
        </div>
      )}
      <output className={classes.status}>{asking && pending ? t('app.asking') : status}</output>
      <Button
        variant="subtle"
        color="gray"
        aria-disabled={!isDirty}
        onClick={() => {
          discard();
          if (!isNew) return;
          chooseServer(activeServerId);
          backToList();
        }}
      >
        {isNew ? t('app.cancel') : t('server.discard')}
      </Button>
      <Button
        type="submit"
        form={formId}
        variant={canSave ? 'filled' : 'default'}
        aria-busy={pending}
        aria-disabled={!canSave}
      >
        {t('app.save')}
      </Button>
    </div>
  );
}
