import { Button, Text, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { RedactedBody } from '../../preload/contract/calls.ts';
import classes from './answers.module.css';
import { JsonCode } from './code.tsx';
import { Redacted } from './redacted.tsx';
import { beginningOf, lengthOf, formatJson } from './redacted-text.ts';
import { t } from '../i18n.ts';
import { callFormatters } from '../format.ts';

/** In characters: the page lays out this much without a noticeable pause. */
export const shownAtFirst = 50_000;

interface BodyProps {
  /** Accessible name of the body. */
  label: string;
  body: RedactedBody | undefined;
}

export function MessageBody({ label, body }: BodyProps) {
  if (body === undefined || body.bytes === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('calls.noBody')}
      </Text>
    );
  }
  return body.form === 'described' ? <DescribedBody body={body} /> : <TextBody label={label} body={body} />;
}

/** Media type, title and hash of a body whose text is not stored. */
function DescribedBody({ body }: { body: Extract<RedactedBody, { form: 'described' }> }) {
  const words = callFormatters();
  const { type, title, sha256 } = body;
  return (
    <>
      <Text size="xs" c="dimmed">
        {type !== undefined && <bdi>{type}, </bdi>}
        {t('calls.described', { size: words.size(body.bytes) })}
      </Text>
      {title && (
        <div className={classes.wire}>
          <Redacted text={title} />
        </div>
      )}
      {sha256 !== undefined && <pre className={classes.hex}>{t('calls.sha256', { hash: sha256 })}</pre>}
    </>
  );
}

const forms = ['pretty', 'raw'] as const;

function TextBody({ label, body }: { label: string; body: Extract<RedactedBody, { form: 'text' }> }) {
  const words = callFormatters();
  const { text, bytes, isBeginning, isInMemory } = body;
  const [form, setForm] = useState<(typeof forms)[number]>('pretty');
  const [whole, setWhole] = useState(false);
  const pretty = useMemo(() => formatJson(text), [text]);
  const displayed = pretty && form === 'pretty' ? pretty : text;
  const length = lengthOf(displayed);
  const isCut = !whole && length > shownAtFirst;
  const shown = isCut ? beginningOf(displayed, shownAtFirst) : displayed;
  return (
    <>
      <div className={classes.partHead}>
        {pretty ? (
          <SegmentedControl
            aria-label={label}
            data={forms.map((value) => ({ value, label: t(`calls.${value}`) }))}
            value={form}
            onChange={setForm}
          />
        ) : (
          <span />
        )}
        <Text size="xs" c="dimmed">
          {isBeginning
            ? t('calls.keptBeginning', { size: words.size(bytes), kept: words.size(lengthOf(text)) })
            : words.size(bytes)}
          {isInMemory && ` · ${t('calls.inMemory')}`}
        </Text>
      </div>
      {displayed === pretty && length <= shownAtFirst ? (
        <JsonCode text={pretty} />
      ) : (
        <div className={classes.wire}>
          <Redacted text={shown} />
          {isCut && '…'}
        </div>
      )}
      {isCut && (
        <Button style={{ alignSelf: 'flex-start' }} variant="default" size="compact-sm" onClick={() => setWhole(true)}>
          {t('calls.showAll', { size: words.size(bytes) })}
        </Button>
      )}
    </>
  );
}
