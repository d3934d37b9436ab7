import { ActionIcon, Button, Menu } from '@mantine/core';
import { type KeyboardEvent, type Ref, useId } from 'react';
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
  PlugIcon,
  RefreshIcon,
  UpIcon,
} from '../../components/icons.tsx';
import linkClasses from '../../components/link-button.module.css';
import { ServerBar } from '../../components/server-dot.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { serverName } from '../../server-name.ts';
import { useTested } from '../../tested-servers.ts';
import { useQuery } from '../../use-query.ts';
import { DoubleParts } from './double-parts.tsx';
import { MakeDouble, WorkPlace } from './make-double.tsx';
import { ConnectionTestResult } from './connection-test.tsx';
import classes from './server-detail.module.css';
import { type Form, ServerForm } from './server-form.tsx';
import { useConnectionTest } from './use-connection-test.ts';
import { useServerForm } from './use-server-form.ts';
import type { ShownServers } from './use-servers.ts';
import { t } from '../../i18n.ts';

/** Shows one server: what can be done with it, how the test of its connection ended, and its form. */
export function ServerDetail({ shown, tested }: { shown: ShownServers; tested?: ConnectionReport | undefined }) {
  const { server, back } = shown;
  const headingId = useId();
  const formId = useId();
  const { formRef, ...form } = useServerForm(server, (id) => shown.open(id, true), shown.sayEnded);
  const { address, isRunHere, connection, details } = form;
  const state = useApp();
  const found = useTested(server);
  const { askRef, ...test } = useConnectionTest({
    address,
    connection: isRunHere ? undefined : connection,
    described: form.changedInterface,
    toSend: form.toSend,
    server,
    tested: tested ?? found,
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isInside || event.defaultPrevented) return;
    if (test.shown.step === 'asking') test.cancel();
    else back();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leads back from every control in it.
    <section className={classes.detail} aria-labelledby={headingId} onKeyDown={onKeyDown}>
      <div className={classes.scroll}>
        <div className={classes.sheet}>
          <Button
            className={classes.back}
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<BackIcon />}
            onClick={back}
          >
            {t('server.all')}
          </Button>
          <Head shown={shown} headingId={headingId} colour={details.colour} test={test} askRef={askRef} />
          {server?.file && <FromFile server={server} file={server.file.path} shown={shown} />}
          {server?.double && state ? (
            <DoubleParts server={server} double={server.double} />
          ) : (
            <ConnectionTestResult test={test.shown} onCancel={test.cancel} />
          )}
          <ServerForm id={formId} formRef={formRef} server={server} form={form} />
          {server && !server.double && state.settings.workbench && <MockOf key={server.id} server={server} />}
        </div>
      </div>
      {server && state && <Work server={server} />}
      <SaveBar formId={formId} form={form} isNew={server === undefined} onCancelled={shown.giveUpNew} />
    </section>
  );
}

/** Says how far a mock is, where it is seen wherever the page is scrolled to. */
const Work = ({ server }: { server: Server }) => {
  return (
    <div className={classes.work}>
      <WorkPlace {...(server.double ? { doubleId: server.id } : { serverId: server.id })} />
    </div>
  );
};

/** Offers a mock of the server: at once, where a whole check of it at this address is in memory. */
function MockOf({ server }: { server: Server }) {
  const runs = useQuery(api.contractRun.state).data;
  const isMeasured =
    runs?.reports.some(
      ({ serverId, runKept, report }) =>
        serverId === server.id && runKept && report.baseUrl === server.baseUrl && report.ended.kind === 'complete',
    ) ?? false;
  return <MakeDouble server={server} isMeasured={isMeasured} saysWork={false} />;
}

interface HeadProps {
  shown: ShownServers;
  headingId: string;
  colour: Server['colour'];
  test: Pick<ReturnType<typeof useConnectionTest>, 'shown' | 'ask'>;
  askRef: Ref<HTMLButtonElement>;
}

