import { Button, NativeSelect, TextInput } from '@mantine/core';
import { PlusIcon } from '../../components/icons.tsx';
import classes from './form-and-list.module.css';
import { parameterLabels } from './use-fault-form.ts';
import { type FaultFormProps, useFaultForm } from './use-fault-form.ts';
import { t } from '../../i18n.ts';

/** Adds one fault, as a sentence with gaps. What was typed stays, so that another fault like it is one press away. */
export function FaultForm(props: FaultFormProps) {
  const { choices, sending } = props;
  const { formRef, operation, kinds, chosen, often, field, chooseOperation, chooseKind, setOften, submit } =
    useFaultForm(props);
  if (!chosen) return null;
  const { parameter } = chosen;
  const labelKey = parameterLabels[chosen.kind];
  const label = labelKey ? t(labelKey) : '';

  return (
    <form ref={formRef} onSubmit={submit} noValidate>
      <div className={classes.sentence}>
        <NativeSelect
          size="xs"
          aria-label={t('builtIn.operation')}
          value={operation}
          data={choices.operations.map((name) => ({ value: name, label: t(`builtIn.operations.${name}`) }))}
          onChange={({ currentTarget: { value } }) => chooseOperation(value)}
        />
        <span className={classes.word}>{t('builtIn.gets')}</span>
        <NativeSelect
          size="xs"
          aria-label={t('builtIn.kind')}
          value={chosen.kind}
          data={kinds.map((each) => ({ value: each.kind, label: t(`builtIn.kinds.${each.kind}.name`) }))}
          onChange={({ currentTarget: { value } }) => chooseKind(value)}
        />
        {parameter && (
          <>
            <span className={classes.word} aria-hidden>
              {label}
            </span>
            <TextInput size="xs" className={classes.number} aria-label={label} {...field('least')} />
          </>
        )}
        {parameter?.isRange && (
          <>
            <span className={classes.word} aria-hidden>
              {t('builtIn.to')}
            </span>
            <TextInput
              size="xs"
              className={classes.number}
              aria-label={t('builtIn.parameterTo', { label })}
              {...field('most')}
            />
          </>
        )}
        <NativeSelect
          size="xs"
          aria-label={t('builtIn.often')}
          value={often}
          data={(['times', 'chance'] as const).map((value) => ({ value, label: t(`builtIn.${value}`) }))}
          onChange={({ currentTarget: { value } }) => setOften(value === 'chance' ? 'chance' : 'times')}
        />
        <TextInput
          size="xs"
          className={classes.number}
          aria-label={t(often === 'times' ? 'builtIn.count' : 'builtIn.percent')}
          {...field('amount')}
        />
        <span className={classes.word} aria-hidden>
          {t(often === 'times' ? 'builtIn.requests' : 'builtIn.percentOf')}
        </span>
        <Button
          type="submit"
          variant="default"
          size="xs"
          className="far"
          leftSection={<PlusIcon />}
          aria-busy={sending}
        >
          {t('builtIn.add')}
        </Button>
      </div>
      <p className="flush hint">{t(`builtIn.kinds.${chosen.kind}.help`)}</p>
    </form>
  );
}
