import {
  Menu,
  MenuButton,
  MenuDivider,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  tokens,
} from '@fluentui/react-components';
import { Delete20Regular } from '@fluentui/react-icons/svg/delete';
import { Flash20Regular } from '@fluentui/react-icons/svg/flash';
import { Money20Regular } from '@fluentui/react-icons/svg/money';
import { Wrench20Regular } from '@fluentui/react-icons/svg/wrench';
import { useTranslation } from 'react-i18next';
import { useChannelActions } from '../../api/channel.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';

const useStyles = makeStyles({ danger: { color: tokens.colorStatusDangerForeground1 } });

interface ChannelMenuProps {
  onTestAll: () => Promise<void>;
  onReadBalances: () => Promise<void>;
}

/** What is done to all channels there are, whatever is shown. */
export function ChannelMenu({ onTestAll, onReadBalances }: ChannelMenuProps) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const notify = useNotify();
  const confirm = useConfirm();
  const { removeDisabled, fix } = useChannelActions();

  async function testAll(): Promise<void> {
    const isSure = await confirm({ title: t('all.test'), text: t('all.testText'), action: t('all.testAction') });
    if (isSure) await onTestAll().catch(notify.error);
  }

  async function removeOff(): Promise<void> {
    const isSure = await confirm({
      title: t('all.removeDisabled'),
      text: t('all.removeDisabledText'),
      action: t('all.removeDisabled'),
      word: t('removeMany.word'),
      isDangerous: true,
    });
    if (!isSure) return;
    await removeDisabled().then((count) => notify.success(t('done.removedDisabled', { count })), notify.error);
  }

  async function repair(): Promise<void> {
    const isSure = await confirm({ title: t('all.fix'), text: t('all.fixText'), action: t('all.fixAction') });
    if (isSure) await fix().then((count) => notify.success(t('done.fixed', { count })), notify.error);
  }

  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <MenuButton>{t('all.label')}</MenuButton>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuItem icon={<Flash20Regular />} onClick={() => void testAll()}>
            {t('all.test')}
          </MenuItem>
          <MenuItem icon={<Money20Regular />} onClick={() => void onReadBalances().catch(notify.error)}>
            {t('all.balances')}
          </MenuItem>
          <MenuItem icon={<Wrench20Regular />} onClick={() => void repair()}>
            {t('all.fix')}
          </MenuItem>
          <MenuDivider />
          <MenuItem icon={<Delete20Regular />} className={styles.danger} onClick={() => void removeOff()}>
            {t('all.removeDisabled')}
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
