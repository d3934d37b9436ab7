import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { ServerColour } from '../../../preload/contract/settings.ts';
import type { FileChange, ServersFilePreview } from '../../../preload/contract/servers-file.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { api } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { showFile } from './servers-store.ts';
import { endedText } from './use-server-form.ts';
import classes from './servers-file-dialog.module.css';
import { t } from '../../i18n.ts';

/** The last part of a Windows or POSIX path. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** True if a readable servers file differs from the servers. */
export const isOther = (reading: ServersFilePreview): boolean =>
  reading.readable && reading.added.length + reading.changed.length + reading.gone.length > 0;

interface ServersFileDialogProps {
  reading: ServersFilePreview;
  /** Called once applying it has succeeded or failed. */
  onTaken: () => void;
}

const close = (): void => showFile(undefined);

/** The changes in a servers file before they are applied, or why it cannot be used. */
export function ServersFileDialog({ reading, onTaken }: ServersFileDialogProps) {
  const { run, pending, failure } = useAction();
  const take = (key: string) =>
    void run(
      () => api.servers.applyFile({ key }),
      (ended) => {
        close();
        return () => (ended.ended === 0 ? t('serversFile.taken') : endedText(ended));
      },
    ).finally(onTaken);
  return (
    <Dialog title={t('serversFile.title')} size="lg" onClose={close}>
      <div className="grid gap16">
        <p className="flush hint anywhere">
          <UntrustedText text={reading.file} />
        </p>
        {reading.readable ? <Differences reading={reading} /> : <Refused reading={reading} />}
        {failure && <ErrorMessage error={failure.error} during="server" />}
        <div className={classes.answers}>
          {reading.readable && isOther(reading) ? (
            <>
              <Button variant="default" data-autofocus onClick={close}>
                {t('serversFile.leave')}
              </Button>
              <Button aria-busy={pending} onClick={() => take(reading.key)}>
                {t('serversFile.take')}
              </Button>
            </>
          ) : (
            <Button variant="default" data-autofocus onClick={close}>
              {t('app.close')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

type Readable = Extract<ServersFilePreview, { readable: true }>;

function Refused({ reading: { file, fault } }: { reading: Extract<ServersFilePreview, { readable: false }> }) {
  return (
    <div className="grid gap8">
      <p className="flush text anywhere">{reportTexts().serversFault(fileName(file), fault)}</p>
      <p className="flush text soft">{t('serversFile.nothing')}</p>
    </div>
  );
}

function Differences({ reading }: { reading: Readable }) {
  const { added, changed, gone, same } = reading;
  const ending = changed.reduce((count, { sessions }) => count + sessions, 0);
  return (
    <>
      {!isOther(reading) && <p className="flush text">{t('serversFile.alike')}</p>}
      <Part title={t('serversFile.added')} isShown={added.length > 0}>
        {added.map(({ name, address, colour, production, interface: described, headers }) => (
          <li key={name} className={classes.server}>
            <Name name={name} colour={colour} isProduction={production} />
            <bdi className={classes.line}>{address}</bdi>
            <span className={classes.line}>
              <UntrustedText text={described} />
            </span>
            {headers.length > 0 && (
              <span className={classes.line}>
                {t('serversFile.headers')} <bdi>{headers.join(', ')}</bdi>
              </span>
            )}
          </li>
        ))}
      </Part>
      <Part title={t('serversFile.changed')} isShown={changed.length > 0}>
        {changed.map(({ id, name, changes }) => (
          <li key={id} className={classes.server}>
            <Name name={name} />
            <dl className={classes.changes}>
              {changes.map((change) => (
                <Change key={change.what} change={change} />
              ))}
            </dl>
          </li>
        ))}
      </Part>
      <Part title={t('serversFile.gone')} isShown={gone.length > 0} help={t('serversFile.goneHelp')}>
        {gone.map(({ id, name }) => (
          <li key={id} className={classes.server}>
            <Name name={name} />
          </li>
        ))}
      </Part>
      {ending > 0 && <p className="flush text strong">{t('serversFile.ending', { count: ending })}</p>}
      {isOther(reading) && same > 0 && <p className="flush hint">{t('serversFile.same', { count: same })}</p>}
    </>
  );
}

interface PartProps {
  title: string;
  isShown: boolean;
  help?: string;
  children: ReactNode;
}

function Part({ title, isShown, help, children }: PartProps) {
  const headingId = useId();
  if (!isShown) return null;
  return (
    <section className="grid gap8" aria-labelledby={headingId}>
      <h3 id={headingId} className="flush text strong">
        {title}
      </h3>
      {help !== undefined && <p className="flush hint">{help}</p>}
      <ul className="list outlined round6 clip" aria-labelledby={headingId}>
        {children}
      </ul>
    </section>
  );
}

interface NameProps {
  name: string;
  colour?: ServerColour;
  isProduction?: boolean;
}

function Name({ name, colour, isProduction = false }: NameProps) {
  return (
    <span className="row wrap slim gap8">
      {colour !== undefined && <ServerDot colour={colour} size={12} />}
      <UntrustedText className="slim strong" text={name} />
      {isProduction && <ProductionLabel>{t('server.production')}</ProductionLabel>}
    </span>
  );
}

function Change({ change }: { change: FileChange }) {
  const { what, from, to } = change;
  return (
    <div className={classes.change}>
      <dt className="soft">{t(`serversFile.what.${what}`)}</dt>
      {from === undefined && to === undefined ? (
        <dd className="flush anywhere">{t('serversFile.other')}</dd>
      ) : (
        <dd className="flush anywhere">
          <span className="muted">{t('serversFile.was')}</span> <UntrustedText text={valueText(what, from)} />
          <br />
          <span className="muted">{t('serversFile.willBe')}</span> <UntrustedText text={valueText(what, to)} />
        </dd>
      )}
    </div>
  );
}

function valueText(what: FileChange['what'], value: string | undefined): string {
  if (value === undefined || value === '') return t('serversFile.none');
  if (what === 'production') return t(value === 'true' ? 'serversFile.yes' : 'serversFile.no');
  const colour = colours.find((each) => each === value);
  return what === 'colour' && colour ? t(`colour.${colour}`) : value;
}

const colours = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink'] as const;
