import { makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ModelHealth } from '../../../../core/schemas/channel-health.ts';
import { logType } from '../../../../core/schemas/log-type.ts';
import { StateMark, type StateTone } from '../../components/object/state-mark.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { When } from '../../components/when.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath, requestsPath } from '../../state/object-path.ts';
import { useDuration } from '../overview/use-duration.ts';

export const healthSpans = ['five_minutes', 'hour', 'day'] as const;

interface HealthView {
  span: (typeof healthSpans)[number];
  /** Whose page it is; the rows are of the other kind. */
  subject: 'channel' | 'model';
}

/** What the table and, on a phone, the list show of one model on one channel. */
export interface HealthRow {
  key: string;
  name: ReactNode;
  success: ReactNode;
  requests: ReactNode;
  firstToken: string;
  speed: string;
  /** Null when nothing failed. */
  lastError: ReactNode;
}

export const nothing = '–';

const useStyles = makeStyles({
  quiet: { color: tokens.colorNeutralForeground3, display: 'block', textAlign: 'inherit' },
  error: { overflowWrap: 'anywhere' },
});

export function useHealthRow({ span, subject }: HealthView): (health: ModelHealth) => HealthRow {
  const { t } = useTranslation('health');
  const styles = useStyles();
  const format = useFormat();
  const duration = useDuration();
  const pair = (middle: number | null, end: number | null, text: (value: number) => string) =>
    middle === null || end === null ? nothing : t('pair', { middle: text(middle), end: text(end) });

  function lastErrorOf({ channel_id: channel, model, last_error: error, last_error_at: at }: ModelHealth): ReactNode {
    if (at === 0) return null;
    const failed = requestsPath({ channel, model_name: model }, logType.error);
    return (
      <>
        <Text size={200} className={styles.quiet}>
          <When seconds={at} />
        </Text>
        <Text size={200} className={styles.error}>
          <TextLink to={failed}>{error}</TextLink>
        </Text>
      </>
    );
  }

  return (health) => {
    const { channel_id: channel, channel_name: channelName, model } = health;
    const { success, requests, failed, first_token_p50, first_token_p95, speed_p50, speed_p95 } = health[span];
    const [name, path] =
      subject === 'model' ? [channelName, objectPath.channel(channel)] : [model, objectPath.model(model)];
    return {
      key: `${channel} ${model}`,
      name: <TextLink to={path}>{name}</TextLink>,
      success: success === null ? nothing : <StateMark tone={toneOf(success)} word={format.percent(success)} />,
      requests: (
        <>
          {format.number(requests)}
          {failed > 0 && (
            <Text size={200} wrap={false} className={styles.quiet}>
              {t('failed', { failed: format.number(failed) })}
            </Text>
          )}
        </>
      ),
      firstToken: pair(first_token_p50, first_token_p95, duration),
      speed: pair(speed_p50, speed_p95, format.number),
      lastError: lastErrorOf(health),
    };
  };
}

const goodShare = 0.95;
const badShare = 0.5;

const toneOf = (success: number): StateTone =>
  success >= goodShare ? 'good' : success >= badShare ? 'warning' : 'danger';
