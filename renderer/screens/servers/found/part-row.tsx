import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Chip } from '../../../components/chip.tsx';
import { CheckIcon } from '../../../components/icons.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { faultText } from '../interface-text.ts';
import classes from './found-parts.module.css';
import { type Mark, type PartName, absentTextKey } from './part-marks.ts';
import { t } from '../../../i18n.ts';

interface PartRowProps {
  part: PartName;
  mark: Mark;
  /** The value, in one line. */
  shown: ReactNode;
  /** Another remark. */
  note?: string | undefined;
  /** Adds a missing part; absent if its controls are always shown. */
  onAdd?: (() => void) | undefined;
  /** The controls that edit the value. */
  children: ReactNode;
}

/** A part of an import. A certain value is text until it is clicked; a guess shows its controls at once. */
export function PartRow({ part, mark, shown, note, onAdd, children }: PartRowProps) {
  const id = useId();
  const [opened, setOpened] = useState<'pressed' | 'held'>();
  const valueRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (opened !== 'pressed') return;
    const { current: value } = valueRef;
    (value?.querySelector('input') ?? value?.querySelector<HTMLElement>('select, button'))?.focus();
  }, [opened]);
  const isAbsent = mark.is === 'missing' || (onAdd !== undefined && shown === undefined);
  const isOpen = isAbsent ? onAdd === undefined : opened !== undefined || mark.is === 'guess';
  return (
    <li className={classes.item} data-is={mark.is} data-part={part}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes its controls from each of them. */}
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A legend cannot be laid out beside the controls.
        role="group"
        className={classes.part}
        aria-labelledby={id}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.defaultPrevented || opened === undefined) return;
          event.preventDefault();
          setOpened(undefined);
          requestAnimationFrame(() => valueRef.current?.querySelector('button')?.focus());
        }}
      >
        <span id={id} className={classes.label}>
          {t(`interface.parts.of.${part}`)}
        </span>
        {/* Focused controls stay open, even if the part becomes certain. */}
        <div
          ref={valueRef}
          data-home
          className={classes.value}
          onFocus={() => isOpen && opened === undefined && setOpened('held')}
        >
          {isAbsent && <span className="soft">{t(absentTextKey(part, mark))}</span>}
          {isAbsent && onAdd && (
            <Button
              variant="default"
              size="xs"
              aria-label={t('interface.parts.addPart', { name: t(`interface.parts.of.${part}`) })}
              onClick={() => {
                onAdd();
                setOpened('pressed');
              }}
            >
              {t('interface.parts.add')}
            </Button>
          )}
          {!isAbsent && !isOpen && (
            <button
              type="button"
              className={classes.flat}
              title={t('interface.parts.edit')}
              onClick={() => setOpened('pressed')}
            >
              {shown}
            </button>
          )}
          {isOpen && children}
        </div>
        <Certainty is={mark.is} />
        {note !== undefined && (
          <p className={classes.note}>
            <UntrustedText text={note} />
          </p>
        )}
        <Why part={part} mark={mark} />
      </div>
    </li>
  );
}

function Certainty({ is }: Pick<Mark, 'is'>) {
  return is === 'sure' ? (
    <span className={classes.sure}>
      <CheckIcon />
      {t('interface.parts.is.sure')}
    </span>
  ) : (
    <span className={classes.mark}>
      <Chip tone="warn">{t(`interface.parts.is.${is}`)}</Chip>
    </span>
  );
}

/** Why a part is a guess, and its faults. */
function Why({ part, mark: { is, reasons, faults } }: { part: PartName; mark: Mark }) {
  const said = reasons.flatMap(({ at, why, detail = '' }) => {
    // Stored guesses have no quotes of the text.
    const isQuoted = why === 'environments' || why === 'prose' || why === 'placeholder';
    if (why === undefined || is === 'missing' || (isQuoted && detail === '')) return [];
    // A part with a single value needs no name for it.
    const name =
      part === 'fields' || part === 'headers' || at.includes('.body.') ? at.slice(at.lastIndexOf('.') + 1) : '';
    const sentence = t(`interface.parts.why.${why}`, { detail });
    return [name === '' || name === 'body' ? sentence : `${name}: ${sentence}`];
  });
  const isByHand = is === 'guess' && reasons.length === 0;
  const sentences = isByHand ? [t('interface.parts.why.changed')] : [...new Set(said)];
  // A missing call is shown by its mark already.
  const wrong = faults.filter(({ problem }) => is !== 'missing' || problem !== 'missing');
  return (
    <>
      {is === 'guess' && sentences.length > 0 && (
        <p className={classes.why}>
          <UntrustedText text={sentences.join(' ')} />
        </p>
      )}
      {wrong.length > 0 && (
        <p className={classes.wrong} role="alert">
          {wrong.map((fault) => faultText(fault)).join(' ')}
        </p>
      )}
    </>
  );
}
