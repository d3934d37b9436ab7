import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { EditableRequest, RecordedCall } from '../../../preload/contract/calls.ts';
import { editedMethods, longestEdited, mostEditedHeaders } from '../../../preload/contract/names.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { CloseButton } from '../../components/close-button.tsx';
import { PlusIcon } from '../../components/icons.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { ChangeCount } from './change-count.tsx';
import { CopyMenu } from './copy-menu.tsx';
import { EditedBody } from './edited-body.tsx';
import classes from './edit-request.module.css';
import { HeaderRow } from './edited-header.tsx';
import { filledHeaders } from './request-draft.ts';
import { useDraft, type Edit } from './use-draft.ts';
import type { ShownCalls } from './use-calls.ts';
import { language, t } from '../../i18n.ts';
import { callFormatters } from '../../format.ts';

interface EditRequestProps {
  calls: ShownCalls;
  call: RecordedCall;
  editable: EditableRequest;
  /** Why main did not send what was edited. */
  wrong: AppError | undefined;
  settings: Settings;
}

/** Lets a person change a recorded request and send it. The values of its secrets never come here: only their names. */
export function EditRequest({ calls, call, editable, wrong, settings }: EditRequestProps) {
  const { replay, say } = calls;
  const edit = useDraft(editable);
  const { draft, changes } = edit;
  const isSending = replay.step.step === 'sending';
  const wrongRow = wrong?.kind === 'invalid-header' ? filledHeaders(draft)[wrong.row]?.key : undefined;
  const isPathWrong = wrong?.kind === 'not-replayable' && wrong.problem === 'unsafe-path';
  const methods = [...new Set([editable.method, ...editedMethods])];

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    replay.start(call, { change: 'edited', request: edit.request() });
  }

  function undo() {
    edit.undo();
    say(undefined);
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.scroll}>
        <Head calls={calls} call={call} onUndo={undo} />
        <div className={classes.fields}>
          <div className={classes.address}>
            <NativeSelect
              aria-label={t('edit.method')}
              classNames={{ input: 'mono' }}
              data-changed={changes.method}
              data={methods}
              value={draft.method}
              onChange={(event) => edit.change({ method: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('edit.path')}
              classNames={{ input: 'size13 mono' }}
              data-changed={changes.path}
              error={isPathWrong}
              value={draft.path}
              maxLength={longestEdited}
              onChange={(event) => edit.change({ path: event.currentTarget.value })}
              spellCheck={false}
            />
          </div>
          <p className="flush hint">
            <UntrustedText text={t('edit.only', { address: editable.baseUrl.replace(/^https?:\/\//, '') })} />
          </p>
          <Headers edit={edit} wrongRow={wrongRow} />
          <EditedBody edit={edit} />
          {edit.names.size > 0 && (
            <p className="flush hint">
              {t('edit.filled', {
                count: edit.names.size,
                names: new Intl.ListFormat(language()).format(edit.names.keys()),
              })}
            </p>
          )}
        </div>
      </div>
      <footer className={classes.foot}>
        <span className={classes.pace}>{t('edit.pace', { count: settings.callsPerSecond })}</span>
        <CopyMenu
          id={call.id}
          request={edit.request}
          onCopied={(sentence) => say({ sentence })}
          onFailed={(error) => say({ error })}
        />
        <Button type="submit" aria-busy={isSending} aria-disabled={isSending}>
          {t('replay.send')}
        </Button>
      </footer>
    </form>
  );
}

interface HeadProps extends Pick<EditRequestProps, 'calls' | 'call'> {
  onUndo: () => void;
}

function Head({ calls: { headingRef, backToCall }, call, onUndo }: HeadProps) {
  const words = callFormatters();
  return (
    <header className={classes.head}>
      <h2 id="call-heading" ref={headingRef} tabIndex={-1} className={classes.heading}>
        {t('edit.title')} <span className={classes.from}>{t('edit.from', { time: words.clock(call.startedAt) })}</span>
      </h2>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onUndo}>
        {t('edit.undo')}
      </Button>
      <CloseButton name={t('edit.close')} onClick={backToCall} />
    </header>
  );
}

function Headers({ edit, wrongRow }: { edit: Edit; wrongRow: number | undefined }) {
  const { draft, changes } = edit;
  const headingId = useId();
  const addRef = useRef<HTMLButtonElement>(null);
  const [newest, setNewest] = useState<number>();
  const isFull = draft.headers.length >= mostEditedHeaders;
  return (
    <section className={classes.part} aria-labelledby={headingId}>
      <div className={classes.partHead}>
        <h3 id={headingId} className={classes.legend}>
          {t('calls.headers')}
        </h3>
        <ChangeCount count={changes.headerCount} />
        <span className="grow" />
        <Button
          ref={addRef}
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<PlusIcon />}
          aria-disabled={isFull}
          onClick={() => {
            if (isFull) return;
            setNewest(edit.nextKey);
            edit.addHeader({ name: '', value: '' });
          }}
        >
          {t('edit.addHeader')}
        </Button>
      </div>
      {draft.headers.map((header) => (
        <HeaderRow
          key={header.key}
          header={header}
          isNewest={header.key === newest}
          isChanged={changes.headers.has(header.key)}
          isWrong={header.key === wrongRow}
          onChange={(part) =>
            edit.change({
              headers: draft.headers.map((each) => (each.key === header.key ? { ...each, ...part } : each)),
            })
          }
          onRemove={() => {
            edit.change({ headers: draft.headers.filter(({ key }) => key !== header.key) });
            // The button that had the focus goes away.
            addRef.current?.focus();
          }}
        />
      ))}
    </section>
  );
}
