import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelCondition, ChannelStates } from '../../../../core/schemas/overview.ts';
import { StateMark } from '../../components/object/state-mark.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath, requestsPath } from '../../state/object-path.ts';
import { useRelativeTime } from '../../state/relative-time.ts';
import { sentence } from '../../state/sentence.ts';
import { ChannelState, channelTones } from './channel-state.tsx';

/** The others are one click away. */
const maxShown = 8;

const useStyles = makeStyles({
  reason: { color: tokens.colorNeutralForeground3, overflowWrap: 'anywhere', display: 'block' },
  more: { alignSelf: 'flex-start' },
  states: { display: 'flex', flexWrap: 'wrap', gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalL}` },
});

interface ChannelCardProps {
  /** Those to look at first; of thousands it is a part. */
  channels: ChannelCondition[];
  /** Of all of them. */
  states: ChannelStates;
  isPart?: boolean;
}

/** Channels: whether each works, why not, and what it served in the last 24 hours. */
export function ChannelCard({ channels, states, isPart = false }: ChannelCardProps) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const format = useFormat();
  const relative = useRelativeTime();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? channels : channels.slice(0, maxShown);
  const why = (channel: ChannelCondition) => {
    if (channel.state === 'off' || channel.state === 'working') return '';
    if (channel.state === 'unknown') return t('channel.notTried');
    if (channel.state === 'slow') return t('channel.slow', { seconds: format.number(channel.response_time / 1000) });
    return sentence(channel.reason) || t('channel.testFailed', { time: relative(channel.test_time) });
  };
  return (
    <SectionCard
      title={t('channel.title')}
      purpose={t('channel.purpose')}
      aside={<TextLink to="/channel">{t('channel.all')}</TextLink>}
    >
      {channels.length === 0 ? (
        <Text>
          {t(isPart ? 'channel.noneServes' : 'channel.none')} <TextLink to="/channel/add">{t('channel.add')}</TextLink>
        </Text>
      ) : (
        <>
          {channels.length > maxShown && <States states={states} />}
          <SmallTable
            label={t('channel.title')}
            columns={[
              { title: t('field.channel') },
              { title: t('field.state'), isWord: true },
              { title: t('field.requests'), isNumber: true },
              { title: t('field.spend'), isNumber: true },
            ]}
            rows={shown.map((channel) => ({
              key: String(channel.id),
              cells: [
                <>
                  <TextLink to={objectPath.channel(channel.id)}>{channel.name}</TextLink>
                  {why(channel) && (
                    <Text size={200} className={styles.reason}>
                      {why(channel)}
                    </Text>
                  )}
                </>,
                <ChannelState key="state" state={channel.state} />,
                channel.requests > 0 ? (
                  <TextLink key="requests" to={requestsPath({ channel: channel.id })}>
                    {format.number(channel.requests)}
                  </TextLink>
                ) : (
                  '0'
                ),
                format.quota(channel.quota),
              ],
            }))}
          />
        </>
      )}
      {channels.length > maxShown && (
        <Button appearance="subtle" className={styles.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('channel.fewer') : t('channel.more', { count: channels.length - maxShown })}
        </Button>
      )}
    </SectionCard>
  );
}

/** How many are how: a list of so many does not tell. */
function States({ states }: { states: ChannelStates }) {
  const { t } = useTranslation('overview');
  const styles = useStyles();
  const format = useFormat();
  return (
    <div className={styles.states}>
      {shownStates.map(
        (state) =>
          states[state] > 0 && (
            <StateMark
              key={state}
              tone={channelTones[state]}
              word={t('channel.inState', { word: t(`state.${state}`), number: format.number(states[state]) })}
            />
          ),
      )}
    </div>
  );
}

const shownStates = ['failing', 'slow', 'working', 'unknown', 'off'] as const;
