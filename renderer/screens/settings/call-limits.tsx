import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import type { CallLimits } from '../../../preload/contract/settings.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useQuery } from '../../use-query.ts';
import { helpText, type Row } from './setting-row.tsx';
import classes from './settings.module.css';

const bounds = { count: { least: 10, most: 100_000 }, megabytes: { least: 1, most: 2000 } };
const bytesPerMegabyte = 1_000_000;

/** The number of recorded calls that are stored, and their total size. */
export const limitsRow = (): Row => ({ help: helpText('limits'), below: <CallLimitsForm /> });

const isOutside = (field: keyof typeof bounds) => (text: string) =>
  !/^\d{1,6}$/.test(text.trim()) || Number(text) < bounds[field].least || Number(text) > bounds[field].most;

function CallLimitsForm() {
  const { data, error } = useQuery(api.calls.limits);
  const { run, failure } = useAction();
  const form = useForm({
    initialValues: { count: '', megabytes: '' },
    validate: { count: isOutside('count'), megabytes: isOutside('megabytes') },
  });
  const fill = useEffectEvent(({ count, bytes }: CallLimits) =>
    form.setValues({ count: String(count), megabytes: String(Math.round(bytes / bytesPerMegabyte)) }),
  );
  useEffect(() => {
    if (data) fill(data);
  }, [data]);
  const save = form.onSubmit(
    ({ count, megabytes }) =>
      void run(
        () => api.calls.setLimits({ count: Number(count), bytes: Number(megabytes) * bytesPerMegabyte }),
        () => () => t('storage.limits.saved'),
      ),
    (problems) => form.getInputNode(Object.keys(problems)[0] ?? '')?.focus(),
  );
  return (
    <form noValidate className={classes.form} onSubmit={save}>
      <Stack gap="sm">
        <Group align="flex-start" grow>
          {(['count', 'megabytes'] as const).map((field) => (
            <TextInput
              key={field}
              {...form.getInputProps(field)}
              name={field}
              inputMode="numeric"
              label={t(`storage.limits.${field}`)}
              readOnly={!data && !error}
              error={form.errors[field] && t('storage.limits.wrong', bounds[field])}
            />
          ))}
        </Group>
        <Group>
          <Button type="submit" variant="default">
            {t('app.save')}
          </Button>
        </Group>
        {failure && <ErrorMessage error={failure.error} during="server" />}
        {error && <ErrorMessage error={error} during="server" takesFocus={false} />}
      </Stack>
    </form>
  );
}
