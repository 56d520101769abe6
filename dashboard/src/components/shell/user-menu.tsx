import {
  Button,
  Menu,
  MenuDivider,
  MenuGroupHeader,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { Settings20Regular } from '@fluentui/react-icons/svg/settings';
import { SignOut20Regular } from '@fluentui/react-icons/svg/sign-out';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { hasPage } from '../../pages.ts';
import { useIsMobile } from '../../state/media.ts';
import { sessionUser } from '../../state/session.ts';
import { ButtonLink } from '../button-link.tsx';
import { useSignOut } from './use-sign-out.ts';

const useStyles = makeStyles({
  entries: {
    display: 'flex',
    gap: tokens.spacingHorizontalS,
    // A phone's header is for the name of the site first.
    '@media (max-width: 600px)': { '& > a': { minWidth: 'auto', flexShrink: 0 } },
  },
  initial: {
    flexShrink: 0,
    width: '28px',
    height: '28px',
    lineHeight: '28px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorBrandBackground,
    color: tokens.colorNeutralForegroundOnBrand,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    textAlign: 'center',
  },
});

/** Who is signed in and the way out; or the ways in. */
export function UserMenu() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const navigate = useNavigate();
  const user = sessionUser.use();
  const isMobile = useIsMobile();
  const signOut = useSignOut();
  if (!user) {
    return (
      <div className={styles.entries}>
        <ButtonLink to="/login" appearance="subtle">
          {t('navigation.login')}
        </ButtonLink>
        {!isMobile && (
          <ButtonLink to="/register" appearance="primary">
            {t('navigation.register')}
          </ButtonLink>
        )}
      </div>
    );
  }
  const name = user.display_name || user.username;
  return (
    <Menu>
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={t('user.menu', { name })} relationship="label">
          <Button
            appearance="subtle"
            shape="circular"
            icon={<span className={styles.initial}>{[...name][0]?.toUpperCase()}</span>}
          />
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          <MenuGroupHeader>{name}</MenuGroupHeader>
          {hasPage('/setting') && (
            <MenuItem icon={<Settings20Regular />} onClick={() => navigate('/setting')}>
              {t('navigation.setting')}
            </MenuItem>
          )}
          <MenuDivider />
          <MenuItem icon={<SignOut20Regular />} onClick={signOut}>
            {t('user.signOut')}
          </MenuItem>
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
