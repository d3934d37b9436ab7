import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Understanding } from '../../preload/contract/models.ts';
import { sayRule } from '../say-rule.ts';
import { Fields } from './fields.tsx';

interface UnderstoodProps {
  answers: readonly Understanding[];
  onPin: () => void;
}

/** Shows why the answers were read as they were. */
export function Understood({ answers, onPin }: UnderstoodProps) {
  const { t } = useTranslation();
  return (
    <details>
      <Text component="summary" size="sm">
        {t('understood.title')}
      </Text>
      <Stack gap="md" mt="sm">
        <Text size="sm" c="dimmed">
          {t('understood.help')}
        </Text>
        {answers.map((answer) => (
          <section key={answer.operation} aria-label={t('understood.answer', { operation: `/${answer.operation}` })}>
            <Title order={2} size="h6">
              {t('understood.answer', { operation: `/${answer.operation}` })}
            </Title>
            <UnderstoodAnswer answer={answer} />
          </section>
        ))}
        <div>
          <Button variant="default" size="xs" onClick={onPin}>
            {t('understood.pin')}
          </Button>
        </div>
      </Stack>
    </details>
  );
}

/** Shows how one answer was taken, what was found where in it, and by which rules. */
export function UnderstoodAnswer({ answer }: { answer: Understanding }) {
  const { t } = useTranslation();
  const { verdict, rule, found } = answer;
  return (
    <Fields
      fields={[
        { label: t('understood.verdict'), value: <Finding place={verdict} rule={rule} /> },
        ...found.map((each) => ({
          label: t(`understood.${each.what}`),
          value: <Finding place={each.path} rule={each.rule} />,
        })),
      ]}
    />
  );
}

function Finding({ place, rule }: { place: string; rule: string }) {
  const { i18n } = useTranslation();
  return (
    <>
      <Text inherit ff="monospace">
        <bdi>{place}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {sayRule(rule, i18n)}
      </Text>
    </>
  );
}
