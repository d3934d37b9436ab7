import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { useAction } from '../../use-action.ts';
import type { Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { t } from '../../i18n.ts';

const bounds = { count: [10, 100_000], megabytes: [1, 2000] } as const;
type Field = keyof typeof bounds;
const fields = ['count', 'megabytes'] as const;
const bytesOfMegabyte = 1_000_000;

const isWithin = (field: Field, text: string): boolean =>
  /^\d{1,6}$/.test(text.trim()) && Number(text) >= bounds[field][0] && Number(text) <= bounds[field][1];

/** How many recorded calls are kept, and how large they may be in all. */
export function useCallRows(): Row[] {
  return [
    {
      id: 'limits',
      label: t('storage.limits.title'),
      help: t('storage.limits.help'),
      below: <CallLimitsForm />,
    },
  ];
}

function CallLimitsForm() {
  const attempt = useAction();
  const [typed, setTyped] = useState<Record<Field, string>>();
  const [told, setTold] = useState<'wrong' | 'saved'>();

  useEffect(() => {
    void api.calls.limits().then((result) => {
      setTyped({
        count: result.ok ? String(result.value.count) : '',
        megabytes: result.ok ? String(Math.round(result.value.bytes / bytesOfMegabyte)) : '',
      });
    });
  }, []);

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!typed) return;
    const form = event.currentTarget;
    const wrong = fields.find((field) => !isWithin(field, typed[field]));
    setTold(wrong && 'wrong');
    if (wrong) {
      form.querySelector<HTMLInputElement>(`input[name=${wrong}]`)?.focus();
      return;
    }
    const limits = { count: Number(typed.count), bytes: Number(typed.megabytes) * bytesOfMegabyte };
    const result = await attempt.run(() => api.calls.setLimits(limits));
    if (result?.ok) setTold('saved');
  }

  return (
    <form noValidate className={classes.form} onSubmit={(event) => void save(event)}>
      <Stack gap="sm">
        <Group align="flex-start" grow>
          {fields.map((field) => (
            <TextInput
              key={field}
              name={field}
              inputMode="numeric"
              label={t(`storage.limits.${field}`)}
              readOnly={!typed}
              value={typed?.[field] ?? ''}
              error={
                typed &&
                told === 'wrong' &&
                !isWithin(field, typed[field]) &&
                t('storage.limits.wrong', { least: bounds[field][0], most: bounds[field][1] })
              }
              onChange={(event) => {
                if (typed) setTyped({ ...typed, [field]: event.currentTarget.value });
                setTold(undefined);
              }}
            />
          ))}
        </Group>
        {attempt.failure && (
          <Message tone="error">
            <ErrorText error={attempt.failure.error} during="server" />
          </Message>
        )}
        <Group>
          <Button type="submit" variant="default">
            {t('app.save')}
          </Button>
          <output className={classes.said}>{told === 'saved' && t('storage.limits.saved')}</output>
        </Group>
      </Stack>
    </form>
  );
}
