import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './fields.module.css';

interface FieldsProps {
  fields: readonly { label: string; mono?: boolean; value: ReactNode }[];
}

/** Shows the names and values of a user record. */
export function Fields({ fields }: FieldsProps) {
  return (
    <dl className={classes.list}>
      {fields.map(({ label, mono, value }) => (
        <div key={label} className={classes.row}>
          <dt className={mono ? `${classes.label} ${classes.mono}` : classes.label}>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Shows a value as the server sent it. A moment in time is said in the words of the language first. */
export function FieldValue({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  if (text === '')
    return (
      <Text inherit c="dimmed">
        {t('profile.empty')}
      </Text>
    );
  const moment = isoMoment.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return <bdi>{text}</bdi>;
  return (
    <>
      <time dateTime={text}>
        {new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' }).format(moment)}
      </time>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </>
  );
}
