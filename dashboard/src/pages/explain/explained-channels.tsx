import { Badge, makeStyles, Text, tokens, typographyStyles } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { ExplanationView } from '../../api/explain.ts';
import { SectionCard } from '../../components/section-card.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { useIsMobile } from '../../state/media.ts';
import { objectPath } from '../../state/object-path.ts';

type Channel = ExplanationView['channels'][number];

const useStyles = makeStyles({
  note: { color: tokens.colorNeutralForeground3 },
  // The same words stand within sentences elsewhere; here each has a line of its own.
  reason: { ':first-letter': { textTransform: 'uppercase' } },
  below: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground3 },
});

/** Those that would be tried, and those that list the model and would not, with the reason. */
export function ExplainedChannels({ view: { channels, retries } }: { view: ExplanationView }) {
  const { t } = useTranslation('explain');
  const styles = useStyles();
  const format = useFormat();
  const isMobile = useIsMobile();
  const listed = channels.filter(({ reasons }) => !reasons.some(({ code }) => code === 'explain.modelNotListed'));
  const others = channels.length - listed.length;
  return (
    <SectionCard title={t('channels.title')} purpose={t('channels.purpose', { count: retries })}>
      {listed.length > 0 && (
        <SmallTable
          label={t('channels.title')}
          columns={[
            { title: t('channels.name') },
            { title: t('channels.turn'), isWord: true },
            { title: t('channels.chance'), isWord: true },
            ...(isMobile ? [] : [{ title: t('channels.why') }]),
          ]}
          rows={listed.map((channel) => ({
            key: String(channel.id),
            cells: [
              <div key="name">
                <TextLink to={objectPath.channel(channel.id)}>{channel.name}</TextLink>
                {isMobile && (
                  <div className={styles.below}>
                    <Why channel={channel} />
                  </div>
                )}
              </div>,
              <Turn key="turn" channel={channel} />,
              channel.turn === null ? '–' : format.percent(channel.chance),
              ...(isMobile ? [] : [<Why key="why" channel={channel} />]),
            ],
          }))}
        />
      )}
      {channels.length === 0 && <Text>{t('channels.none')}</Text>}
      {others > 0 && (
        <Text size={200} className={styles.note}>
          {t('channels.others', { count: others })}
        </Text>
      )}
    </SectionCard>
  );
}

function Turn({ channel: { turn } }: { channel: Channel }) {
  const { t } = useTranslation('explain');
  if (turn === null)
    return (
      <Badge appearance="outline" color="informative">
        {t('channels.never')}
      </Badge>
    );
  return (
    <Badge appearance="tint" color={turn === 1 ? 'success' : 'informative'}>
      {turn === 1 ? t('channels.first') : t('channels.try', { turn })}
    </Badge>
  );
}

function Why({ channel: { turn, weight, conversation, first_token: limit, health, reasons } }: { channel: Channel }) {
  const { t } = useTranslation('explain');
  const { reason } = useStyles();
  return (
    <>
      {turn === 1 && <div>{t('channels.weight', { weight })}</div>}
      {conversation && <div>{t(`channels.conversation.${conversation}`)}</div>}
      {limit && <div className={reason}>{limit.text}</div>}
      {health && <div className={reason}>{health.text}</div>}
      {reasons.map(({ code, message, hint }) => (
        // A user's name stays as it is.
        <div key={code} className={code === 'explain.disabledBy' ? undefined : reason}>
          {message} {hint}
        </div>
      ))}
    </>
  );
}
