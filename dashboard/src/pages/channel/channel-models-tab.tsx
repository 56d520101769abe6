import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { Beaker20Regular } from '@fluentui/react-icons/svg/beaker';
import { Edit20Regular } from '@fluentui/react-icons/svg/edit';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { parseRecord } from '../../../../core/schemas/channel-json.ts';
import { ButtonLink } from '../../components/button-link.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath, requestsPath } from '../../state/object-path.ts';

const ModelTestDialog = lazy(async () => ({ default: (await import('./model-test-dialog.tsx')).ModelTestDialog }));

const useStyles = makeStyles({
  buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/** Every model of a channel, and under which name the upstream is asked for it. */
export function ChannelModelsTab({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [isTesting, setTesting] = useState(false);
  const mapping = parseRecord(channel.model_mapping) ?? {};
  const models = channel.models.split(',').filter(Boolean);
  return (
    <SectionCard
      title={t('modelTab.title', { count: models.length })}
      purpose={t('modelTab.purpose')}
      aside={
        <div className={styles.buttons}>
          <Button icon={<Beaker20Regular />} onClick={() => setTesting(true)}>
            {t('action.testModels')}
          </Button>
          <ButtonLink to="?tab=settings" icon={<Edit20Regular />}>
            {t('modelTab.edit')}
          </ButtonLink>
        </div>
      }
    >
      <SmallTable
        label={t('modelTab.title', { count: models.length })}
        columns={[{ title: t('modelTab.model') }, { title: t('modelTab.upstream') }, { title: t('modelTab.requests') }]}
        rows={models.map((model) => ({
          key: model,
          cells: [
            <TextLink key="model" to={objectPath.model(model)}>
              {model}
            </TextLink>,
            typeof mapping[model] === 'string' ? (
              mapping[model]
            ) : (
              <Text key="same" className={styles.quiet}>
                {t('modelTab.same')}
              </Text>
            ),
            <TextLink key="requests" to={requestsPath({ channel: channel.id, model_name: model })}>
              {t('modelTab.show')}
            </TextLink>,
          ],
        }))}
      />
      <Suspense fallback={null}>
        {isTesting && <ModelTestDialog channel={channel} onClose={() => setTesting(false)} />}
      </Suspense>
    </SectionCard>
  );
}
