import {
  Button,
  Menu,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { ChatAdd20Regular } from '@fluentui/react-icons/svg/chat-add';
import { Code20Regular } from '@fluentui/react-icons/svg/code';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { History20Regular } from '@fluentui/react-icons/svg/history';
import { Options20Regular } from '@fluentui/react-icons/svg/options';
import { useTranslation } from 'react-i18next';
import { useNotify } from '../../components/feedback/notify.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { type Conversation, conversations, newConversation, titleOf } from './conversation.ts';

const useStyles = makeStyles({
  tools: { display: 'flex', gap: tokens.spacingHorizontalXS },
  list: { maxHeight: '60vh', overflowY: 'auto' },
  title: { maxWidth: '260px', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', display: 'block' },
});

interface PlaygroundToolsProps {
  conversation: Conversation;
  onOpen: (conversation: Conversation) => void;
  onCurl: () => void;
  onSettings: () => void;
}

/** Conversations, the call as a command, settings. */
export function PlaygroundTools({ conversation, onOpen, onCurl, onSettings }: PlaygroundToolsProps) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const notify = useNotify();
  const kept = conversations.use();
  const hasMessages = conversation.messages.length > 0;

  function remove(): void {
    conversations.remove(conversation.id);
    onOpen(newConversation());
    notify.undo(t('removed'), () => {
      conversations.save(conversation);
      onOpen(conversation);
    });
  }

  return (
    <div className={styles.tools}>
      <IconButton
        label={t('new')}
        icon={<ChatAdd20Regular />}
        disabledFocusable={!hasMessages}
        onClick={() => onOpen(newConversation())}
      />
      <Menu>
        <MenuTrigger disableButtonEnhancement>
          <Button appearance="subtle" icon={<History20Regular />} aria-label={t('history')} title={t('history')} />
        </MenuTrigger>
        <MenuPopover>
          <MenuList className={styles.list}>
            {kept.length === 0 && <MenuItem disabled>{t('noHistory')}</MenuItem>}
            {kept.map((one) => (
              <MenuItem key={one.id} onClick={() => onOpen(one)}>
                <span className={styles.title}>{titleOf(one) || t('untitled')}</span>
              </MenuItem>
            ))}
            {hasMessages && <MenuDivider />}
            {hasMessages && (
              <MenuItem icon={<Delete20Regular />} onClick={remove}>
                {t('remove')}
              </MenuItem>
            )}
          </MenuList>
        </MenuPopover>
      </Menu>
      <IconButton label={t('curl.show')} icon={<Code20Regular />} disabledFocusable={!hasMessages} onClick={onCurl} />
      <IconButton label={t('settings')} icon={<Options20Regular />} onClick={onSettings} />
    </div>
  );
}
