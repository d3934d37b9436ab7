import { ActionIcon, Button, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { EnteredConnection, ExtraHeader } from '../../../preload/contract/connection.ts';
import { BinIcon, PlusIcon } from '../../components/icons.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { Fold } from '../../components/fold.tsx';
import classes from './headers-fold.module.css';
import { plainText } from '../../components/plain-text.ts';
import { t } from '../../i18n.ts';

type Row = NonNullable<EnteredConnection['headers']>[number];

/** What main could not use of one header. */
export interface WrongHeader {
  row: number;
  part: 'name' | 'value';
  says: string;
}

interface HeadersFoldProps {
  headers: readonly Row[];
  onChange: (headers: Row[]) => void;
  /** Those that main keeps. Their values never come here. */
  kept: readonly ExtraHeader[];
  /** Whether the address is another one than the saved values belong to. */
  isMoved: boolean;
  wrong: WrongHeader | undefined;
}

/** Shows the extra headers of one server. Values are typed here and never shown again. */
export function HeadersFold({ headers, onChange, kept, isMoved, wrong }: HeadersFoldProps) {
  const addRef = useRef<HTMLButtonElement>(null);
  const [newest, setNewest] = useState(-1);
  const names = headers.map(({ name }) => name.trim()).filter((name) => name !== '');

  function add() {
    setNewest(headers.length);
    onChange([...headers, { name: '', value: '' }]);
  }

  function remove(at: number) {
    setNewest(-1);
    onChange(headers.filter((_header, index) => index !== at));
    // The button that had the focus goes away.
    addRef.current?.focus();
  }

  return (
    <Fold title={t('extraHeaders.title')} value={names.length === 0 ? t('extraHeaders.none') : names.join(', ')}>
      <Text size="xs" c="dimmed">
        {t('extraHeaders.help')}
      </Text>
      <div className="grid gap12 or-nothing">
        {headers.map((header, at) => (
          <HeaderRow
            // A row has nothing of its own but what is typed in it.
            // oxlint-disable-next-line react/no-array-index-key
            key={at}
            number={at + 1}
            isNewest={at === newest}
            header={header}
            onChange={(changed) => onChange(headers.map((each, index) => (index === at ? changed : each)))}
            onRemove={() => remove(at)}
            saved={savedOf(header, kept, isMoved)}
            wrong={wrong?.row === at ? wrong : undefined}
          />
        ))}
      </div>
      <Button ref={addRef} className={classes.add} variant="default" size="xs" leftSection={<PlusIcon />} onClick={add}>
        {t('extraHeaders.add')}
      </Button>
    </Fold>
  );
}

/** What there is of a header's value already. */
type Saved = 'isSet' | 'isMissing' | 'isDropped';

function savedOf({ name }: Row, kept: readonly ExtraHeader[], isMoved: boolean): Saved | undefined {
  const found = kept.find((each) => each.name.toLowerCase() === name.trim().toLowerCase());
  if (!found) return undefined;
  return !found.isSet ? 'isMissing' : isMoved ? 'isDropped' : 'isSet';
}

interface HeaderRowProps {
  number: number;
  isNewest: boolean;
  header: Row;
  onChange: (header: Row) => void;
  onRemove: () => void;
  saved: Saved | undefined;
  wrong: WrongHeader | undefined;
}

function HeaderRow({ number, isNewest, header, onChange, onRemove, saved, wrong }: HeaderRowProps) {
  const nameRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNewest) nameRef.current?.focus();
  }, [isNewest]);
  const errorAt = (part: WrongHeader['part']) => (wrong?.part === part ? wrong.says : undefined);
  const label = t('extraHeaders.remove', { name: header.name.trim() || number });
  return (
    // A fieldset would bring a legend, which nobody needs to see.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" className={classes.row} aria-label={t('extraHeaders.row', { number })}>
      <TextInput
        ref={nameRef}
        classNames={{ input: 'size13 mono' }}
        label={t('extraHeaders.name')}
        value={header.name}
        onChange={(event) => onChange({ ...header, name: event.currentTarget.value })}
        error={errorAt('name')}
        {...plainText}
      />
      <SecretInput
        visible={false}
        autoComplete="off"
        label={t('extraHeaders.value')}
        placeholder={saved && t(`extraHeaders.saved.${saved}`)}
        value={header.value}
        onChange={(event) => onChange({ ...header, value: event.currentTarget.value })}
        error={errorAt('value')}
      />
      <ActionIcon
        className={classes.remove}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={label}
        title={label}
        onClick={onRemove}
      >
        <BinIcon />
      </ActionIcon>
    </div>
  );
}
