import { Spinner } from '@fluentui/react-components';
import { Chat24Regular } from '@fluentui/react-icons/svg/chat';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { Page } from '../../components/page.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { useChatAddress } from './use-chat-address.ts';

/** Leaves for the first chat program, so that one short address opens it for all users. */
export function ChatLinkPage() {
  const { t } = useTranslation('chat');
  const { name, address, error, fault, refresh } = useChatAddress(0);
  useEffect(() => {
    if (address) location.replace(address);
  }, [address]);
  return (
    <Page title={name}>
      {error && <LoadError error={error} onRetry={refresh} />}
      {fault && <StatePanel icon={<Chat24Regular />} title={fault} />}
      {!error && !fault && <Spinner label={t('opening')} />}
    </Page>
  );
}
