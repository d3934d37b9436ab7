import { ActionIcon, Button, Menu } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useId } from 'react';
import type { Server } from '../../../preload/contract/models.ts';
import { useAppState } from '../../api.ts';
import { DoubleLabel, ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { BackIcon, BinIcon, CopyIcon, DownIcon, MoreIcon, PlugIcon, UpIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { OutsideText } from '../../components/outside-text.tsx';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { DoubleItems } from './double-items.tsx';
import { DoubleParts } from './double-parts.tsx';
import { MakeDouble } from './make-double.tsx';
import { ConnectionTestResult } from './connection-test.tsx';
import classes from './server-detail.module.css';
import { type Form, ServerForm } from './server-form.tsx';
import type { ServerActions } from './use-server-actions.ts';
import { useConnectionTest } from './use-connection-test.ts';
import { useServerForm } from './use-server-form.ts';

interface ServerDetailProps {
  /** It is undefined for a new one. */
  server: Server | undefined;
  isActive: boolean;
  /** Where it stands among the servers. */
  place: { isFirst: boolean; isLast: boolean };
  actions: ServerActions;
  headingRef: RefObject<HTMLHeadingElement | null>;
  onCreated: (id: string) => void;
  onDelete: () => void;
  /** Goes to the list, which a narrow room shows instead of this. */
  onBack: () => void;
  /** Gives up a new server. */
  onCancelled: () => void;
}

/** Shows one server: what can be done with it, how the test of its connection ended, and its form. */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one page, whose parts have files of their own.
export function ServerDetail({ server, headingRef, onBack, ...props }: ServerDetailProps) {
  const { t } = useTexts();
  const headingId = useId();
  const formId = useId();
  const { formRef, alertRef, ...form } = useServerForm(server, props.onCreated);
  const { address, isRunHere, connection, details } = form;
  const state = useAppState();
  const { askRef, ...test } = useConnectionTest({
    address,
    connection: isRunHere ? undefined : connection,
    toSend: form.toSend,
    serverId: server?.id,
  });

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const isInside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== 'Escape' || !isInside || event.defaultPrevented) return;
    if (test.shown.step === 'asking') test.cancel();
    else onBack();
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
            onClick={onBack}
          >
            {t('server.all')}
          </Button>
          <div className={classes.head}>
            <ServerDot colour={details.colour} size={14} />
            <h2 id={headingId} ref={headingRef} tabIndex={-1} className={classes.title}>
              <OutsideText text={server ? serverName(server, t) : t('server.new')} />
            </h2>
            {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
            {server?.double && <DoubleLabel>{t('doubles.mark')}</DoubleLabel>}
            <div className={classes.actions}>
              {server && <UseButton server={server} isActive={props.isActive} actions={props.actions} />}
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
              {server && <MoreMenu server={server} {...props} />}
            </div>
          </div>
          {server?.double && state ? (
            <DoubleParts server={server} double={server.double} state={state} />
          ) : (
            <ConnectionTestResult test={test.shown} onCancel={test.cancel} />
          )}
          <ServerForm id={formId} formRef={formRef} server={server} form={form} />
          {server && !server.double && state?.settings.workbench && (
            <MakeDouble key={server.id} server={server} state={state} isMeasured={false} />
          )}
        </div>
      </div>
      <SaveBar
        formId={formId}
        alertRef={alertRef}
        form={form}
        isNew={server === undefined}
        onCancelled={props.onCancelled}
      />
    </section>
  );
}

function UseButton({
  server,
  isActive,
  actions,
}: Pick<ServerDetailProps, 'isActive' | 'actions'> & { server: Server }) {
  const { t } = useTexts();
  const label = t('server.use', { name: serverName(server, t) });
  return (
    <Button
      variant="default"
      aria-label={isActive ? undefined : label}
      aria-disabled={isActive}
      onClick={() => !isActive && actions.use(server)}
    >
      {isActive ? t('server.inUse') : t('server.short.use')}
    </Button>
  );
}

type MoreMenuProps = Pick<ServerDetailProps, 'actions' | 'onDelete' | 'place'> & { server: Server };

function MoreMenu({ server, actions, onDelete, place }: MoreMenuProps) {
  const { t } = useTexts();
  const label = t('server.more', { name: serverName(server, t) });
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={label}>
          <MoreIcon size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {server.double && <DoubleItems server={server} actions={actions} />}
        {server.baseUrl !== '' && !server.double && (
          <Menu.Item leftSection={<CopyIcon />} onClick={() => void actions.duplicate(server)}>
            {t('server.short.duplicate')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<UpIcon />} disabled={place.isFirst} onClick={() => void actions.move(server, -1)}>
          {t('server.short.up')}
        </Menu.Item>
        <Menu.Item leftSection={<DownIcon />} disabled={place.isLast} onClick={() => void actions.move(server, 1)}>
          {t('server.short.down')}
        </Menu.Item>
        {!server.builtIn && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<BinIcon />} onClick={onDelete}>
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
  alertRef: RefObject<HTMLDivElement | null>;
  form: Form;
  isNew: boolean;
  onCancelled: () => void;
}

/** Says whether everything is saved. Its place is held, and what went wrong comes over the end of the form. */
function SaveBar({ formId, alertRef, form, isNew, onCancelled }: SaveBarProps) {
  const { t } = useTexts();
  const isAsked = useAppState()?.asking === true && form.sending;
  const canSave = isNew || form.isChanged;
  const says = form.isChanged ? t('server.unsaved') : isNew ? '' : t('server.allSaved');
  return (
    <div className={classes.bar}>
      {form.failure && (
        <div className={classes.failure}>
          <ErrorMessage error={form.failure} during="server" wait={0} ref={alertRef} />
        </div>
      )}
      <output className={classes.saved}>{isAsked ? t('app.asking') : says}</output>
      <Button
        variant="subtle"
        color="gray"
        aria-disabled={!canSave}
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
