import { MessageBar, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import type { LedgerProof } from '../../api/ledger.ts';
import { useFormat } from '../../state/format.ts';

const provenRecentlySeconds = 3600;

/** The last proof in a sentence; green only for what was proven in the last hour. */
export function ProofState({ proof }: { proof: LedgerProof | undefined }) {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  if (!proof) {
    return (
      <MessageBar layout="multiline">
        <MessageBarBody>
          <MessageBarTitle>{t('state.never')}</MessageBarTitle>
          {t('state.neverText')}
        </MessageBarBody>
      </MessageBar>
    );
  }
  const { ok, at, checked, difference_count, strays } = proof;
  const isRecent = Date.now() / 1000 - at < provenRecentlySeconds;
  const counts = {
    users: format.number(checked.users),
    tokens: format.number(checked.tokens),
    channels: format.number(checked.channels),
    hours: format.number(checked.hours),
  };
  return (
    <MessageBar intent={ok ? (isRecent ? 'success' : 'info') : 'error'} layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>
          {ok ? t('state.ok', { time: format.time(at) }) : t('state.wrong', { time: format.time(at) })}
        </MessageBarTitle>
        {difference_count > 0
          ? t('state.differences', { count: difference_count, figures: format.number(difference_count) })
          : t('state.checked', counts)}{' '}
        {strays.parked > 0 && t('state.parked', { count: strays.parked })}{' '}
        {strays.booked > 0 && t('state.booked', { count: strays.booked })}
      </MessageBarBody>
    </MessageBar>
  );
}
