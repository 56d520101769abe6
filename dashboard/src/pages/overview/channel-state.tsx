import { useTranslation } from 'react-i18next';
import type { ChannelCondition } from '../../../../core/schemas/overview.ts';
import { StateMark, type StateTone } from '../../components/object/state-mark.tsx';

export const channelTones: Record<ChannelCondition['state'], StateTone> = {
  working: 'good',
  slow: 'warning',
  failing: 'danger',
  unknown: 'unknown',
  off: 'off',
};

/** Word, symbol and color. */
export function ChannelState({ state }: { state: ChannelCondition['state'] }) {
  const { t } = useTranslation('overview');
  return <StateMark tone={channelTones[state]} word={t(`state.${state}`)} />;
}
