import { Link, makeStyles, Spinner, tokens } from '@fluentui/react-components';
import { Chat24Regular } from '@fluentui/react-icons/svg/chat';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { HiddenTitle } from '../../components/hidden-title.tsx';
import { Page } from '../../components/page.tsx';
import { StatePanel } from '../../components/state-panel.tsx';
import { useFirstScreen } from '../../state/first-screen.ts';
import { useChatAddress } from './use-chat-address.ts';

const useStyles = makeStyles({
  frame: {
    flex: '1 0 auto',
    width: '100%',
    height: 'calc(100vh - 56px)',
    border: 'none',
    display: 'block',
    backgroundColor: tokens.colorNeutralBackground1,
  },
});

/** The chat program with this number among the configured ones. */
export function ChatPage() {
  const { t } = useTranslation('chat');
  const styles = useStyles();
  const { id } = useParams();
  const { name, address, error, fault, refresh } = useChatAddress(id === undefined ? 0 : Number(id));
  useFirstScreen(address !== undefined);
  if (error || fault || !address) {
    return (
      <Page title={name}>
        {error && <LoadError error={error} onRetry={refresh} />}
        {fault && <StatePanel icon={<Chat24Regular />} title={fault} />}
        {!error && !fault && <Spinner label={t('opening')} />}
      </Page>
    );
  }
  if (!canBeFramed(address)) {
    return (
      <Page title={name}>
        <StatePanel
          icon={<Chat24Regular />}
          title={t('outside')}
          action={
            <Link href={address} target="_blank" rel="noopener noreferrer">
              {t('open', { name })}
            </Link>
          }
        />
      </Page>
    );
  }
  return (
    <>
      <HiddenTitle title={name} />
      <iframe
        className={styles.frame}
        src={address}
        title={name}
        // Its own storage is the program's; ours is out of its reach, because it never has our origin.
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-downloads allow-modals"
        allow="clipboard-write; microphone; camera"
        referrerPolicy="no-referrer"
      />
    </>
  );
}

/** Our policy frames https alone; an app's own scheme opens the app. */
function canBeFramed(address: string): boolean {
  const { protocol, origin } = new URL(address);
  return protocol === 'https:' && origin !== location.origin;
}