/** Names the server, and has what can be done with it. */
function Head({ shown, headingId, colour, test, askRef }: HeadProps) {
  const { server, headingRef } = shown;
  return (
    <div className={classes.head}>
      <ServerBar colour={colour} />
      <h2 id={headingId} ref={headingRef} tabIndex={-1} className={classes.title}>
        <UntrustedText text={server ? serverName(server) : t('server.new')} />
      </h2>
      {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      {server?.double && <Chip small>{t('doubles.mark')}</Chip>}
      {server && <ServerMark server={server} withAge />}
      <div className={classes.actions}>
        {server && <UseButton server={server} shown={shown} />}
        {!server?.double && (
          <Button
            ref={askRef}
            variant="default"
            leftSection={<PlugIcon />}
            aria-busy={test.shown.step === 'asking'}
            aria-disabled={test.shown.step === 'asking'}
            onClick={() => void test.ask()}
          >
            {t('server.test')}
          </Button>
        )}
        {server && <MoreMenu server={server} shown={shown} />}
      </div>
    </div>
  );
}

/** Says which file a server came from, and what can be done with that. */
function FromFile({ server, file, shown }: ActsProps & { file: string }) {
  return (
    <div className={classes.file}>
      <span className="slim anywhere">
        {t('serversFile.from')} <UntrustedText text={file} />
      </span>
      <button
        type="button"
        className={linkClasses.link}
        data-size="small"
        onClick={() => void shown.compareFile(server, shown.file.show)}
      >
        {t('serversFile.compare')}
      </button>
      <button type="button" className={linkClasses.link} data-size="small" onClick={() => void shown.leaveFile(server)}>
        {t('serversFile.own')}
      </button>
    </div>
  );
}

interface ActsProps {
  server: Server;
  shown: ShownServers;
}

function UseButton({ server, shown: { isActive, use } }: ActsProps) {
  const label = t('server.use', { name: serverName(server) });
  return (
    <Button
      variant="default"
      aria-label={isActive ? undefined : label}
      aria-disabled={isActive}
      onClick={() => !isActive && void use(server)}
    >
      {isActive ? t('server.inUse') : t('server.short.use')}
    </Button>
  );
}

function MoreMenu({ server, shown }: ActsProps) {
  const label = t('server.more', { name: serverName(server) });
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={label}>
          <MoreIcon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {server.double && <DoubleItems server={server} shown={shown} />}
        {server.baseUrl !== '' && !server.double && (
          <Menu.Item leftSection={<CopyIcon />} onClick={() => void shown.duplicate(server)}>
            {t('server.short.duplicate')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<UpIcon />} disabled={shown.isFirst} onClick={() => void shown.move(server, -1)}>
          {t('server.short.up')}
        </Menu.Item>
        <Menu.Item leftSection={<DownIcon />} disabled={shown.isLast} onClick={() => void shown.move(server, 1)}>
          {t('server.short.down')}
        </Menu.Item>
        {!server.builtIn && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<BinIcon />} onClick={shown.askToDelete}>
              {t('server.short.delete')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface SaveBarProps {
  formId: string;
  form: Form;
  isNew: boolean;
  onCancelled: () => void;
}

/** Says whether everything is saved. Its place is held, and what went wrong comes between the form and its buttons, which stay. */
function SaveBar({ formId, form, isNew, onCancelled }: SaveBarProps) {
  const isAsked = useApp().asking && form.sending;
  const isDirty = isNew || form.isChanged;
  const canSave = isDirty && !form.isUnused;
  const saved = form.isChanged ? t('server.unsaved') : isNew ? '' : t('server.allSaved');
  const says = form.isUnused ? t('interface.useFirst') : saved;
  return (
    <div className={classes.bar}>
      {form.failure && (
        <div className={classes.failure}>
          <ErrorMessage error={form.failure} during="server" />
        </div>
      )}
      <output className={classes.saved}>{isAsked ? t('app.asking') : says}</output>
      <Button
        variant="subtle"
        color="gray"
        aria-disabled={!isDirty}
        onClick={() => {
          form.discard();
          if (isNew) onCancelled();
        }}
      >
        {isNew ? t('app.cancel') : t('server.discard')}
      </Button>
      <Button
        type="submit"
        form={formId}
        variant={canSave ? 'filled' : 'default'}
        aria-busy={form.sending}
        aria-disabled={!canSave}
      >
        {t('app.save')}
      </Button>
    </div>
  );
}

/** What can be done with a double alone, in the menu of its page. */
function DoubleItems({ server, shown }: ActsProps) {
  return (
    <>
      <Menu.Item leftSection={<RefreshIcon />} onClick={() => shown.measureAgain(server)}>
        {t('doubles.measureAgain')}
      </Menu.Item>
      <Menu.Item leftSection={<DownloadIcon />} onClick={() => void shown.exportModel(server)}>
        {t('doubles.export')}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}
