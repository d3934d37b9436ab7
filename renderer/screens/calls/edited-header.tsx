import { ActionIcon, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { longestEdited } from '../../../preload/contract/names.ts';
import { CloseIcon } from '../../components/icons.tsx';
import classes from './edit-request.module.css';
import type { DraftHeader } from './request-draft.ts';
import { t } from '../../i18n.ts';

const plainText = { autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off', spellCheck: false } as const;

interface HeaderRowProps {
  header: DraftHeader;
  isNewest: boolean;
  isChanged: boolean;
  isWrong: boolean;
  onChange: (part: Partial<DraftHeader>) => void;
  onRemove: () => void;
}

/** Shows one header of a request that is edited. A bar marks one that is changed or new. */
export function HeaderRow({ header, isNewest, isChanged, isWrong, onChange, onRemove }: HeaderRowProps) {
  const nameRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNewest) nameRef.current?.focus();
  }, [isNewest]);
  const name = header.name.trim() || t('edit.newHeader');
  const remove = t('extraHeaders.remove', { name });
  return (
    <div className={classes.header}>
      <TextInput
        ref={nameRef}
        aria-label={t('edit.headerName')}
        classNames={{ input: 'size13 mono' }}
        data-changed={isChanged}
        error={isWrong}
        maxLength={1000}
        value={header.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        {...plainText}
      />
      <TextInput
        aria-label={t('edit.headerValue', { name })}
        classNames={{ input: 'size13 mono' }}
        error={isWrong}
        maxLength={longestEdited}
        value={header.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
        {...plainText}
      />
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={remove} title={remove} onClick={onRemove}>
        <CloseIcon />
      </ActionIcon>
    </div>
  );
}
